#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Runs tests that are jobs of several PEs once more, started by the launcher of each MPI there is a module for, on this host:
over_mpi.py BUILD_FOLDER [REGEX]. Without a regular expression for names, all of them."""
import json
import os
import pathlib
import re
import subprocess
import sys

BUILD = pathlib.Path(sys.argv[1])
os.environ.setdefault("WINDROW_COMMAND", str(BUILD / "bin/windrow"))
os.environ.setdefault("WINDROW_LIFE", str(BUILD / "bin/launch_life"))
os.environ.setdefault("WINDROW_MODULES", str(BUILD / "src"))
from mpi import CONSENT, WITH_MODULE  # pylint: disable=wrong-import-position


def jobs(pattern):
    """Name, PEs, the words after them, environment and time limit of each test that `windrow run` starts."""
    shown = subprocess.run(["ctest", "--test-dir", str(BUILD), "--show-only=json-v1"], capture_output=True, text=True,
                           check=True)
    for test in json.loads(shown.stdout)["tests"]:
        words = test.get("command", [])
        if words[1:3] != ["run", "-n"] or not re.search(pattern, test["name"]) or not os.path.exists(words[4]):
            continue
        properties = {p["name"]: p["value"] for p in test.get("properties", [])}
        variables = dict(v.split("=", 1) for v in properties.get("ENVIRONMENT", []))
        yield test["name"], words[3], words[4:], variables, properties.get("TIMEOUT", 300)


def passes(launcher, job):
    name, pes, program, variables, limit = job
    try:
        done = subprocess.run([launcher, "-n", pes, *program], capture_output=True, text=True, timeout=limit, check=False,
                              env={**os.environ, **CONSENT, **variables, "WINDROW_TRANSPORT": "mpi"})
        complaint = done.stdout[-2000:] + done.stderr[-2000:] if done.returncode else ""
    except subprocess.TimeoutExpired:
        complaint = f"not done after {limit} s"
    print(f"{launcher} {name}: {complaint or 'passed'}", flush=True)
    return not complaint


def main():
    if not WITH_MODULE:
        sys.exit("skipped: no MPI was there when the modules were built")
    chosen = list(jobs(sys.argv[2] if len(sys.argv) > 2 else ""))
    if not chosen:
        sys.exit("no test has such a name, or none is built")
    results = [passes(launcher, job) for launcher in WITH_MODULE for job in chosen]
    sys.exit(f"{results.count(False)} of {len(results)} failed" if False in results else 0)


main()
