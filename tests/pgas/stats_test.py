#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""WINDROW_STATS=1 prints one row of counters for each PE, and they add up."""
import os
import subprocess
import sys
import unittest

WINDROW, PROGRAM = sys.argv[1:3]


class Stats(unittest.TestCase):
    def test_table(self):
        job = subprocess.run([WINDROW, "run", "-n", "3", PROGRAM], capture_output=True, text=True, timeout=60,
                             env={**os.environ, "WINDROW_STATS": "1"})
        self.assertEqual(job.returncode, 0, job.stderr)
        lines = job.stderr.splitlines()
        self.assertIn("counters", lines[0])
        self.assertEqual([line.split()[0] for line in lines[2:5]], ["0", "1", "2"])
        self.assertEqual(len(lines), 5)
        self.assertLessEqual(max(map(len, lines)), 140)
        out, into = (sum(float(line.split()[column].rstrip("k")) for line in lines[2:5]) for column in (2, 3))
        self.assertGreater(out, 0)
        self.assertAlmostEqual(out, into, delta=out * 0.001)

    def test_silent_by_default(self):
        job = subprocess.run([WINDROW, "run", "-n", "2", PROGRAM], capture_output=True, text=True, timeout=60)
        self.assertEqual((job.returncode, job.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
