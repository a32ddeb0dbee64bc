#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures small_operations.c with Windrow and, where it is installed, with Open MPI's OpenSHMEM, on the same machine
in the same run, in turns, and prints the medians over all runs with their ratio.

  compare.py --windrow BUILD/bin/windrow [--runs 5] [--repetitions 7] [--factor 1.0] [--json FILE]

Run it on an otherwise idle machine with at least two cores.
"""

import argparse
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import tempfile

SOURCE = pathlib.Path(__file__).parent / "small_operations.c"
# Its exit code is not reliable (finalizing can fail with openib); its printed numbers are.
OPEN_MPI = ["--allow-run-as-root", "--oversubscribe", "--mca", "btl", "^openib", "-n", "2"]


def build(name, compiler, folder):
    program = folder / f"small_operations.{name}"
    subprocess.run([*compiler, "-O2", "-std=c11", "-D_GNU_SOURCE", str(SOURCE), "-o", str(program)], check=True)
    return str(program)


def implementations(arguments, folder):
    windrow = str(arguments.windrow.resolve())
    found = {"windrow": [windrow, "run", "-n", "2", build("windrow", [windrow, "cc"], folder)]}
    oshcc, oshrun = shutil.which("oshcc"), shutil.which("oshrun")
    if oshcc and oshrun and "open" in subprocess.run([oshrun, "--version"], capture_output=True, text=True).stdout.lower():
        found["open_mpi"] = [oshrun, *OPEN_MPI, build("open_mpi", [oshcc], folder)]
    else:
        print("Open MPI's oshcc is not installed: Windrow alone", file=sys.stderr)
    return found


def run(command, arguments):
    output = subprocess.run([*command, str(arguments.repetitions), str(arguments.factor)], capture_output=True, text=True,
                            timeout=600, env={**os.environ, "OMPI_MCA_mpi_yield_when_idle": "0"})
    lines = [json.loads(line) for line in output.stdout.splitlines() if line.startswith("{")]
    if not lines:
        sys.exit(f"{command[0]} printed no numbers:\n{output.stdout}{output.stderr}")
    return {(line["operation"], line["bytes"]): line["ns"] for line in lines}


def rate(operation, size, ns):
    return f"{size / ns:8.2f} GB/s" if operation.endswith(("_stream", "_shifted")) and size >= 4096 else f"{ns:10.1f} ns"


def print_table(medians):
    names = list(medians)
    print(f"{'operation':<12} {'bytes':>8}  " + "  ".join(f"{n:>14}" for n in names)
          + ("  Windrow's rate / Open MPI's" if len(names) > 1 else ""))
    for key in medians["windrow"]:
        row = "  ".join(f"{rate(*key, medians[n][key]):>14}" for n in names)
        ratio = f"  {medians['open_mpi'][key] / medians['windrow'][key]:8.2f}" if len(names) > 1 else ""
        print(f"{key[0]:<12} {key[1]:>8}  {row}{ratio}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--windrow", type=pathlib.Path, required=True, help="the windrow command of the build to measure")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--repetitions", type=int, default=7)
    parser.add_argument("--factor", type=float, default=1.0, help="scales the lengths of the loops")
    parser.add_argument("--json", type=pathlib.Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        commands = implementations(arguments, pathlib.Path(folder))
        results = {name: [] for name in commands}
        for _ in range(arguments.runs):
            for name, command in commands.items():
                results[name].append(run(command, arguments))
    medians = {name: {key: statistics.median(r[key] for r in runs) for key in runs[0]} for name, runs in results.items()}
    print_table(medians)
    if arguments.json:
        rows = [{"implementation": name, "operation": key[0], "bytes": key[1], "ns": ns}
                for name, values in medians.items() for key, ns in values.items()]
        arguments.json.write_text("".join(json.dumps(row) + "\n" for row in rows))


main()
