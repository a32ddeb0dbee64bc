// Programs that the fuzzer found to be wrong once, reduced.
// RUN: %same --levels O0,O2 %S/Inputs/lost-update.c
