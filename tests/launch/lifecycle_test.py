# SPDX-License-Identifier: BSD-3-Clause
"""Processes that PEs fork, and jobs that end in every way, many times: nothing is left of any.

`lifecycle_test.py COUNT` runs COUNT jobs instead of 200."""
import os
import random
import signal
import sys
import time
import unittest

from support import LIFE, WINDROW, JobTest, read_reports

COUNT = int(sys.argv.pop(1)) if len(sys.argv) > 1 and sys.argv[1].isdigit() else 200
BUDGET_SECONDS = 20  # unless a count is given
GIVEN = COUNT != 200


class ForkedChildren(JobTest):
    def check(self, *actions, **options):
        done = self.windrow_run(3, LIFE, *actions, **options)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_child_that_exits_is_no_pe(self):
        self.check("meet", "1:child_exits", "meet", "child_exits", "meet")

    def test_child_that_returns_from_main_is_no_pe(self):
        self.check("meet", "child_returns", "meet")

    def test_child_of_a_pe_with_workers(self):
        self.check("meet", "child_returns", "meet", env={"WINDROW_WORKERS": "3"})

    def test_child_of_a_pe_of_a_self_launched_job(self):
        done = self.run_command(LIFE, "meet", "child_exits", "child_returns", "meet", env={"WINDROW_PES": "3"})
        self.assertEqual((done.returncode, done.stderr), (0, ""))


class ManyJobs(JobTest):
    """Scenarios at random; what they end with is known. Shared memory and sockets have no names: they last no longer
    than processes, and check_nothing_is_left finds those."""

    def quietly(self, pes, *actions):
        self.assertEqual(self.windrow_run(pes, LIFE, *actions).returncode, 0)

    def failing(self, pes, code, *actions):
        self.assertEqual(self.windrow_run(pes, LIFE, *actions).returncode, code)

    def killed(self, pes, generator):
        launcher = self.start(WINDROW, "run", "-n", str(pes), LIFE, "report", "meet", "hang")
        pids = read_reports(launcher, pes)
        os.kill(generator.choice(pids), signal.SIGKILL)
        self.assertEqual(self.finish(launcher)[0], 137)

    def launcher_killed(self, pes, _):
        launcher = self.start(WINDROW, "run", "-n", str(pes), LIFE, "report", "meet", "hang")
        read_reports(launcher, pes)
        launcher.kill()
        self.finish(launcher)

    def killed_at_any_time(self, pes, generator):
        launcher = self.start(WINDROW, "run", "-n", str(pes), LIFE, "meet", "hang")
        time.sleep(generator.uniform(0, 0.02))
        launcher.kill()
        self.finish(launcher)

    def one(self, generator):
        pes = generator.randint(1, 4)
        pe = generator.randrange(pes)
        generator.choice([
            lambda: self.quietly(pes, "meet"),
            lambda: self.quietly(pes, "meet", f"{pe}:child_exits", "meet"),
            lambda: self.quietly(pes, "meet", "child_returns", "meet"),
            lambda: self.quietly(pes, "meet", f"{pe}:leave_child", "finalize"),
            lambda: self.failing(pes, 1, "meet", f"{pe}:throw", "meet"),
            lambda: self.failing(pes, 1, "meet", f"{pe}:exit0", "meet"),
            lambda: self.failing(pes, 7, "meet", f"{pe}:exit7", "hang"),
            lambda: self.failing(pes, 139, "meet", f"{pe}:segv", "hang"),
            lambda: self.killed(pes, generator),
            lambda: self.launcher_killed(pes, generator),
            lambda: self.killed_at_any_time(pes, generator),
        ])()

    def test_nothing_is_left(self):
        seed = random.randrange(1 << 32)
        generator = random.Random(seed)
        end = time.monotonic() + BUDGET_SECONDS
        ran = 0
        with self.subTest(seed=seed):
            while ran < COUNT and (GIVEN or time.monotonic() < end):
                self.one(generator)
                ran += 1
        print(f"{ran} jobs, seed {seed}", file=sys.stderr)


if __name__ == "__main__":
    unittest.main()
