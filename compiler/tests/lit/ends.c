// RUN: %same %S/Inputs/ends.c
