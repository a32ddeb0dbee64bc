#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Instructions per aggregated increment and read, per fetch with what follows it, and per message, sender and owner together, and
per direct operation.

Counts, with valgrind's callgrind, work of one PE (which is both sides) with two numbers of operations; the
difference has neither start nor end in it. Usage: bench/instructions.py [BUILD_DIRECTORY]"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build/release")
UPDATES = ["bench_updates", "--entries", "1000", "--kernels", "histogram"]
READS = ["bench_updates", "--entries", "1000", "--kernels", "gather"]
DEFER = ["bench_defer", "--places", "1000", "--kernels", "histogram"]
DEFERRED_READS = ["bench_defer", "--places", "1000", "--kernels", "gather"]
MAILBOX = ["bench_mailbox", "--entries", "1000"]


def instructions(program, *arguments):
    """Instructions of a run of `program` with these arguments."""
    with tempfile.TemporaryDirectory() as scratch:
        done = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={scratch}/out", str(build / "libexec/windrow" / program),
             *arguments],
            env={**os.environ, "WINDROW_SYMMETRIC_SIZE": "64M", "WINDROW_DIRECT_UPDATES": "0"}, stderr=subprocess.PIPE,
            stdout=subprocess.DEVNULL, text=True, check=False)
        if done.returncode != 0:
            sys.exit(done.stderr)
        return int(re.search(r"Collected : (\d+)", done.stderr).group(1))


def per_operation(bench, variant, operations=200_000):
    """What one repetition of nothing but `variant` more costs, divided by its operations."""
    more, less = (instructions(*bench, "--operations", str(operations), "--repetitions", str(repetitions), "--only", variant)
                  for repetitions in (3, 2))
    return (more - less) / operations


def per_direct_operation(name, operations=10_000):
    """What one more direct operation costs, the loop around it included."""
    return (instructions("direct_operations", name, str(2 * operations)) -
            instructions("direct_operations", name, str(operations))) / operations


for title, program, names in (
        ("increments", UPDATES, ("plain loop, own part", "aggregated", "places known, aggregated")),
        ("reads", READS, ("blocking", "aggregated")),
        ("increments with what follows", DEFER, ("then", "coroutine")),
        ("reads with what follows", DEFERRED_READS, ("then", "coroutine")),
        ("messages", MAILBOX, ("stream", "mailbox (T)", "mailbox (T, pe_t)", "mailbox (span, pe_t)", "mailbox (courier, T)",
                               "mailbox of spans", "selector, request and reply"))):
    for name in names:
        print(f"{title}, {name}: {per_operation(program, name):.1f}")

loop = per_direct_operation("empty loop")
listed = subprocess.run([build / "libexec/windrow/direct_operations"], capture_output=True, text=True, check=True).stdout
for name in listed.splitlines():
    if name != "empty loop":
        print(f"{name}: {per_direct_operation(name) - loop:.1f}")
