#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""expect_failure.py CODE|any ROUTINE|- COMMAND...: the command must end with this code (any: not with 0, nor by a
signal) and, if a routine is given, say one sentence on one line that names it and the PE."""

import re
import subprocess
import sys

code, routine, command = sys.argv[1], sys.argv[2], sys.argv[3:]
run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=50)
print(run.stdout, end="")
if code != "any" and run.returncode != int(code):
    sys.exit(f"exit code {run.returncode}, not {code}")
if run.returncode == 0 or run.returncode < 0 or run.returncode >= 128:
    sys.exit(f"exit code {run.returncode} is none of an orderly failure")
if routine != "-" and not any(re.search(rf"\b{routine}\b", line) and re.search(r"\bPE -?\d+", line) for line in run.stdout.splitlines()):
    sys.exit(f"no line names both {routine} and the PE")
