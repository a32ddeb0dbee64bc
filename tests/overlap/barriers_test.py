#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""barriers_test.py WINDROW CLANG...: which barriers of barriers.c order nothing is known, and the report says exactly that."""
import pathlib
import re
import sys
import unittest

from overlap_case import OverlapCase

CLANGS = sys.argv[2:]
SOURCE = pathlib.Path(__file__).with_name("barriers.c")


def lines_that_are(what):
    return [i for i, line in enumerate(SOURCE.read_text(encoding="ascii").splitlines(), 1) if line.endswith(f"shmem_barrier_all(); // {what}")]


class Barriers(OverlapCase):
    def test_spare_ones_are_named_and_no_others(self):
        self.assertEqual((len(lines_that_are("spare")), len(lines_that_are("needed"))), (10, 43))
        for clang in CLANGS:
            for level in ("-O0", "-O2"):
                with self.subTest(clang, level=level):
                    self.do("cc", "-foverlap", level, "-g", SOURCE, "-o", "prog", CC=clang)
                    self.do("overlap", "record", "--accesses", "-o", "r", "-n", 3, "./prog")
                    text = self.do("overlap", "report", "r").stdout
                    self.assertNotIn("Race", text)
                    named = re.findall(r"barriers\.c:(\d+)(?:<\d+)*: this barrier alone orders nothing", text)
                    self.assertEqual(sorted(map(int, named)), lines_that_are("spare"), text)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
