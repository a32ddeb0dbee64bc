#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""mutations.py --plugin FILE --windrow COMMAND [--clang CLANG] [--programs N] [--by WAY] [--rules NAME,...]

Leaves out one rule of -fcomm at a time and expects that the tests notice: what a program prints, else the fuzzer, else the expected
remarks. The first two see a wrong result; rules about what a race could show have none here.
"""
import argparse
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
from mutations import missed  # noqa: E402

RULES = ["near", "meetings", "coverage", "conditions", "order", "calls", "volatile", "polling", "promise", "synchronisation", "own-stores",
         "own-puts", "invariants", "polls-between", "ahead", "near-stores", "bounds", "between",
         "decisions", "room", "again-inside", "nest-counts", "nest-waits", "collect-counts", "collect-reads", "collect-writes", "collect-polls",
         "copy-only", "copy-apart", "puts-apart", "puts-told", "split-ends", "split-volatile", "split-memory", "split-strict", "split-writes", "split-stores", "split-own", "split-order", "split-calls", "split-rounds", "shared-copies", "shared-inline", "shared-tables",
         "polling-rolled", "polling-first", "read-rounds", "watches", "written-bound", "polling-calls", "polling-in-turn", "pure", "split-tails", "hints", "reads-first", "errno", "waits"]


def programs_notice(options, rule):
    command = [sys.executable, HERE / "equal.py", options.windrow, "--all-levels", "--without", rule, *sorted(HERE.glob("*.c"))]
    return subprocess.run(command, capture_output=True, check=False).returncode != 0


def fuzzer_notices(options, rule):
    command = [sys.executable, HERE / "fuzz" / "fuzz.py", options.windrow, "--clang", options.clang, "--without", rule, "--programs",
               str(options.programs)]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


REMARKS = {"comm.c": "=relaxed", "comm-nests.c": "=relaxed", "comm-reuse.c": "=relaxed,reuse", "comm-split.c": "=relaxed", "comm-promise.c": "",
           "comm-shared.c": "=relaxed,reuse", "comm-shared.cpp": "=relaxed,reuse",
           "comm-polling.c": "=relaxed,reuse,coalesce", "comm-pure.c": "=relaxed",
           "comm-errno.c": "=relaxed"}


def remarks_notice(options, rule):
    def complains(name, promise):
        language = ["-x", "c++", "-std=c++20"] if name.endswith(".cpp") else []
        flags = ["-O2", f"-I{HERE.parents[2]}/include", f"-fplugin={options.plugin}", f"-fpass-plugin={options.plugin}",
                 f"-fplugin-arg-windrow-comm{promise}", f"-fplugin-arg-windrow-without-{rule}", "-Rpass=windrow-comm",
                 "-Rpass-missed=windrow-comm", "-Xclang", "-verify", "-c", "-o", "/dev/null"]
        return subprocess.run([options.clang, *flags, *language, HERE.parent / "lit" / name], capture_output=True, check=False).returncode != 0
    return any(complains(*one) for one in REMARKS.items())


WAYS = {"programs": programs_notice, "fuzzer": fuzzer_notices, "remarks": remarks_notice}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--windrow", required=True)
    parser.add_argument("--clang", default="clang-19")
    parser.add_argument("--programs", type=int, default=1000)
    parser.add_argument("--by", choices=WAYS, help="in this way alone")
    parser.add_argument("--rules", default=",".join(RULES), help="which are left out")
    options = parser.parse_args()
    ways = {options.by: WAYS[options.by]} if options.by else WAYS
    return missed(options, options.rules.split(","), ways) != 0


if __name__ == "__main__":
    sys.exit(main())
