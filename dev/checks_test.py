# SPDX-License-Identifier: BSD-3-Clause
"""That no part is left out without a word: each is taken away in turn."""
import contextlib
import io
import shutil
import subprocess
import unittest
from unittest import mock

import build
import checks
import oldest_tools
import parts
import results
from progress import Bar

PROGRAMS = {"clang-format": "clang-format-19", "clang-19": "clang++-19", "clang-16": "clang++-16", "openmpi": "mpirun.openmpi",
            "mpich": "mpiexec.mpich", "name-spaces": "unshare", "distant-hosts": "nsenter", "slurm": "slurmd", "charts": "gnuplot",
            "compressed-graphs": "zstd", "models": "g++", "serialized-objects": "g++", "onetbb": "g++", "build-systems": "meson",
            "docs-site": "mkdocs", "gdb": "gdb",
            "address-sanitizer": "clang++-19", "clang-tidy": "clang-tidy-19", "thread-sanitizer": "clang++-19",
            "arm64": "qemu-aarch64"}

MODULES = {"result-files": "jsonschema", "networkx": "networkx"}


class Options(unittest.TestCase):
    def refused(self, *arguments):
        said = self.enterContext(contextlib.redirect_stderr(io.StringIO()))
        with self.assertRaises(SystemExit):
            checks.parse(arguments)
        return said.getvalue()

    def test_a_bad_expression_is_a_sentence(self):
        self.assertIn("( is no regular expression: missing )", self.refused("-R", "("))

    def test_of_two_choices_none_is_ignored(self):
        self.assertIn("not allowed with", self.refused("-R", "a", "--room", "mobile"))
        self.assertIn("not allowed with", self.refused("--quick", "--all"))


class Parts(unittest.TestCase):
    def setUp(self):
        self.results = results.Results(Bar({}, out=io.StringIO()))
        self.said = self.enterContext(contextlib.redirect_stdout(io.StringIO()))
        self.enterContext(mock.patch.object(checks.packages, "missing", return_value=[]))

    def without_program(self, name):
        """As on a machine that has everything but this program."""
        here = lambda tool: None if tool == name else f"/usr/bin/{tool}"
        done = subprocess.CompletedProcess([], 0, "", "")
        return mock.patch.multiple(shutil, which=mock.Mock(side_effect=here)), \
            mock.patch.object(parts.subprocess, "run", return_value=done)

    def leave_out(self, *arguments):
        return checks.leave_out(checks.parse(arguments), parts.ALL, self.results)

    def test_every_part_has_its_program_here(self):
        self.assertEqual(set(PROGRAMS) | {*MODULES, "oldest-tools"}, set(parts.NAMES))

    def test_a_missing_program_is_named(self):
        for part in parts.ALL:
            if part.name in PROGRAMS:
                which, run = self.without_program(PROGRAMS[part.name])
                with self.subTest(part.name), which, run:
                    self.assertEqual(part.why_not(), f"{PROGRAMS[part.name]} is not installed")

    def test_a_missing_module_is_named(self):
        for name, module in MODULES.items():
            part = parts.ALL[parts.NAMES.index(name)]
            with mock.patch.object(parts.importlib.util, "find_spec", return_value=None):
                self.assertRegex(part.why_not(), f"has no module {module}$")

    def test_a_cmake_that_cannot_be_had_is_named(self):
        failed = subprocess.CompletedProcess([], 1, "", "")
        with mock.patch.object(oldest_tools.os.path, "exists", return_value=False), \
             mock.patch.object(shutil, "which", return_value="/usr/bin/g++-11"), \
             mock.patch.object(oldest_tools.subprocess, "run", return_value=failed):
            self.assertEqual(parts.ALL[parts.NAMES.index("oldest-tools")].why_not(), f"pip cannot get cmake {oldest_tools.VERSION}")

    def test_what_is_left_out_is_in_the_last_lines(self):
        for name, program in PROGRAMS.items():
            which, run = self.without_program(program)
            with which, run:
                self.assertIn(name, self.leave_out())
            self.assertEqual(self.results.summary(), 0)
            self.assertRegex(self.said.getvalue(), rf"left out: {name} \(.*\): {program.replace('+', '.')} is not installed")
            self.assertRegex(self.said.getvalue().splitlines()[-1], r"^\d+ passed, 0 failed, \d+ skipped$")

    def test_complete_makes_it_a_failure(self):
        which, run = self.without_program("slurmd")
        with which, run:
            self.leave_out("--complete")
        self.assertIn("part slurm", self.results.failed)
        self.assertIn("--complete: slurm (jobs of Slurm's srun) was left out: slurmd is not installed", self.said.getvalue())

    def test_what_is_left_out_on_purpose_is_no_failure(self):
        which, run = self.without_program("slurmd")
        with which, run, mock.patch.object(parts, "ALL", [part for part in parts.ALL if part.name == "slurm"]):
            self.assertEqual(self.leave_out("--complete", "--without", "slurm"), {"slurm"})
        self.assertEqual(self.results.failed, [])

    def test_a_part_that_cmake_has_not_found_is_a_failure(self):
        for part in parts.ALL:
            found = [p.name for p in parts.ALL if p is not part]
            self.results.failed.clear()
            with mock.patch.object(build, "parts", return_value=set(found)), mock.patch.object(build, "build"), \
                 mock.patch.object(build, "lock", contextlib.nullcontext):
                checks.build_of("release")(self.results, set())
            self.assertEqual(self.results.failed, [f"part {part.name}"] if part.in_build else [])

    def test_a_part_of_which_no_test_ran_is_a_failure(self):
        for part in parts.ALL:
            self.results.ran = {p.name: 1 for p in parts.ALL if p is not part}
            self.results.failed.clear()
            checks.complain_of_idle_parts(set(), self.results)
            self.assertEqual(self.results.failed, [f"part {part.name}"] if part.in_build else [])


if __name__ == "__main__":
    unittest.main()
