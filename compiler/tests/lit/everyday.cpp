// Loops as they are written in C++, and memory that is come to again by other pointers: the same in every order, and all but two of the
// loops deferred.
// RUN: %same --levels O0,O2 %programs/kernels.cpp
// RUN: %same --levels O0,O2 %programs/everyday.cpp
// RUN: %same --levels O1 --orders random --flags="-g -fsanitize=address,undefined" %programs/everyday.cpp
// RUN: %same --levels O0,O2 %programs/pointers.c
// RUN: %same --levels O0,O2 %programs/views.cpp
// RUN: %cxx -O2 -DREORDER -Rpass=windrow-defer -c %programs/everyday.cpp -o /dev/null 2> %t
// RUN: grep -c "fetch not deferred" %t | grep -x 3
// RUN: grep "Rpass=windrow-defer" %t | grep -v "in the order of\|nesting level" | wc -l | grep -x 32
