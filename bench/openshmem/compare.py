#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Measures a program of this folder with Windrow and, where they are installed, with Open MPI's OpenSHMEM and with MPICH
(the programs that have a form for MPI), on the same machine in the same run, in turns. Prints the medians over all runs, and
those of the ratios of neighbouring runs.

  compare.py PROGRAM --windrow BUILD/bin/windrow [-n 2] [--runs 5] [--repetitions 7] [--factor 1.0] [--of used] [--json FILE]

PROGRAM is small_operations, message_rate or collectives. Run it on an otherwise idle machine with at least two cores.
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

HERE = pathlib.Path(__file__).parent
WITH_MPI = {"collectives"}
OPEN_MPI = ["--allow-run-as-root", "--oversubscribe", "--mca", "btl", "^openib"]
TITLES = {"open_mpi": "Open MPI", "mpich": "MPICH"}


def build(arguments, name, compiler, folder):
    program = folder / f"{arguments.program}.{name}"
    source = HERE / f"{arguments.program}.c"
    subprocess.run([*compiler, "-O2", "-std=c11", "-D_GNU_SOURCE", str(source), "-o", str(program)], check=True)
    return str(program)


def implementations(arguments, folder):
    windrow, pes = str(arguments.windrow.resolve()), ["-n", str(arguments.n)]
    found = {"windrow": [windrow, "run", *pes, build(arguments, "windrow", [windrow, "cc"], folder)]}
    oshcc, oshrun = shutil.which("oshcc"), shutil.which("oshrun")
    if oshcc and oshrun and "open" in subprocess.run([oshrun, "--version"], capture_output=True, text=True).stdout.lower():
        found["open_mpi"] = [oshrun, *OPEN_MPI, *pes, build(arguments, "open_mpi", [oshcc], folder)]
    else:
        print("Open MPI's oshcc is not installed", file=sys.stderr)
    mpicc, mpiexec = shutil.which("mpicc.mpich"), shutil.which("mpiexec.mpich")
    if mpicc and mpiexec and arguments.program in WITH_MPI:
        found["mpich"] = [mpiexec, *pes, build(arguments, "mpich", [mpicc, "-DUSE_MPI"], folder)]
    return found


def run(command, arguments):
    # The exit code of Open MPI's programs is not reliable (finalizing can fail with openib); the printed numbers are.
    output = subprocess.run([*command, str(arguments.repetitions), str(arguments.factor)], capture_output=True, text=True,
                            timeout=600, env={**os.environ, "OMPI_MCA_mpi_yield_when_idle": "0"})
    lines = [json.loads(line) for line in output.stdout.splitlines() if line.startswith("{")]
    if not lines:
        sys.exit(f"{command[0]} printed no numbers:\n{output.stdout}{output.stderr}")
    if arguments.of not in lines[0]:
        sys.exit(f"{arguments.program} does not measure '{arguments.of}'")
    return {(line["operation"], line["bytes"]): line[arguments.of] for line in lines}


def rate(operation, size, ns):
    return f"{size / ns:8.2f} GB/s" if operation.endswith(("_stream", "_shifted")) and size >= 4096 else f"{ns:10.1f} ns"


def median(runs, key):
    return statistics.median(r[key] for r in runs)


def ratio(theirs, ours, key, theirs_key=None):
    """How many times as fast ours are: the median of the ratios of runs that were neighbours."""
    return statistics.median(t[theirs_key or key] / o[key] for t, o in zip(theirs, ours))


def print_table(results):
    ours = results["windrow"]
    limited = any(operation == "copy" for operation, _ in ours[0])
    heads = [f"{'operation':<12} {'bytes':>9}", *(f"{name:>14}" for name in results)]
    heads += [f"{'rate / ' + TITLES[name]:>16}" for name in results if name in TITLES] + ["  limit / time"] * limited
    print("  ".join(heads))
    for key in ours[0]:
        cells = [f"{key[0]:<12} {key[1]:>9}", *(f"{rate(*key, median(runs, key)):>14}" for runs in results.values())]
        cells += [f"{ratio(results[name], ours, key):16.2f}" for name in results if name in TITLES]
        if limited:
            cells.append(f"{ratio(ours, ours, key, ('copy', key[1])):14.2f}")
        print("  ".join(cells))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", choices=["small_operations", "message_rate", "collectives"])
    parser.add_argument("--windrow", type=pathlib.Path, required=True, help="the windrow command of the build to measure")
    parser.add_argument("-n", type=int, default=2, metavar="PES", help="of collectives")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--repetitions", type=int, default=7)
    parser.add_argument("--factor", type=float, default=1.0, help="scales the lengths of the loops")
    parser.add_argument("--of", choices=["ns", "least", "used"], default="ns",
                        help="what is compared of each run: the median of its repetitions (ns), their best (least), or the median of "
                             "processors' time (used; of all PEs in collectives, of PE 0 in message_rate), which says most on a "
                             "machine that does other things")
    parser.add_argument("--json", type=pathlib.Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        commands = implementations(arguments, pathlib.Path(folder))
        results = {name: [] for name in commands}
        for _ in range(arguments.runs):
            for name, command in commands.items():
                results[name].append(run(command, arguments))
    print_table(results)
    if arguments.json:
        rows = [{"implementation": name, "operation": key[0], "bytes": key[1], "ns": median(runs, key)}
                for name, runs in results.items() for key in runs[0]]
        arguments.json.write_text("".join(json.dumps(row) + "\n" for row in rows))


main()
