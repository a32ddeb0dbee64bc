#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs the tests that are jobs of several PEs once more, started by the launcher of an MPI, on this machine.

Left out are
- jobs of one PE, which have nobody to reach over anything;
- simulated networks (WINDROW_SIM), which are refused under a launcher, since they make hosts of their own;
- with --hosts, tests of addresses of other PEs' memory (shmem_ptr), since there are none between hosts;
- of the tests of WINDROW_BULK all but the random streams with all its parts, which do nothing else with MPI;
- with MPI, what begins OpenSHMEM again after its end, and what bounds memory, which MPI takes too;
- what is to be refused, which ends a job before it is one;
- tests that start their jobs themselves, because how these start, end or fail is what they are about (tests/launch,
  tests/misuse, bench and the like): those about MPI are tests/launch/foreign_test.py, hosts_test.py and tests/hosts."""
import argparse
import concurrent.futures
import itertools
import json
import os
import pathlib
import re
import subprocess
import sys
import time

# Open MPI starts in half the time if it does not look for ways to other machines.
QUICKLY = {"OMPI_MCA_plm": "isolated", "OMPI_MCA_hwloc_base_binding_policy": "none"}
# Once in a thousand jobs Open MPI 4 takes a process that has finalized for one that has not (open-mpi/ompi 7833): such a job runs again.
MISTAKEN = re.compile(r"exited due to process rank \d+ with PID 0 on\s+node \S+ exiting improperly")
NOT_OVER_MPI = r"shmem\.again\b|bench\.job_start\b|faults\.refused\b|apps\.tasks\.too_large\b|bulk\.(?!random\.(here|overlap)\b)"
NOT_BETWEEN_HOSTS = r"shmem\.(setup|work_arrays|environment)\b"


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", metavar="BUILD_FOLDER", type=pathlib.Path)
    parser.add_argument("regex", metavar="REGEX", nargs="?", default="", help="only tests whose names match")
    parser.add_argument("--mpi", metavar="LAUNCHER", help="mpirun.openmpi or mpiexec.mpich; both if it is not given")
    parser.add_argument("--hosts", metavar="N", type=int, default=1,
                        help="as if on so many hosts, with no shared memory between them: all that crosses goes by MPI")
    parser.add_argument("--cases", metavar="TEXT", help="only those cases of a conformance program whose names contain this")
    return parser.parse_args()


GIVEN = arguments()
os.environ.setdefault("WINDROW_COMMAND", str(GIVEN.build / "bin/windrow"))
os.environ.setdefault("WINDROW_LIFE", str(GIVEN.build / "bin/launch_life"))
os.environ.setdefault("WINDROW_MODULES", str(GIVEN.build / "src"))
from mpi import CONSENT, RANK, WITH_MODULE  # pylint: disable=wrong-import-position


def jobs():
    """Name, PEs, the words after them, environment and time limit of each test that can be started so."""
    shown = subprocess.run(["ctest", "--test-dir", str(GIVEN.build), "--show-only=json-v1"], capture_output=True, text=True,
                           check=True)
    for test in json.loads(shown.stdout)["tests"]:
        words, name = test.get("command", []), test["name"]
        if words[1:3] != ["run", "-n"] or not re.search(GIVEN.regex, name) or not os.path.exists(words[4]):
            continue
        properties = {p["name"]: p["value"] for p in test.get("properties", [])}
        variables = dict(v.split("=", 1) for v in properties.get("ENVIRONMENT", []))
        if words[3] == "1" or "WINDROW_SIM" in variables or re.match(NOT_OVER_MPI, name):
            continue
        if GIVEN.hosts > 1 and re.match(NOT_BETWEEN_HOSTS, name):
            continue
        yield name, words[3], words[4:] + ([GIVEN.cases] if GIVEN.cases else []), variables, properties.get("TIMEOUT", 300)


def spread(launcher, program):
    """The words that start the program on the host of its rank."""
    if GIVEN.hosts == 1:
        return program
    return ["sh", "-c", f'export WINDROW_HOST=host$(({RANK[launcher]} % {GIVEN.hosts})); exec "$0" "$@"', *program]


def start(launcher, job):
    """What it prints if it fails, else nothing."""
    _, pes, program, variables, limit = job
    try:
        done = subprocess.run([launcher, "-n", pes, *spread(launcher, program)], capture_output=True, text=True,
                              timeout=limit, check=False,
                              env={**os.environ, **CONSENT, **QUICKLY, **variables, "WINDROW_TRANSPORT": "mpi"})
    except subprocess.TimeoutExpired:
        return f"not done after {limit} s"
    return done.stdout[-2000:] + done.stderr[-2000:] if done.returncode else ""


def passes(launcher, job):
    name = job[0]
    begin = time.monotonic()
    complaint = start(launcher, job)
    if MISTAKEN.search(complaint):
        print(f"{launcher} {name}: said that a process had not finalized; again", flush=True)
        complaint = start(launcher, job)
    print(f"{launcher} {name}: {complaint or 'passed'}, {time.monotonic() - begin:.1f} s", flush=True)
    return not complaint


def main():
    launchers = [launcher for launcher in WITH_MODULE if GIVEN.mpi in (None, launcher)]
    if not launchers:
        print("skipped: no such MPI was there when the modules were built")
        sys.exit(77)
    chosen = list(jobs())
    if not chosen:
        sys.exit("no test has such a name, or none is built")
    # One job starts or ends while another one computes; but between hosts each waits for answers, which would come late.
    with concurrent.futures.ThreadPoolExecutor(1 if GIVEN.hosts > 1 else 2) as pool:
        results = list(pool.map(lambda work: passes(*work), itertools.product(launchers, chosen)))
    sys.exit(f"{results.count(False)} of {len(results)} failed" if False in results else 0)


main()
