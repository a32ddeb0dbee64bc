# SPDX-License-Identifier: BSD-3-Clause
"""Runs jobs and proves that nothing of them is left afterwards."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest
import uuid

WINDROW = os.environ["WINDROW_COMMAND"]
LIFE = os.environ["WINDROW_LIFE"]
LIMIT_SECONDS = 60  # for what must happen; nothing is ever expected not to happen in a time


def processes_with(mark):
    """Pids of the living processes that have `mark` in their environment."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{pid}/environ", "rb") as environ:  # empty for zombies
                if mark.encode() in environ.read():
                    found.append(int(pid))
        except OSError:
            pass  # it has just ended
    return found


class JobTest(unittest.TestCase):
    """Every job is started by `start` or `run`; after each test no process and no shared memory of it may exist."""

    def setUp(self):
        self.mark = f"LAUNCH_TEST_MARK={uuid.uuid4()}"
        self.shared_memory_files = set(os.listdir("/dev/shm"))
        self.addCleanup(self.check_nothing_is_left)

    def check_nothing_is_left(self):
        deadline = time.monotonic() + LIMIT_SECONDS
        while (left := processes_with(self.mark)) and time.monotonic() < deadline:
            time.sleep(0.01)
        for pid in left:
            os.kill(pid, 9)
        self.assertEqual(left, [], "processes left behind")
        new = set(os.listdir("/dev/shm")) - self.shared_memory_files
        self.assertEqual([name for name in new if "windrow" in name.lower()], [])

    def temporary_folder(self):
        """Which goes with the test."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        return pathlib.Path(folder.name)

    def environment(self, **more):
        name, value = self.mark.split("=")
        plain = {k: v for k, v in os.environ.items() if not k.startswith("WINDROW_")}
        return {**plain, name: value, **more}

    def start(self, *command, env=None, **options):
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env=self.environment(**(env or {})), **options)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        return process

    def run_command(self, *command, env=None, **options):
        return subprocess.run(command, capture_output=True, text=True, env=self.environment(**(env or {})),
                              timeout=LIMIT_SECONDS, **options)

    def windrow_run(self, pes, *words, **options):
        return self.run_command(WINDROW, "run", "-n", str(pes), *words, **options)

    def start_life(self, pes, *actions):
        """A job whose PEs report and then act; returns the launcher and the PEs' pids."""
        launcher = self.start(WINDROW, "run", "-n", str(pes), LIFE, "report", "meet", *actions)
        return launcher, read_reports(launcher, pes)

    def finish(self, launcher):
        output, errors = launcher.communicate(timeout=LIMIT_SECONDS)
        return launcher.returncode, output, errors


def main():
    """unittest's, but that a run of which all was skipped says so to ctest."""
    result = unittest.main(exit=False).result
    if result.skipped and len(result.skipped) >= result.testsRun:
        sys.exit(77)
    sys.exit(0 if result.wasSuccessful() else 1)


def read_reports(launcher, pes):
    pids = {}
    while len(pids) < pes:
        pe, count, pid = re.fullmatch(r"PE (\d+) of (\d+) is (\d+)\n", launcher.stdout.readline()).groups()
        assert int(count) == pes
        pids[int(pe)] = int(pid)
    return [pids[pe] for pe in range(pes)]
