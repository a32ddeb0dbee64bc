#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures how long jobs take that start and end at once, and how much memory their PEs touch.

  job_start.py [--windrow BUILD/bin/windrow] [--pes 2 16 128 1024] [--runs 5]

Jobs of different size take turns. Seconds are medians: from the start of the launcher to its end, and of processors.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

SOURCE = pathlib.Path(__file__).parent / "job_start.c"
WINDROW = pathlib.Path(__file__).parents[2] / "build" / "release" / "bin" / "windrow"


def timed(command):
    """Seconds, and those of processors, of the job with all its processes; what it printed."""
    before, begin = os.times(), time.monotonic()
    output = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300).stdout
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return time.monotonic() - begin, used, output


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--windrow", default=WINDROW, type=pathlib.Path)
    parser.add_argument("--pes", default=[2, 16, 128, 1024], type=int, nargs="+")
    parser.add_argument("--runs", default=5, type=int)
    options = parser.parse_args()
    windrow = str(options.windrow.resolve())
    with tempfile.TemporaryDirectory() as folder:
        program = f"{folder}/start"
        subprocess.run([windrow, "cc", "-O1", str(SOURCE), "-o", program], check=True)
        seconds = {pes: [] for pes in options.pes}
        for _ in range(options.runs):
            for pes, taken in seconds.items():
                taken.append(timed([windrow, "run", "-n", str(pes), program])[:2])
        for pes, taken in seconds.items():
            memory = json.loads(timed([windrow, "run", "-n", str(pes), program, "memory"])[-1])
            whole, used = map(statistics.median, zip(*taken))
            print(f"{pes:5} PEs: {whole:7.3f} s, {used:7.3f} s of processors; each PE touches {memory['kib']:.0f} KiB and "
                  f"{memory['page_tables']:.0f} KiB of page tables")


if __name__ == "__main__":
    main()
