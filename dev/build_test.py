# SPDX-License-Identifier: BSD-3-Clause
import os
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
        self.folder.joinpath("machine.txt").write_text(build.machine("release"), encoding="utf-8")

    def build(self):
        """How often progress was made."""
        seen = []
        build.build("release", ["out"], seen.append)
        return len(seen)

    def test_a_failing_build_shows_what_the_compiler_said_and_nothing_else(self):
        self.prepare("echo line 7: error: no such thing; false")
        with self.assertRaises(build.Failure) as caught:
            self.build()
        self.assertIn("line 7: error", str(caught.exception))
        self.assertNotIn(build.PROGRESS, str(caught.exception))

    def test_a_good_build_passes_and_nothing_is_shown_when_nothing_is_to_be_done(self):
        self.prepare("touch out")
        self.assertEqual(self.build(), 1)
        self.assertTrue(self.folder.joinpath("out").exists())
        self.assertEqual(self.build(), 0)

    def test_clang_allocates_in_large_pages_but_what_the_user_says_counts(self):
        command = "echo $$GLIBC_TUNABLES > out"
        for compiler, said, wanted in (("/usr/bin/c++", {}, ""), ("/usr/bin/clang++-19", {}, "glibc.malloc.hugetlb=1"),
                                       ("/usr/bin/clang++-19", {"GLIBC_TUNABLES": "glibc.malloc.check=0"}, "glibc.malloc.check=0")):
            with mock.patch.dict(os.environ, said):
                self.prepare(command)
                with self.folder.joinpath("CMakeCache.txt").open("a", encoding="utf-8") as file:
                    file.write(f"CMAKE_CXX_COMPILER:FILEPATH={compiler}\n")
                self.folder.joinpath("out").unlink(missing_ok=True)
                self.build()
            self.assertEqual(self.folder.joinpath("out").read_text(encoding="utf-8").strip(), wanted)

    def test_a_build_folder_that_was_copied_along_is_configured_anew(self):
        self.prepare("touch out", home="/somewhere/else")
        self.assertFalse(build.configured("release"))
        self.prepare("touch out")
        self.assertTrue(build.configured("release"))

    def test_a_build_folder_without_its_ninja_file_is_configured_anew(self):
        self.prepare("touch out")
        self.folder.joinpath("build.ninja").unlink()
        self.assertFalse(build.configured("release"))

    def test_a_machine_that_has_changed_since_is_looked_at_again(self):
        self.prepare("touch out")
        with mock.patch.dict(os.environ, {"CMAKE_PREFIX_PATH": "/opt/spack/fmt"}):
            self.assertFalse(build.configured("release"))
        self.assertTrue(build.configured("release"))

    def test_without_cmake_one_sentence_says_what_is_missing(self):
        with mock.patch.dict(os.environ, {"PATH": self.root}), self.assertRaises(build.Failure) as caught:
            build.build("release", [], lambda _: None)
        self.assertEqual(str(caught.exception),
                         "cmake and ninja-build and g++ must be installed first: docs/install.md says what a build needs")

    def test_a_second_invocation_waits_for_the_first(self):
        script = f"import build; build.ROOT = {self.root!r}\nwith build.lock(): print('in')"
        with build.lock():
            second = subprocess.Popen([sys.executable, "-c", script], cwd=HERE, stdout=subprocess.PIPE,
                                      stderr=subprocess.PIPE, text=True)
            self.assertIn("waiting", second.stderr.readline())
            self.assertIsNone(second.poll())
        said, _ = second.communicate()
        self.assertEqual(said, "in\n")

    def test_a_checkout_that_cannot_be_written_is_a_sentence(self):
        lock = pathlib.Path(self.root, "build", ".lock")
        lock.unlink(missing_ok=True)
        lock.mkdir()  # even root cannot open it as a file
        with self.assertRaisesRegex(build.Failure, r"/build/\.lock: Is a directory; a checkout builds in its own folder"), build.lock():
            pass

    def test_an_empty_choice_of_compiler_is_none(self):
        with mock.patch.dict(os.environ, {"CXX": " "}):
            self.assertEqual(build.missing_tools(), [])

    def test_the_build_keeps_its_compiler_unless_another_is_named(self):
        with mock.patch.dict(os.environ, {"CC": "true"}):  # whatever is there
            self.prepare("touch out")
        with mock.patch.dict(os.environ):
            os.environ.pop("CC", None)
            self.assertTrue(build.configured("release"))
            self.assertEqual(build.compilers("release")["CC"], "true")
        with mock.patch.dict(os.environ, {"CC": "false"}):
            self.assertFalse(build.configured("release"))
            with build.without_compilers():
                self.assertTrue(build.configured("release"))
            self.assertEqual(os.environ["CC"], "false")

    def test_a_compiler_that_is_not_there_is_named_and_nothing_is_touched(self):
        self.prepare("touch out")
        with mock.patch.dict(os.environ, {"CC": "gcc-99 -m64"}):
            with self.assertRaisesRegex(build.Failure, "^CC: no program 'gcc-99' is in PATH; CC names the compiler that Windrow itself"):
                build.configure("release")
        self.assertTrue(build.configured("release"))

    def test_a_build_that_cannot_be_configured_is_configured_anew_the_next_time(self):
        self.prepare("touch out")
        tools = pathlib.Path(self.root, "tools")
        tools.mkdir()
        tools.joinpath("cmake").write_text(f"#!/bin/sh\necho CMAKE_HOME_DIRECTORY:INTERNAL={self.root} >"
                                           f" {self.folder}/CMakeCache.txt\nexit 1\n", encoding="utf-8")
        tools.joinpath("cmake").chmod(0o755)
        with mock.patch.dict(os.environ, {"PATH": f"{tools}:{os.environ['PATH']}"}):
            with self.assertRaises(build.Failure):
                build.configure("release")
        self.assertFalse(build.configured("release"))

    def test_a_disk_that_is_too_small_is_said_at_once(self):
        self.folder.joinpath("large").write_bytes(b"x" * 1000000)
        with mock.patch.object(build.shutil, "disk_usage", return_value=mock.Mock(free=1000000)):
            build.ensure_room(2)
            with self.assertRaisesRegex(build.Failure, r"build needs 0\.0 GB; it has 0\.0 GB, and the disk has 0\.0 GB free: make room"):
                build.ensure_room(3)


if __name__ == "__main__":
    unittest.main()
