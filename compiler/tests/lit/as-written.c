// What a program does around deferred fetches means the same at every level, in every order.
// RUN: %same %programs/as_written.c
// RUN: %same --levels O1 --orders random --flags="-g -fsanitize=address,undefined" %programs/as_written.c
