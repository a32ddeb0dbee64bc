#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Instructions per round of the loops in constructs.c, with `#pragma shmem defer` and without, and of the version that runs where memory is
shared: the table of docs/defer-costs.md.

Counts, with valgrind's callgrind, a job of one PE with two numbers of rounds; the difference has neither start nor end in it.
Usage: bench/constructs.py [BUILD_DIRECTORY [NAME...]]"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build/clang")
FEW, MANY = 2000, 6000


def run(program, name, rounds, always):
    """(instructions, what it prints), deferred also where that costs more."""
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, name, str(rounds)], text=True,
                          capture_output=True, check=True, env={**os.environ, "WINDROW_SYMMETRIC_SIZE": "16M", "WINDROW_DEFER_ALWAYS": str(int(always))})
    return int(re.search(r"Collected : (\d+)", done.stderr)[1]), done.stdout


def per_round(program, name, always=True):
    (more, result), (less, _) = (run(program, name, rounds, always) for rounds in (MANY, FEW))
    return (more - less) / (MANY - FEW), result


with tempfile.TemporaryDirectory() as folder:
    programs = {}
    for variant, flags in (("deferred", ["-fdefer"]), ("blocking", ["-DBLOCKING"])):
        programs[variant] = f"{folder}/{variant}"
        subprocess.run([build / "bin/windrow", "cc", "-O2", *flags, pathlib.Path(__file__).with_name("constructs.c"), "-o", programs[variant]],
                       check=True)
    names = sys.argv[2:] or subprocess.run([programs["deferred"]], capture_output=True, text=True, check=True).stdout.split()
    for name in names:
        (deferred, result), (blocking, expected) = (per_round(programs[variant], name) for variant in ("deferred", "blocking"))
        if result != expected:
            sys.exit(f"{name} leaves something else with the directive")
        chosen, _ = per_round(programs["deferred"], name, always=False)
        print(f"{name:20} deferred {deferred:7.1f}  blocking {blocking:7.1f}  chosen {chosen:7.1f}", flush=True)
