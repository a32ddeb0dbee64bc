#!/bin/sh
# defer_test.sh WINDROW SOURCE FOLDER: builds defer.c as README.md says, sees that the loop is deferred, runs it.
set -eu
remarks=$("$1" cc -fdefer -O2 -Rpass=windrow-defer "$2" -o "$3/defer_by_plug_in" 2>&1)
echo "$remarks"
echo "$remarks" | grep -q "fused at owner"
for pes in 1 2 4; do "$1" run -n "$pes" "$3/defer_by_plug_in"; done
