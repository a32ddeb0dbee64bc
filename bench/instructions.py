#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Instructions per aggregated increment, sender and owner together.

Counts, with valgrind's callgrind, a histogram of one PE (which is both sides) with two numbers of operations; the
difference has neither start nor end in it. Usage: bench/instructions.py [BUILD_DIRECTORY]"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build/release")
program = build / "libexec/windrow/bench_updates"


def instructions(variant, operations, repetitions):
    """Instructions inside and below the timed functions of `variant`."""
    with tempfile.TemporaryDirectory() as scratch:
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={scratch}/out", str(program), "--entries", "1000",
             "--operations", str(operations), "--repetitions", str(repetitions), "--kernels", "histogram", "--only",
             variant],
            env={**os.environ, "WINDROW_SYMMETRIC_SIZE": "64M", "WINDROW_DIRECT_UPDATES": "0"}, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL,
            text=True, check=False)
        if done.returncode != 0:
            sys.exit(done.stderr)
        return int(re.search(r"Collected : (\d+)", done.stderr).group(1))


def per_operation(variant, operations=200_000):
    """What one repetition more costs, divided by its operations."""
    more, less = (instructions(variant, operations, repetitions) for repetitions in (3, 2))
    return (more - less) / operations


for name in ("plain", "aggregated", "places known"):
    print(f"{name}: {per_operation(name):.1f}")
