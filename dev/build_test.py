# SPDX-License-Identifier: BSD-3-Clause
import contextlib
import io
import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import build

HERE = pathlib.Path(__file__).resolve().parent

BUILD_NINJA = """
rule print
  command = {command}
  description = compiling
build out: print
"""


class build_test(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name
        self.folder = pathlib.Path(folder.name, "build", "release")
        self.folder.mkdir(parents=True)
        self.enterContext(mock.patch.object(build, "ROOT", self.root))

    def prepare(self, command, home=None):
        self.folder.joinpath("build.ninja").write_text(BUILD_NINJA.format(command=command), encoding="utf-8")
        self.folder.joinpath("CMakeCache.txt").write_text(f"CMAKE_HOME_DIRECTORY:INTERNAL={home or self.root}\n",
                                                          encoding="utf-8")

    def build(self):
        with contextlib.redirect_stderr(io.StringIO()):
            build.build("release", ["out"])

    def test_a_failing_build_shows_what_the_compiler_said_and_nothing_else(self):
        self.prepare("echo line 7: error: no such thing; false")
        with self.assertRaises(build.Failure) as caught:
            self.build()
        self.assertIn("line 7: error", str(caught.exception))
        self.assertNotIn(build.PROGRESS, str(caught.exception))

    def test_a_good_build_passes(self):
        self.prepare("touch out")
        self.build()
        self.assertTrue(self.folder.joinpath("out").exists())

    def test_a_build_folder_that_was_copied_along_is_configured_anew(self):
        self.prepare("touch out", home="/somewhere/else")
        self.assertFalse(build.configured("release"))
        self.prepare("touch out")
        self.assertTrue(build.configured("release"))

    def test_a_build_folder_without_its_ninja_file_is_configured_anew(self):
        self.prepare("touch out")
        self.folder.joinpath("build.ninja").unlink()
        self.assertFalse(build.configured("release"))

    def test_a_second_invocation_waits_for_the_first(self):
        script = f"import build; build.ROOT = {self.root!r}\nwith build.lock(): print('in')"
        with build.lock():
            second = subprocess.Popen([sys.executable, "-c", script], cwd=HERE, stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE, text=True)
            self.assertIn("waiting", second.stderr.readline())
            self.assertIsNone(second.poll())
        said, _ = second.communicate()
        self.assertEqual(said, "in\n")


if __name__ == "__main__":
    unittest.main()
