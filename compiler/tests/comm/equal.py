#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""equal.py WINDROW [--without RULE] [--all-levels] PROGRAM...: the programs print the same with -fcomm and without it, as jobs of 1 to 4 PEs that
are far from each other, two by two on hosts, with late operations, and on one host. With the promise something is done in each. `ordered` has
programs that are not right where operations are late."""
import argparse
import difflib
import os
import pathlib
import subprocess
import sys
import tempfile

FAR, LATE, NEAR, PAIRS = {"WINDROW_DELAY": "0"}, {"WINDROW_ADVERSARY": "3"}, {}, {"WINDROW_SIM": "hdr,pes_per_host=2"}
BUILDS = {"-fcomm=relaxed -O2": [(n, how) for n in (1, 2, 3, 4) for how in (FAR, LATE)] + [(2, NEAR), (3, PAIRS), (4, PAIRS)],
          "-fcomm -O2": [(3, FAR), (2, LATE)]}
OTHER_LEVELS = {"-fcomm=relaxed -O1": [(3, FAR)], "-fcomm=relaxed -O3": [(3, FAR)]}


def run(command, **variables):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, timeout=250,
                          env=dict(os.environ, WINDROW_STALL_SECONDS="60", WINDROW_STALL_ABORT="1", **variables))
    if done.returncode != 0:
        sys.exit(f"{command} with {variables}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def check(windrow, builds, more, source, folder):
    compiler = "c++" if source.suffix == ".cpp" else "cc"
    program, plain = folder / source.stem, folder / f"{source.stem}.plain"
    run([windrow, compiler, "-O1", "-Wno-unknown-pragmas", source, "-o", plain])
    expected = {n: run([windrow, "run", "-n", n, plain]).stdout for n in (1, 2, 3, 4)}
    for flags, jobs in builds.items():
        said = run([windrow, compiler, *flags.split(), *more, "-Rpass=windrow-comm", source, "-o", program]).stderr
        if "vectorised" not in said and "read together" not in said and "relaxed" in flags:
            sys.exit(f"{source.name} with {flags}: nothing is done")
        for n, how in jobs:
            if how == LATE and source.stem == "ordered":
                continue
            found = run([windrow, "run", "-n", n, program], **how).stdout
            if found != expected[n]:
                difference = "\n".join(difflib.unified_diff(expected[n].splitlines(), found.splitlines(), "as written", "with it", lineterm=""))
                sys.exit(f"{source.name} with {flags} as {n} PEs with {how} prints something else:\n{difference}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("windrow")
    parser.add_argument("--without", metavar="RULE", help="leave out this rule of the pass")
    parser.add_argument("--all-levels", action="store_true")
    parser.add_argument("programs", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    builds = BUILDS | (OTHER_LEVELS if options.all_levels else {})
    more = [f"-fplugin-arg-windrow-without-{options.without}"] if options.without else []
    with tempfile.TemporaryDirectory() as folder:
        for source in options.programs:
            check(options.windrow, builds, more, source, pathlib.Path(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
