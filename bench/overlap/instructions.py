#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""instructions.py WINDROW [CLANG]: instructions that a plan costs per put, with few and many under way, by valgrind's callgrind.

A program of one PE puts 64 bytes to each of so many places and then changes all sources. Of two runs with different numbers of rounds the
difference is taken, which has neither start nor end in it. "Waits" count what makes operations late (WINDROW_ADVERSARY) too, for both columns."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

WINDROW, CLANG = os.path.abspath(sys.argv[1]), (sys.argv[2:] or ["clang-19"])[0]
SOURCE = """#include <shmem.h>
#include <stdlib.h>
#include <string.h>
static long to[1024][8], from[1024][8];
int main(int argc, char** argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 1, under_way = argc > 2 ? atoi(argv[2]) : 10;
  shmem_init();
  for (int round = 0; round < rounds; round++) {
    for (int i = 0; i < under_way; i++) shmem_long_put(to[i], from[i], 8, 0);
    memset(from, round, sizeof from[0] * (size_t)under_way);
  }
  shmem_finalize();
  return 0;
}
"""


def do(*words, folder, **variables):
    done = subprocess.run([str(word) for word in words], cwd=folder, capture_output=True, text=True, check=False,
                          env={**os.environ, "CC": CLANG, "WINDROW_SYMMETRIC_SIZE": "16M", **variables})
    if done.returncode:
        sys.exit(done.stderr)
    return done


def instructions(folder, program, rounds, under_way, variables):
    said = do("valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", f"./{program}", rounds, under_way, folder=folder, **variables).stderr
    return int(re.search(r"Collected : (\d+)", said).group(1))


def per_put(folder, program, under_way, **variables):
    less, more = 2000 // under_way + 1, 6000 // under_way + 2
    difference = instructions(folder, program, more, under_way, variables) - instructions(folder, program, less, under_way, variables)
    return difference / ((more - less) * under_way)


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "puts.c").write_text(SOURCE, encoding="ascii")
        do(WINDROW, "cc", "-O2", "puts.c", "-o", "plain", folder=folder)
        do(WINDROW, "cc", "-foverlap", "-O2", "puts.c", "-o", "recorded", folder=folder)
        do(WINDROW, "overlap", "record", "-o", "r", "-n", 1, "./recorded", 1, 10, folder=folder)
        plan = do(WINDROW, "overlap", "plan", "r", "--all", "--approve", "all", folder=folder).stdout
        if not any(one["approved"] for one in json.loads(plan)["entries"]):
            sys.exit("nothing is approved")
        (folder / "plan.json").write_text(plan, encoding="utf-8")
        do(WINDROW, "cc", "-foverlap-plan=plan.json", "-O2", "puts.c", "-o", "planned", folder=folder)
        late = {"WINDROW_ADVERSARY": "1"}
        print(f"{'under way':>9} {'plain':>8} {'planned, one host':>18} {'late: as it is':>15} {'late: put off':>14}")
        for under_way in (1, 10, 100, 1000):
            row = [per_put(folder, "plain", under_way), per_put(folder, "planned", under_way),
                   per_put(folder, "planned", under_way, WINDROW_OVERLAP="off", **late), per_put(folder, "planned", under_way, **late)]
            print(f"{under_way:>9} {row[0]:>8.0f} {row[1]:>18.0f} {row[2]:>15.0f} {row[3]:>14.0f}")


if __name__ == "__main__":
    main()
