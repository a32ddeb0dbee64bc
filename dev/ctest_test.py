# SPDX-License-Identifier: BSD-3-Clause
import contextlib
import io
import os
import pathlib
import tempfile
import unittest
from unittest import mock

import build
import ctest
import results
from progress import Bar

# A program in place of ctest: the tests whose numbers it is given pass, but for those of a name that is in the file `failing`.
CTEST = """#!/usr/bin/env python3
import json, pathlib, sys
folder = pathlib.Path(__file__).parent
if "--show-only=json-v1" in sys.argv:
    tests = [{"name": name, "properties": [{"name": "LABELS", "value": ["long"] * ("long" in name)}]} for name in NAMES]
    print(json.dumps({"tests": tests, "backtraceGraph": {"nodes": [], "files": []}}))
    sys.exit()
cases = ""
for number in sys.argv[-1].split(",")[3:]:
    name = NAMES[int(number) - 1]
    fails = name in (folder / "failing").read_text()
    print(f"1/1 Test #{number}: {name} ......", "***Failed  0.1 sec\\nwhat it said" if fails else "   Passed  0.1 sec")
    with open(folder / "ran", "a") as file:
        file.write(name + "\\n")
    cases += f'<testcase name="{name}" status="{"fail" if fails else "run"}"/>'
if "--output-junit" in sys.argv:
    pathlib.Path(sys.argv[sys.argv.index("--output-junit") + 1]).write_text(f"<testsuite>{cases}</testsuite>")
"""
NAMES = ["a_test.2", "a_test.3", "b_test.2", "c_test.long"]


class Chosen(unittest.TestCase):
    def test_sanitizers_see_the_smallest_number_of_pes_above_two(self):
        names = ["a_test.1", "a_test.2", "a_test.3", "a_test.8", "b_test", "c.1.1", "c.1.3", "c.2.1", "d.1.workers2", "d.2.workers2", "d.4.workers2", "e.0", "f.3"]
        chosen = ctest.one_number_of_pes([{"name": name} for name in names])
        self.assertEqual([test["name"] for test in chosen],
                         ["a_test.3", "b_test", "c.1.3", "c.2.1", "d.4.workers2", "e.0", "f.3"])


class Run(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.folder.joinpath("build", "asan").mkdir(parents=True)
        tool = self.folder / "ctest"
        tool.write_text(CTEST.replace("NAMES", repr(NAMES)), encoding="utf-8")
        tool.chmod(0o755)
        self.enterContext(mock.patch.object(build, "ROOT", folder.name))
        self.enterContext(mock.patch.dict(os.environ, PATH=f"{folder.name}:{os.environ['PATH']}"))
        self.said = self.enterContext(contextlib.redirect_stdout(io.StringIO()))
        self.results = results.Results(Bar({}, out=io.StringIO()))
        self.let_fail("")

    def let_fail(self, name):
        self.folder.joinpath("failing").write_text(name, encoding="utf-8")

    def ran(self):
        path = self.folder / "ran"
        names = build.read(path).split()
        path.unlink(missing_ok=True)
        return names

    def run_all(self):
        return ctest.run("asan", ctest.chosen("asan", set()), self.results)

    def test_all_that_is_chosen_runs(self):
        self.assertEqual(self.run_all(), ["a_test.3", "b_test.2"])
        self.assertEqual((self.ran(), self.results.passed, self.results.failed), (["a_test.3", "b_test.2"], 2, []))

    def test_what_fails_is_named(self):
        self.let_fail("b_test.2")
        self.run_all()
        self.assertEqual((self.results.passed, self.results.failed), (1, ["asan b_test.2"]))
        self.assertIn("what it said", self.said.getvalue())

    def test_what_has_passed_ahead_does_not_run_again(self):
        ctest.run_ahead("asan", ctest.RUN, [])
        self.assertEqual(self.ran(), ["a_test.3", "b_test.2"])
        self.assertEqual(self.run_all(), ["a_test.3", "b_test.2"])
        self.assertEqual((self.ran(), self.results.passed, self.results.failed), ([], 2, []))

    def test_ahead_of_two_steps_all_run_once(self):
        for ran in (["a_test.3", "b_test.2"], []):
            ctest.run_ahead("asan", ctest.RUN, [])
            self.assertEqual(self.ran(), ran)

    def test_what_has_failed_ahead_is_told_and_runs_again(self):
        self.let_fail("b_test.2")
        ctest.run_ahead("asan", ctest.RUN, [])
        self.ran()
        self.let_fail("")
        self.run_all()
        self.assertEqual((self.ran(), self.results.passed, self.results.failed), (["b_test.2"], 2, []))
        self.assertRegex(self.said.getvalue(), r"run again:\n.*b_test.2 \.+ \*\*\*Failed.*\nwhat it said\n")

    def test_what_passed_in_an_earlier_run_runs_again(self):
        ctest.run_ahead("asan", "0", [])
        self.ran()
        self.run_all()
        self.assertEqual(self.ran(), ["a_test.3", "b_test.2"])


if __name__ == "__main__":
    unittest.main()
