#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Instructions per aggregated increment and per message, sender and owner together.

Counts, with valgrind's callgrind, a histogram of one PE (which is both sides) with two numbers of operations; the
difference has neither start nor end in it. Usage: bench/instructions.py [BUILD_DIRECTORY]"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build/release")
UPDATES = ["bench_updates", "--kernels", "histogram"]
MAILBOX = ["bench_mailbox"]


def instructions(bench, variant, operations, repetitions):
    """Instructions of a run of `bench` with nothing but `variant`."""
    with tempfile.TemporaryDirectory() as scratch:
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={scratch}/out",
             str(build / "libexec/windrow" / bench[0]), *bench[1:], "--entries", "1000", "--operations", str(operations),
             "--repetitions", str(repetitions), "--only", variant],
            env={**os.environ, "WINDROW_SYMMETRIC_SIZE": "64M", "WINDROW_DIRECT_UPDATES": "0"}, stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL, text=True, check=False)
        if done.returncode != 0:
            sys.exit(done.stderr)
        return int(re.search(r"Collected : (\d+)", done.stderr).group(1))


def per_operation(bench, variant, operations=200_000):
    """What one repetition more costs, divided by its operations."""
    more, less = (instructions(bench, variant, operations, repetitions) for repetitions in (3, 2))
    return (more - less) / operations


for program, names in ((UPDATES, ("plain loop, own part", "aggregated", "places known, aggregated")),
                       (MAILBOX, ("stream", "mailbox (T)", "mailbox (T, pe_t)", "mailbox (span, pe_t)",
                                  "mailbox (courier, T)", "mailbox of spans", "selector, request and reply"))):
    for name in names:
        print(f"{name}: {per_operation(program, name):.1f}")
