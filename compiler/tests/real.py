#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""real.py WINDROW PROGRAM...: the programs print the same on the library with `windrow cc -fdefer`, without it, and compiled by gcc,
as jobs of 1 to 8 PEs, on contexts that aggregate and on ones that do not. A program with "ends: SENTENCE" in it ends with an error that
says so."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

PES = [1, 2, 3, 4, 8]


def run(command, sentence=None, **variables):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, timeout=250,
                          env=dict(os.environ, WINDROW_STALL_SECONDS="60", WINDROW_STALL_ABORT="1", **variables))
    if (done.returncode != 0) != (sentence is not None) or (sentence and sentence not in done.stderr):
        sys.exit(f"{command} with {variables}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def check(windrow, source, folder):
    expected = set()
    ends = re.search("^[ /*]*ends: (.*?)[ */]*$", source.read_text(encoding="utf-8"), re.MULTILINE)
    sentence = ends and ends.group(1)
    compiler = "c++" if source.suffix == ".cpp" else "cc"
    # At -O0 the fuzzer runs on the library, and lit these programs without it.
    builds = {"gcc": (["-O1", "-Wno-unknown-pragmas"], {"CC": "gcc", "CXX": "g++"}), "defer": (["-fdefer", "-O2"], {})}
    for name, (flags, variables) in builds.items():
        program = folder / f"{source.stem}.{name}"
        run([windrow, compiler, *flags, source, "-o", program], **variables)
        pes = PES if name == "defer" else [4]
        for n in pes:
            expected.add(run([windrow, "run", "-n", n, program], sentence, WINDROW_DEFER_ALWAYS="1"))
        if name == "defer":
            expected.add(run([windrow, "run", "-n", 4, program], sentence))
            expected.add(run([windrow, "run", "-n", 4, program], sentence, PLAIN_CONTEXT="1"))
            # Loads that travel, and no records without a call.
            expected.add(run([windrow, "run", "-n", 3, program], sentence, WINDROW_DIRECT_LOADS="0"))
            expected.add(run([windrow, "run", "-n", 2, program], sentence, SHMEM_DEBUG="1"))
            # Little memory for what waits: bodies run while others are opened.
            expected.add(run([windrow, "run", "-n", 4, program], sentence, WINDROW_DEFER_LIMIT="20000", WINDROW_DEFER_ALWAYS="1"))
    if len(expected) != 1:
        sys.exit(f"{source.name} does not always print the same: {expected}")


def main(windrow, *sources):
    with tempfile.TemporaryDirectory() as folder:
        for source in map(pathlib.Path, sources):
            check(windrow, source, pathlib.Path(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
