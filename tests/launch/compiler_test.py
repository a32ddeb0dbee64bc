# SPDX-License-Identifier: BSD-3-Clause
"""The compiler wrappers as build systems use them: the command lines that they make, and programs made with them."""
import os
import pathlib
import shlex
import subprocess
import tempfile
import unittest

from support import WINDROW, JobTest

BIN = os.path.dirname(WINDROW)
SANITIZED = os.environ.get("WINDROW_SANITIZED") == "1"
RING = """
#include <shmem.h>
#include <stdio.h>
static long seen = -1;
int main(void) {
  shmem_init();
  shmem_long_p(&seen, shmem_my_pe(), (shmem_my_pe() + 1) % shmem_n_pes());
  shmem_barrier_all();
  if (shmem_my_pe() == 0) printf("0 saw %ld\\n", seen);
  shmem_finalize();
  return 0;
}
"""


class WrapperTest(JobTest):
    def setUp(self):
        super().setUp()
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def wrapper(self, name, *words, **options):
        return self.run_command(f"{BIN}/{name}", *words, cwd=self.folder, **options)

    def good(self, name, *words, **options):
        done = self.wrapper(name, *words, **options)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stderr, "")
        return done.stdout

    def shown(self, name, *words, **options):
        return shlex.split(self.good(name, "-show", *words, **options))

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="ascii")

    def script(self, name, line):
        self.write(name, f"#!/bin/sh\n{line}\n")
        (self.folder / name).chmod(0o755)
        return str(self.folder / name)

    def runs(self, program="ring", pes=2):
        done = self.run_command(f"{BIN}/oshrun", "-np", str(pes), f"./{program}", cwd=self.folder)
        self.assertEqual((done.returncode, done.stdout), (0, f"0 saw {pes - 1}\n"), done.stderr)


class UnderlyingCompiler(WrapperTest):
    """A wrapper never takes itself for the compiler, by whatever name."""

    def compiler_of(self, name, **environment):
        return self.shown(name, "-c", "x.c", env=environment)[0]

    def test_build_systems_name_the_wrapper(self):
        usual = self.compiler_of("oshcc")
        for value in ("oshcc", f"{BIN}/oshcc", f"{BIN}/windrow cc", "gcc-9 -m64", "nonsense"):
            self.assertEqual(self.compiler_of("oshcc", CC=value, CXX=value), usual)
        path = f"{BIN}:{os.environ['PATH']}"
        for value in ("oshcc", f"{BIN}/oshcc", f"{BIN}/windrow cc", "ccache oshcc -m64", "env oshcc"):
            shown = self.good("windrow", "cc", "-show", "x.c", env={"CC": value, "PATH": path})
            self.assertEqual(shlex.split(shown)[0], usual)

    def test_own_variable_comes_first(self):
        self.assertEqual(self.compiler_of("oshcc", WINDROW_CC="my-cc", CC="oshcc"), "my-cc")
        self.assertEqual(self.compiler_of("oshc++", WINDROW_CXX="my-c++", CXX="oshc++"), "my-c++")
        words = shlex.split(self.good("windrow", "cc", "-show", "x.c", env={"WINDROW_CC": "a -b", "CC": "c"}))
        self.assertEqual(words[:2], ["a", "-b"])

    def test_recursion_is_one_sentence(self):
        script = self.script("mycc", f'exec {BIN}/oshcc "$@"')
        for value in (f"{BIN}/oshcc", f"ccache {BIN}/oshcc", script):
            done = self.wrapper("oshcc", "-c", "ring.c", env={"WINDROW_CC": value})
            self.assertEqual(done.returncode, 1)
            self.assertEqual(done.stderr, f"windrow: WINDROW_CC='{value}' leads back to Windrow's own wrapper: "
                                          "name the compiler behind it\n")

    def test_scripts_that_start_the_wrapper(self):
        """CC names a script that starts what is started with it: the compiler is the default one."""
        self.write("ring.c", RING)
        for start in (f"{BIN}/oshcc", f"{BIN}/windrow cc"):
            script = self.script("mycc", f'exec {start} -DFROM_SCRIPT "$@"')
            self.assertEqual(self.good("windrow", "cc", "ring.c", "-o", "ring", env={"CC": script}), "")
            self.runs()
            done = self.run_command(script, "ring.c", "-o", "ring", cwd=self.folder, env={"CC": script})
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_other_names(self):
        """Links to links, and a copy of the installation."""
        (self.folder / "mycc").symlink_to(f"{BIN}/oshcc")
        (self.folder / "my++").symlink_to("second")
        (self.folder / "second").symlink_to(f"{BIN}/oshc++")
        self.write("ring.c", RING)
        for name, source in (("mycc", "ring.c"), ("my++", "ring.c")):
            done = self.run_command(f"{self.folder}/{name}", source, "-o", "ring", cwd=self.folder,
                                    env={"CC": str(self.folder / name), "CXX": str(self.folder / name)})
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.runs()
        path = f"{self.folder}:{os.environ['PATH']}"
        shown = subprocess.run(["mycc", "-show", "x.c"], env={**os.environ, "PATH": path}, capture_output=True, text=True,
                               check=True).stdout
        self.assertIn("-lwindrow", shown)

    def test_make(self):
        """The usual makefile: CC on the command line is in the environment of what make starts."""
        self.write("ring.c", RING)
        self.write("Makefile", "ring: ring.o\n\t$(CC) $(LDFLAGS) -o $@ ring.o $(LDLIBS)\n")
        environment = {"PATH": f"{BIN}:{os.environ['PATH']}"}
        for words in (["CC=oshcc"], [f"CC={BIN}/oshcc", "CFLAGS=-std=c99"]):
            done = self.run_command("make", "-B", *words, cwd=self.folder, env=environment)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.runs()


if __name__ == "__main__":
    unittest.main()
