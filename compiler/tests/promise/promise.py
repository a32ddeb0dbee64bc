#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""promise.py WINDROW PROGRAM...: with SHMEM_DEBUG=1 each program ends with the sentence that stands in it behind "says:",
or, with "says nothing", as without. Which version ran is counted, also where the library chooses by the gain: "near:" says which."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile


def run(command, **variables):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, timeout=100,
                          env=dict(os.environ, WINDROW_STALL_SECONDS="60", WINDROW_STALL_ABORT="1", **variables))


def check(condition, what, done):
    if not condition:
        sys.exit(f"{what}: exit code {done.returncode}\n{done.stdout}{done.stderr}")


def counts(windrow, program, deferred, written, **variables):
    done = run([windrow, "run", "-n", 2, program], WINDROW_STATS="1", **variables)
    table = re.search(r"functions with #pragma shmem defer\n.*\n.*\n.*1\s+(\d+)\s+(\d+)", done.stderr)
    check(done.returncode == 0 and table and [int(n) for n in table.groups()] == [deferred, written],
          f"{program.name} with {variables} should be deferred {deferred} times, run as written {written}", done)


def main(windrow, *sources):
    with tempfile.TemporaryDirectory() as folder:
        for source in map(pathlib.Path, sources):
            program = pathlib.Path(folder) / source.stem
            built = run([windrow, "c++" if source.suffix == ".cpp" else "cc", "-fdefer", "-O2", source, "-o", program])
            check(built.returncode == 0, source.name, built)
            sentence = re.search("says: (.*)", source.read_text(encoding="utf-8"))
            for pes in (1, 3):
                done = run([windrow, "run", "-n", pes, program], SHMEM_DEBUG="1")
                if sentence:
                    check(done.returncode != 0 and re.search(sentence.group(1), done.stderr), source.name, done)
                    continue
                check(done.returncode == 0 and done.stdout == run([windrow, "run", "-n", pes, program]).stdout,
                      source.name, done)
            if not sentence:
                near = re.search("near: (deferred|as written)", source.read_text(encoding="utf-8"))[1]
                counts(windrow, program, *((1, 0) if near == "deferred" else (0, 1)))
                counts(windrow, program, 1, 0, LARGE="1")
                counts(windrow, program, 1, 0, WINDROW_DEFER_ALWAYS="1")
                counts(windrow, program, 1, 0, WINDROW_DIRECT_LOADS="0")
                counts(windrow, program, 0, 1, WINDROW_DEFER_ALWAYS="1", PLAIN_CONTEXT="1")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
