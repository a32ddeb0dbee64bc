#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Differential fuzzing of plans: random SPMD programs are recorded, all that the plan has is approved, and the result must be that of the
program itself, with the input that was recorded and another one, on 1 to 4 PEs, with operations as late as they may be. Then places of
completion are taken out of the plan, and accesses not checked: either the check finds one that comes too early, or the result is right.

  fuzz.py WINDROW [--clang CLANG] [--first SEED] [--programs N] [--seconds N] [--fresh] [--show SEED]

Prints the seeds of what went wrong. Much must be put off, else the run proves little, and fails.
"""
import argparse
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

import random_programs

UNCHECKED = "-fplugin-arg-windrow-without-guards"
ACCESSES = ("load", "store", "end of life")


class Wrong(Exception):
    pass


class Case:
    """One program in a folder."""

    def __init__(self, options, seed, folder):
        self.options, self.folder = options, pathlib.Path(folder)
        self.random = random.Random(seed)
        (self.folder / "prog.c").write_text(random_programs.program(seed), encoding="ascii")

    def do(self, *words, code=0, **variables):
        done = subprocess.run([self.options.windrow, *map(str, words)], cwd=self.folder, capture_output=True, text=True, check=False, timeout=120,
                              env={**os.environ, "WINDROW_STALL_SECONDS": "30", "WINDROW_STALL_ABORT": "1", "CC": self.options.clang, **variables})
        if code is not None and done.returncode != code:
            raise Wrong(f"{' '.join(map(str, words))} gives {done.returncode}: {done.stderr[-600:]}")
        return done

    def compile(self, plan, name, *words):
        (self.folder / "plan.json").write_text(json.dumps(plan), encoding="ascii")
        self.do("cc", "-foverlap-plan=plan.json", *words, "prog.c", "-o", name)

    def compare(self, program, pes, argument):
        expected = sorted(self.do("run", "-n", pes, "./plain", argument).stdout.splitlines())
        late = sorted(self.do("run", "-n", pes, program, argument, WINDROW_ADVERSARY=str(self.random.randint(1, 999))).stdout.splitlines())
        if late != expected:
            raise Wrong(f"{program} on {pes} PEs with input {argument}: {late} in place of {expected}")

    def check(self, program):
        """How many were put off; less than 0 if an access came too early."""
        done = self.do("overlap", "check", "-n", 2, program, 1, code=None)
        if "windrow overlap check: the" in done.stderr:
            return -1
        found = re.search(r": (\d+) transfers", done.stderr)
        if done.returncode and "put nothing off" not in done.stderr:
            raise Wrong(f"check says {done.stderr[-600:]}")
        return int(found[1]) if found else 0

    def run(self):
        """(transfers put off, whether a plan that was too late was caught)."""
        level = self.random.choice(["-O0", "-O0", "-O1", "-O2", "-O3"])
        self.do("cc", "-foverlap", level, "prog.c", "-o", "plain")
        self.do("overlap", "record", "-o", "r", "-n", 2, "./plain", 1)
        if "Race" in self.do("overlap", "report", "r").stdout:
            raise Wrong("the program is said to have a race")
        plan = json.loads(self.do("overlap", "plan", "r", "--all", "--approve", "all").stdout)
        self.compile(plan, "prog", self.random.choice(["-O0", "-O1", "-O2", "-O3"]))
        for pes in range(1, 5):
            self.compare("./prog", pes, 1 if pes == 2 else self.random.randint(2, 9))
        put_off = self.check("./prog")
        if level == "-O0":
            self.places_are_enough(plan)
        return max(put_off, 0), self.is_noticed(plan, level)

    def places_are_enough(self, plan):
        """Where nothing was in another order, accesses need no checks with the input that was recorded."""
        self.compile(plan, "places", "-O0")
        if self.check("./places") < 0:
            raise Wrong("the check finds an access before its wait in the plan as it is")
        self.compile(plan, "places", "-O0", UNCHECKED)
        self.compare("./places", 2, 1)

    def is_noticed(self, plan, level):
        """Some entries are never completed by the plan."""
        ended = [one for one in plan["entries"] if any(until["before"] in ACCESSES for until in one["complete"])]
        for one in plan["entries"]:
            one["approved"] = one in ended
            one["complete"] = []
        self.compile(plan, "moved", level)
        if self.check("./moved") < 0:
            return 1
        self.compile(plan, "moved", level, UNCHECKED)
        self.compare("./moved", 2, 1)
        return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("windrow")
    parser.add_argument("--clang", default="clang-19")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--programs", type=int, default=10)
    parser.add_argument("--seconds", type=float, default=1e9)
    parser.add_argument("--fresh", action="store_true", help="seeds that change daily")
    parser.add_argument("--show", type=int)
    options = parser.parse_args()
    if options.show is not None:
        return print(random_programs.program(options.show))
    first = options.first + (int(time.time()) // 86400 * 1000 if options.fresh else 0)
    begin, failed, put_off, caught, done = time.monotonic(), [], 0, 0, 0
    for seed in range(first, first + options.programs):
        if time.monotonic() - begin > options.seconds:
            break
        with tempfile.TemporaryDirectory() as folder:
            try:
                more, found = Case(options, seed, folder).run()
                put_off, caught = put_off + more, caught + found
            except Wrong as problem:
                failed.append(seed)
                print(f"seed {seed}: {problem}")
        done += 1
    print(f"{done} programs from seed {first}: {put_off} put off, {caught} plans that were too late caught, wrong seeds: {failed}")
    proves_little = put_off < 10 * done or (done >= 20 and 5 * caught < done)
    return sys.exit(1 if failed or proves_little else 0)


if __name__ == "__main__":
    main()
