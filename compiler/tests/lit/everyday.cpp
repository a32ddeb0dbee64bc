// Loops as they are written in C++, and memory that is come to again by other pointers: the same in every order, and all but two of the
// loops deferred.
// RUN: %same %programs/kernels.cpp
// RUN: %same %programs/everyday.cpp
// RUN: %at_length %instrumented --levels O1 --orders random %programs/everyday.cpp
// RUN: %same %programs/pointers.c
// RUN: %same %programs/views.cpp
// RUN: %cxx -O2 -DREORDER -Rpass=windrow-defer -c %programs/everyday.cpp -o /dev/null 2> %t
// RUN: grep -c "fetch not deferred" %t | grep -x 3
// RUN: grep "Rpass=windrow-defer" %t | grep -v "in the order of\|nesting level" | wc -l | grep -x 33
