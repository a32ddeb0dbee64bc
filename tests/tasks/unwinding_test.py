# SPDX-License-Identifier: BSD-3-Clause
"""Jobs that an exception leaves while tasks are alive: those end, then the program goes on.

Usage: unwinding_test.py WINDROW PROGRAM"""
import itertools
import os
import subprocess
import sys
import unittest

WINDROW, PROGRAM = sys.argv[1:]


class Unwinding(unittest.TestCase):
    def run_job(self, name, pes, workers, **environment):
        return subprocess.run([WINDROW, "run", "-n", str(pes), PROGRAM, name], capture_output=True, text=True, timeout=30, check=False,
                              env={**os.environ, "WINDROW_WORKERS": str(workers), "WINDROW_STALL_SECONDS": "20", "WINDROW_STALL_ABORT": "1", **environment})

    def check(self, name, ended, pes=(1, 2, 4), workers=(1, 2)):
        for n in pes:
            for w in workers:
                with self.subTest(pes=n, workers=w):
                    job = self.run_job(name, n, w)
                    self.assertEqual(job.returncode, 3, job.stdout + job.stderr)
                    self.assertRegex(job.stdout, rf"^thrown, {ended} ended\n$")
                    self.assertRegex(job.stderr, r"^windrow: PE 0 \(pid \d+\) ended with exit code 3.*\n$")

    def test_light_thread_that_waits_for_calls(self):
        self.check("light_thread", 50)

    def test_tasks_that_wait_for_calls(self):
        self.check("tasks", 1000)

    def test_tree_of_one_pe(self):
        self.check("tree", 511, pes=(1,))

    def test_tree_that_others_steal_from(self):
        self.check("tree", r"\d+", pes=(2, 4))

    def test_worker_that_waits_for_a_stolen_task(self):
        self.check("stolen", 1, pes=(2,), workers=(2,))

    def test_calls_of_mobile_objects(self):
        """Who waits for a result hears that none comes."""
        for name in ("objects", "objects_of_all_workers"):
            self.check(name, r"\d+")

    def test_signals_that_are_under_way(self):
        self.check("signals", 0, pes=(2, 4))

    def test_a_task_that_nobody_lets_go_on(self):
        for pes, workers in itertools.product((1, 2), (1, 2)):
            with self.subTest(pes=pes, workers=workers):
                job = self.run_job("gate", pes, workers, WINDROW_STALL_SECONDS="1", WINDROW_STALL_ABORT="0")
                self.assertNotEqual(job.returncode, 0)
                self.assertIn("ending the job because an exception has left the code that made it", job.stderr)
                self.assertIn("behind the gate", job.stderr)

    def test_one_pe_that_others_wait_for(self):
        """They notice that it has failed, and let it say so."""
        for pes, workers in itertools.product((1, 2, 4), (1, 3)):
            with self.subTest(pes=pes, workers=workers):
                job = self.run_job("one_pe", pes, workers)
                self.assertNotEqual(job.returncode, 0)
                self.assertIn("thrown, ", job.stdout + job.stderr)
                self.assertNotRegex(job.stderr, "terminate called|killed by signal|no progress|Sanitizer")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
