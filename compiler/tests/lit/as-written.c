// What a program does around deferred fetches means the same at every level, in every order.
// RUN: %same %programs/as_written.c
// RUN: %at_length %instrumented --levels O1 --orders random %programs/as_written.c
