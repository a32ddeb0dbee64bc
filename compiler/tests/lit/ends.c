// RUN: %same --levels O0,O2 %S/Inputs/ends.c
