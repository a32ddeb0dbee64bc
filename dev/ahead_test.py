# SPDX-License-Identifier: BSD-3-Clause
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import ahead
import build

# The file is named before it is complete, as by a compiler.
BUILD_NINJA = """
rule slow
  command = touch out && cat pipe && echo complete > out
build out: slow
"""


class Ahead(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.enterContext(mock.patch.object(build, "ROOT", folder.name))
        self.folder = pathlib.Path(folder.name, "build", "release")
        self.folder.mkdir(parents=True)
        self.folder.joinpath("build.ninja").write_text(BUILD_NINJA, encoding="utf-8")
        self.folder.joinpath("CMakeCache.txt").write_text(f"CMAKE_HOME_DIRECTORY:INTERNAL={folder.name}\n", encoding="utf-8")
        self.folder.joinpath("machine.txt").write_text(build.machine("release"), encoding="utf-8")
        os.mkfifo(self.folder / "pipe")

    def test_what_is_unfinished_is_ended_and_built_anew(self):
        with ahead.working([("build", "release", "out")]):
            writer = os.open(self.folder / "pipe", os.O_WRONLY)  # waits for the command
        with self.assertRaises(BrokenPipeError):
            os.write(writer, b"nobody reads any more")
        os.close(writer)
        self.assertFalse(self.folder.joinpath("out").exists())
        os.remove(self.folder / "pipe")
        self.folder.joinpath("pipe").touch()
        build.build("release", ["out"], lambda fraction: None)
        self.assertEqual(self.folder.joinpath("out").read_text(encoding="utf-8"), "complete\n")

    def test_it_ends_with_the_run_that_it_is_ahead_of(self):
        script = (f"import sys; sys.path.insert(0, {os.path.dirname(ahead.__file__)!r}); import ahead, build; build.ROOT = {build.ROOT!r}\n"
                  "with ahead.working([('build', 'release', 'out')]): input()")
        with subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE) as run:
            writer = os.open(self.folder / "pipe", os.O_WRONLY)
            run.kill()
        with self.assertRaises(BrokenPipeError):
            while True:
                os.write(writer, b"somebody reads still")
        os.close(writer)

    def test_what_is_finished_stays(self):
        with ahead.working([("build", "release", "out")]):
            os.close(os.open(self.folder / "pipe", os.O_WRONLY))
            with build.lock("release"):  # it has ended
                self.assertEqual(self.folder.joinpath("out").read_text(encoding="utf-8"), "complete\n")

    def test_a_failure_is_left_to_the_build(self):
        self.folder.joinpath("build.ninja").write_text(BUILD_NINJA.replace("cat pipe", "false"), encoding="utf-8")
        with ahead.working([("build", "release", "out")]):
            pass
        with self.assertRaisesRegex(build.Failure, "the release build failed"):
            build.build("release", ["out"], lambda fraction: None)

    def test_work_goes_on_behind_a_failure(self):
        self.folder.joinpath("build.ninja").write_text(BUILD_NINJA + "rule fail\n  command = false\nbuild never: fail\n", encoding="utf-8")
        with ahead.working([("build", "release", "never"), ("build", "release", "out")]):
            os.close(os.open(self.folder / "pipe", os.O_WRONLY))
            with build.lock("release"):
                self.assertEqual(self.folder.joinpath("out").read_text(encoding="utf-8"), "complete\n")

    def test_builds_do_not_wait_for_tests(self):
        other = self.folder.parent / "asan"
        other.mkdir()
        os.mkfifo(other / "pipe")
        (other / "CTestTestfile.cmake").write_text(f"add_test(waits cat {other}/pipe)\n", encoding="utf-8")
        with ahead.working([("tests", "asan", "a run", []), ("build", "release", "out")]):
            test = os.open(other / "pipe", os.O_WRONLY)  # waits for the test
            os.close(os.open(self.folder / "pipe", os.O_WRONLY))
            with build.lock("release"):
                self.assertEqual(self.folder.joinpath("out").read_text(encoding="utf-8"), "complete\n")
        with self.assertRaises(BrokenPipeError):
            while True:
                os.write(test, b"somebody reads still")
        os.close(test)


if __name__ == "__main__":
    unittest.main()
