#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Differential fuzzing of -fcomm: random SPMD functions, 50 to a file, do the same with it as jobs of 1 to 4 PEs that are far from each
other, or whose operations are late.

  fuzz.py WINDROW [--clang CLANG] [--first SEED] [--programs N] [--seconds N] [--without RULE] [--fresh] [--show SEED]

Each file is compiled at a random level with a random promise. Prints the seeds of what went wrong. Much must be vectorised, else the run
proves little, and fails.
"""
import argparse
import concurrent.futures
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

import generator

HERE = pathlib.Path(__file__).resolve().parent
SIZE = 50
PROMISES = ["-fcomm=relaxed"] * 7 + ["-fcomm", "-fcomm=relaxed,reuse,coalesce", "-fcomm=relaxed,vectorise,coalesce", "-fcomm=relaxed,split"]


def run(command, folder, **variables):
    return subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, check=False, timeout=300,
                          env={**os.environ, "WINDROW_STALL_SECONDS": "60", "WINDROW_STALL_ABORT": "1", **variables})


def compile_batch(options, folder, choice):
    """What the compiler said of the variant with -fcomm, and why the program is not there."""
    flags = ["-Wno-everything", f"-I{HERE}", "-fno-math-errno"]
    comm = [choice.choice(["-O1", "-O2", "-O2", "-O3", "-Os"]), choice.choice(PROMISES), "-Rpass=windrow-comm",
            "-Rpass-missed=windrow-comm"]
    if choice.random() < .2:
        comm.append("-g")
    if options.without:
        comm.append(f"-fplugin-arg-windrow-without-{options.without}")
    said = ""
    for name, more in (("plain", ["-O1"]), ("comm", comm)):
        done = run([options.windrow, "cc", *flags, *more, f"-DVARIANT_NAME={name}", "-c", "batch.c", "-o", f"{name}.o"], folder, CC=options.clang)
        said = done.stderr
        if done.returncode:
            return said, f"does not compile with {' '.join(more)}: {said[-500:]}"
    done = run([options.windrow, "cc", *flags, "-O1", "plain.o", "comm.o", HERE / "harness.c", "-o", "program"], folder, CC=options.clang)
    internal = re.search(r"internal error.*", said)
    return said, f"does not link: {done.stderr[-500:]}" if done.returncode else internal and internal[0]


def run_batch(options, seeds):
    """(complaints, how often something was vectorised, and was not)."""
    choice = random.Random(seeds[0])
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "batch.c").write_text(generator.batch(seeds), encoding="ascii")
        said, wrong = compile_batch(options, folder, choice)
        counts = said.count(" vectorised: ") + said.count(" split: "), said.count(" stays as it is")
        if wrong:
            return [f"seeds {seeds[0]} to {seeds[-1]}: {wrong}"], *counts
        how = {"WINDROW_DELAY": "0"} if generator.is_ordered(seeds[0]) else {"WINDROW_ADVERSARY": str(seeds[0])}
        done = run([options.windrow, "run", "-n", choice.randint(1, 4), "./program"], folder, WINDROW_SYMMETRIC_SIZE="16M", **how)
        complaints = [f"{line} with {how}" for line in sorted(set(done.stdout.splitlines())) if line.startswith("seed")]
        if done.returncode and not complaints:
            complaints = [f"seeds {seeds[0]} to {seeds[-1]} with {how}: ends with {done.returncode}: {done.stderr[-500:]}"]
        return complaints, *counts


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("windrow", type=pathlib.Path)
    parser.add_argument("--clang", default="clang-19")
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--programs", type=int, default=20000)
    parser.add_argument("--seconds", type=float, default=1e9, help="begin no file after this time")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--without", help="leave out this rule of the pass, and expect a complaint")
    parser.add_argument("--fresh", action="store_true", help="begin with a seed that depends on the day")
    parser.add_argument("--show", type=int, help="print the function of this seed")
    options = parser.parse_args()
    if options.show is not None:
        print(generator.function(options.show))
        return 0
    options.windrow = options.windrow.resolve()
    first = options.first // SIZE * SIZE + (int(time.time() // 86400) * 100000 if options.fresh else 0)
    files = [range(begin, begin + SIZE) for begin in range(first, first + options.programs, SIZE)]
    begin, complaints, programs, done, left = time.monotonic(), [], 0, 0, 0

    def work(seeds):
        enough = time.monotonic() - begin > options.seconds or (options.without and complaints)
        return None if enough else run_batch(options, seeds)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for answer in pool.map(work, files):
            if answer is None:
                continue
            programs += SIZE
            for line in answer[0]:
                print(line, flush=True)
            complaints += answer[0]
            done, left = done + answer[1], left + answer[2]
    if not options.without and done < programs / 4:
        complaints.append("too little is vectorised to prove anything")
        print(complaints[-1])
    print(f"{programs} programs from seed {first}, {done} times vectorised, {left} accesses left as they were: {len(complaints)} complaints")
    return 0 if programs and bool(complaints) == bool(options.without) else 1


if __name__ == "__main__":
    sys.exit(main())
