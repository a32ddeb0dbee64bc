#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Instructions per aggregated increment and read, per fetch with what follows it, and per message, sender and owner together, and per
direct operation; with `defer`, per operation of each row of `windrow bench defer`.

Counts, with valgrind's callgrind, work of one PE (which is both sides) with two numbers of repetitions or operations; the
difference has neither start nor end in it. Usage: bench/instructions.py [BUILD_DIRECTORY [defer]]"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

build = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build/release")
UPDATES = ["bench_updates", "--entries", "1000", "--kernels"]
DEFER = ["bench_defer", "--places", "1000", "--kernels"]
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
    return per_repetition(*bench, "--operations", str(operations), "--only", variant) / operations


def per_repetition(*arguments):
    more, less = (instructions(*arguments, "--repetitions", str(repetitions)) for repetitions in (3, 2))
    return more - less


def count_deferred(kernel, operations=20_000):
    """Each variant of the kernel, with what checks its result."""
    bench = [*DEFER, kernel, "--scale", "8", "--operations", str(operations)]
    listed = subprocess.run([build / "libexec/windrow" / bench[0], *bench[1:], "--repetitions", "1", "--json"], capture_output=True, text=True,
                            check=True)
    for row in map(json.loads, filter(lambda line: line.startswith("{"), listed.stdout.splitlines())):
        count = row["million_per_second_per_pe"] * 1e6 * row["seconds"][0]
        print(f"{kernel}, {row['variant']}: {per_repetition(*bench, '--only', row['variant']) / count:.1f}", flush=True)


def per_direct_operation(name, operations=10_000):
    """What one more direct operation costs, the loop around it included."""
    return (instructions("direct_operations", name, str(2 * operations)) -
            instructions("direct_operations", name, str(operations))) / operations


if "defer" in sys.argv[2:]:
    os.environ["WINDROW_DIRECT_LOADS"] = "0"  # fetches travel, as they do between hosts
    for kernel in ("transpose", "histogram", "gather", "triangles", "topological_sort"):
        count_deferred(kernel)
    sys.exit()

for title, program, names in (
        ("increments", [*UPDATES, "histogram"], ("plain loop, own part", "aggregated", "places known, aggregated")),
        ("reads", [*UPDATES, "gather"], ("blocking", "aggregated")),
        ("increments with what follows", [*DEFER, "histogram"], ("then", "coroutine")),
        ("reads with what follows", [*DEFER, "gather"], ("then", "coroutine")),
        ("messages", MAILBOX, ("stream", "mailbox (T)", "mailbox (T, pe_t)", "mailbox (span, pe_t)", "mailbox (courier, T)",
                               "mailbox of spans", "selector, request and reply"))):
    for name in names:
        print(f"{title}, {name}: {per_operation(program, name):.1f}")

loop = per_direct_operation("empty loop")
listed = subprocess.run([build / "libexec/windrow/direct_operations"], capture_output=True, text=True, check=True).stdout
for name in listed.splitlines():
    if name != "empty loop":
        print(f"{name}: {per_direct_operation(name) - loop:.1f}")
