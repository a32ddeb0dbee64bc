# SPDX-License-Identifier: BSD-3-Clause
"""Jobs that an exception leaves while tasks are alive: those end, then the program goes on.

Usage: unwinding_test.py WINDROW PROGRAM"""
import os
import subprocess
import sys
import unittest

WINDROW, PROGRAM = sys.argv[1:]


class Unwinding(unittest.TestCase):
    def check(self, name, ended, pes=(1, 2, 4), workers=(1, 2)):
        for n in pes:
            for w in workers:
                with self.subTest(pes=n, workers=w):
                    job = subprocess.run([WINDROW, "run", "-n", str(n), PROGRAM, name], capture_output=True, text=True,
                                         timeout=30, env={**os.environ, "WINDROW_WORKERS": str(w)})
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


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
