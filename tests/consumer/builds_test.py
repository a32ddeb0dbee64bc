# SPDX-License-Identifier: BSD-3-Clause
"""Small OpenSHMEM projects (builds/) with each build system, that know of Windrow only the names of its wrappers."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

BIN = os.environ["WINDROW_BIN"]
HERE = pathlib.Path(__file__).resolve().parent


def needs(*programs):
    missing = [program for program in programs if not shutil.which(program)]
    return unittest.skipIf(missing, f"skipped: {', '.join(missing)} is not installed")


class Builds(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name, "builds")
        shutil.copytree(HERE / "builds", self.root)
        # As build systems have it: the wrapper's name in CC while it runs.
        self.environment = {**os.environ, "PATH": f"{BIN}:{os.environ['PATH']}", "CC": "oshcc", "CXX": "oshc++"}

    def run_in(self, folder, *command):
        done = subprocess.run(command, cwd=self.root / folder, env=self.environment, text=True, timeout=120,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(done.returncode, 0, done.stdout)
        return done.stdout

    def runs(self, folder, *programs):
        for program in programs or ("program", "program++"):
            self.assertEqual(self.run_in(folder, "oshrun", "-np", "3", f"./{program}"), "PEs 3\n")

    @needs("make")
    def test_make(self):
        self.run_in("make", "make", "CC=oshcc", "CXX=oshc++")
        self.runs("make")

    @needs("cmake", "make")
    def test_cmake(self):
        self.run_in("cmake", "cmake", "-B", "build", "-DCMAKE_C_COMPILER=oshcc", "-DCMAKE_CXX_COMPILER=oshc++",
                    "-DCMAKE_SHARED_LINKER_FLAGS=-Wl,--no-undefined")
        self.run_in("cmake", "cmake", "--build", "build")
        self.runs("cmake/build")

    @needs("autoconf", "make")
    def test_autoconf(self):
        self.run_in("autoconf", "autoconf")
        self.run_in("autoconf", "./configure", "CC=oshcc", "CXX=oshc++", "CFLAGS=-O1")
        self.run_in("autoconf", "make")
        self.runs("autoconf")

    @needs("meson", "ninja")
    def test_meson(self):
        shutil.copy(self.root / "meson" / "meson.build", self.root)
        self.run_in(".", "meson", "setup", "build_meson")
        self.run_in(".", "ninja", "-C", "build_meson")
        self.runs("build_meson")


if __name__ == "__main__":
    unittest.main(verbosity=2)
