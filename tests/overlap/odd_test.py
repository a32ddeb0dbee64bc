#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""odd_test.py WINDROW CLANG: programs of unusual kinds (odd_programs.py) compute with a plan what they compute without, on the transport that
does everything as late as it may."""
import sys
import unittest

import odd_programs
from overlap_case import OverlapCase

CLANG = sys.argv[2]
LEVELS = ("-O0", "-O3", "-O2")


class Odd(OverlapCase):
    def compare(self, file, level, *arguments):
        compiler = "c++" if file.endswith("cpp") else "cc"
        chosen = {"CXX" if compiler == "c++" else "CC": CLANG.replace("clang-", "clang++-") if compiler == "c++" else CLANG}
        self.do(compiler, "-foverlap", level, file, "-o", "recorded", **chosen)
        self.do("overlap", "record", "-o", "r", "-n", 2, "./recorded")
        self.assertNotIn("Race", self.do("overlap", "report", "r").stdout)
        self.write("plan.json", self.do("overlap", "plan", "r", "--all", "--approve", "all").stdout)
        self.assertEqual(self.do(compiler, "-foverlap-plan=plan.json", level, file, "-o", "prog", **chosen).stderr, "")
        for pes in (2, 3):
            expected = sorted(self.do("run", "-n", pes, "./recorded", *arguments).stdout.splitlines())
            self.assertEqual(len(expected), pes)
            for seed in ("1", "2"):
                late = self.do("run", "-n", pes, "./prog", *arguments, WINDROW_ADVERSARY=seed).stdout.splitlines()
                self.assertEqual(sorted(late), expected)

    def checked(self):
        said = self.do("overlap", "check", "-n", 2, "./prog").stderr
        return int(said.split("transfers and quiets put off")[0].split()[-1])

    def test_results_are_those_of_the_program(self):
        for i, (name, extension, source) in enumerate(odd_programs.PROGRAMS):
            with self.subTest(name, level=LEVELS[i % len(LEVELS)]):
                file = f"{name}.{extension}"
                arguments = ["1"] if name in odd_programs.WITH_OTHER_INPUT else []
                self.write(file, source)
                self.compare(file, LEVELS[i % len(LEVELS)], *arguments)
                self.assertGreater(self.checked(), 0)

    def test_programs_in_which_nothing_may_be_put_off(self):
        for name, extension, source in odd_programs.AS_THEY_ARE:
            with self.subTest(name):
                file = f"{name}.{extension}"
                self.write(file, source)
                self.compare(file, "-O2", "1")
                self.assertIn("has put nothing off", self.do("overlap", "check", "-n", 2, "./prog", code=1).stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
