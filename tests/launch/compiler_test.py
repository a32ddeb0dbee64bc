# SPDX-License-Identifier: BSD-3-Clause
"""The compiler wrappers as build systems use them: the command lines that they make, and programs made with them."""
import os
import shlex
import shutil
import subprocess
import sys
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
        self.folder = self.temporary_folder()

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
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertNotIn("windrow:", done.stderr)  # clang warns of C in C++ mode
            self.runs()
        path = f"{self.folder}:{os.environ['PATH']}"
        shown = subprocess.run(["mycc", "-show", "x.c"], env={**os.environ, "PATH": path}, capture_output=True, text=True,
                               check=True).stdout
        self.assertIn("-lwindrow", shown)

    def test_names_of_other_libraries(self):
        for names, shown in ((("oshcc", "shmemcc"), ["-std=c99", "x.c"]),
                             (("oshc++", "oshcxx", "oshCC", "shmemc++", "shmemcxx", "shmemCC"), ["x.cpp"])):
            lines = {self.good(name, "-show", *shown) for name in names}
            self.assertEqual(len(lines), 1, lines)
            self.assertIn("-lwindrow", lines.pop())
        lines = {self.good(name, "-show", "-np", "2", "./x") for name in ("oshrun", "oshexec", "shmemrun")}
        self.assertEqual(lines, {"windrow run -n 2 ./x\n"})

    def test_make(self):
        """The usual makefile: CC on the command line is in the environment of what make starts."""
        self.write("ring.c", RING)
        self.write("Makefile", "ring: ring.o\n\t$(CC) $(LDFLAGS) -o $@ ring.o $(LDLIBS)\n")
        environment = {"PATH": f"{BIN}:{os.environ['PATH']}"}
        for words in (["CC=oshcc"], [f"CC={BIN}/oshcc", "CFLAGS=-std=c99"]):
            done = self.run_command("make", "-B", *words, cwd=self.folder, env=environment)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.runs()


class WhatIsAdded(WrapperTest):
    """Each kind of step gets what it needs, and nothing else."""

    def test_steps_that_do_not_link(self):
        self.write("args.rsp", '-c "a b.c" -I\\ folder\n')
        self.write("nested.rsp", "@args.rsp")
        for words in (["-c", "x.c"], ["-S", "x.c"], ["-E", "x.c"], ["-M", "x.c"], ["-MM", "x.c"], ["-fsyntax-only", "x.c"],
                      ["--compile", "x.c"], ["--preprocess", "x.c"], ["--assemble", "x.c"], ["--dependencies", "x.c"],
                      ["-v"], ["--version"], ["-###"], ["-dumpmachine"], ["-print-search-dirs"],
                      ["-print-prog-name=ld"], ["-o", "x"], ["@args.rsp"], ["@nested.rsp"], ["x.h"], ["-r", "x.o"],
                      ["-Wl,-r", "x.o"], ["-Xlinker", "-r", "x.o"], ["-x", "c-header", "x"]):
            shown = self.shown("oshcc", *words)
            self.assertNotIn("-lwindrow", shown, words)
            self.assertNotIn("-lstdc++", shown, words)

    def test_steps_that_link(self):
        self.write("link.rsp", "x.o y.o -o x")
        for words in (["x.c"], ["-v", "x.c"], ["-###", "x.o"], ["-MD", "-MF", "-c", "x.c"], ["@link.rsp"], ["-flto", "x.o"],
                      ["-static", "x.o"], ["-Xlinker", "-E", "x.o"], ["-lfoo"], ["-x", "c", "-"], ["@missing.rsp"]):
            shown = self.shown("oshcc", *words)
            self.assertIn("-lwindrow", shown, words)
            self.assertEqual([word for word in shown if word in words], words)

    def test_no_standard_but_that_of_windrow(self):
        self.assertFalse([word for word in self.shown("oshc++", "x.cpp") if word.startswith("-std")])
        self.assertIn("-std=gnu++20", self.good("windrow", "c++", "-show", "x.cpp"))

    def test_parts_shown(self):
        compiling, linking = (shlex.split(self.good("oshcc", f"-showme:{part}")) for part in ("compile", "link"))
        self.assertEqual([word[:2] for word in compiling], ["-I", "-p"])
        self.assertIn("-lwindrow", linking)
        self.assertNotIn("-lwindrow", compiling)

    # Before, the compiler was asked for them.
    def test_own_options_in_response_files(self):
        self.write("inner.rsp", "-show")
        self.write("outer.rsp", '@inner.rsp -c "a b.c"')
        self.write("plain.rsp", "-O1")
        shown = shlex.split(self.good("oshcc", "@outer.rsp", "@plain.rsp", "-DX"))
        self.assertEqual(shown[-4:], ["-c", "a b.c", "-O1", "-DX"])
        self.assertEqual(shlex.split(self.good("oshcc", "-show", "-c", "x.c", "@plain.rsp"))[-1], "@plain.rsp")

    def test_version_is_the_compilers(self):
        self.assertRegex(self.good("oshcc", "--version"), "Free Software Foundation|clang")
        self.assertIn("Usage", self.good("oshcc", "--help"))

    def test_every_word_is_the_compilers(self):
        for words in (["--help=target"], ["-Q", "--help=target"], ["-c", "--", "-odd.c"], ["run"], ["-o", "info", "x.c"],
                      ["-v", "--help"]):
            shown = self.shown("oshcc", *words)
            self.assertEqual([word for word in shown if word in words], words)
        if "Free Software Foundation" in self.good("oshcc", "--version"):  # clang has no help of this kind
            self.assertNotIn("WINDROW_CC", self.good("oshcc", "-Q", "--help=warnings"))


@unittest.skipIf(SANITIZED, "what is linked then is another thing")
class Builds(WrapperTest):
    """Programs made in the ways of build systems run."""

    def setUp(self):
        super().setUp()
        self.write("ring.c", RING)

    def made(self, name, *words):
        done = self.wrapper(name, *words)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done

    def test_ways_to_link(self):
        self.made("oshcc", "-c", "ring.c")
        self.made("oshcc", "-r", "ring.o", "-o", "both.o")
        self.write("link.rsp", "both.o -o ring")
        for words in (["both.o", "-o", "ring"], ["@link.rsp"], ["-flto", "-O2", "ring.c", "-o", "ring"],
                      ["-static", "ring.c", "-o", "ring"], ["-rdynamic", "ring.c", "-o", "ring"],
                      ["-static-libgcc", "-Wl,--as-needed", "ring.c", "-o", "ring"]):
            self.made("oshcc", *words)
            self.runs()

    def test_with_the_address_sanitizer(self):
        """The library has been compiled without it, and tells it all the same on which stack light threads throw."""
        self.write("throws.cpp", """
          #include <windrow/windrow.hpp>
          #include <cstdio>
          #include <stdexcept>
          void fail(int depth) {
            char text[200];
            std::snprintf(text, sizeof text, "%d", depth);
            windrow::yield();
            if (depth == 0) throw std::runtime_error(text);
            fail(depth - 1);
          }
          int main(int argc, char** argv) {
            windrow::job job(argc, argv);
            windrow::finish([] {
              windrow::spawn([] {
                for (int depth = 0; depth < 9; ++depth)
                  try { fail(depth); } catch (const std::exception& e) { std::fputs(e.what(), stdout); }
              });
            });
            std::puts(" right");
          }
        """)
        for compiler in filter(shutil.which, ("g++", "clang++-19")):
            done = self.wrapper("windrow", "c++", "-g", "-fsanitize=address", "throws.cpp", "-o", "throws", env={"WINDROW_CXX": compiler})
            self.assertEqual(done.returncode, 0, done.stderr)
            done = self.run_command("./throws", cwd=self.folder)
            self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "000000000 right\n", ""), compiler)

    def test_one_copy_for_a_program_and_its_libraries(self):
        """The routines are the program's, so a put in one library is seen by the other, whoever calls shmem_init."""
        self.write("put.c", """
          #include <shmem.h>
          long in_library = -1;
          void put(void) { shmem_long_p(&in_library, shmem_my_pe(), (shmem_my_pe() + 1) % shmem_n_pes()); }
        """)
        self.write("begin.c", "#include <shmem.h>\nvoid begin(void) { shmem_init(); }\n")
        self.write("main.c", """
          #include <shmem.h>
          #include <stdio.h>
          extern long in_library;
          void begin(void), put(void);
          int main(void) {
            begin();
            put();
            shmem_barrier_all();
            if (shmem_my_pe() == 0) printf("0 saw %ld\\n", shmem_long_g(&in_library, 0));
            shmem_finalize();
            return 0;
          }
        """)
        for options in ([], ["-Wl,--no-undefined"], ["-Wl,-z,defs"]):
            for part in ("put", "begin"):
                self.made("oshcc", "-shared", "-fPIC", *options, f"{part}.c", "-o", f"lib{part}.so")
                symbols = subprocess.run(["nm", "-D", "--defined-only", self.folder / f"lib{part}.so"], text=True,
                                         capture_output=True, check=True).stdout
                self.assertNotIn("shmem", symbols)
            self.made("oshcc", "main.c", "-L.", "-lput", "-lbegin", "-Wl,-rpath,$ORIGIN", "-o", "ring")
            self.runs()

    def test_modules_opened_later(self):
        self.write("module.c", """
          #include <shmem.h>
          int members(void) { shmem_team_t team; shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, shmem_n_pes(), 0, 0, &team);
            return shmem_team_n_pes(team); }
        """)
        self.write("main.c", """
          #include <dlfcn.h>
          #include <shmem.h>
          #include <stdio.h>
          int main(void) {
            shmem_init();
            void* module = dlopen("./module.so", RTLD_NOW);
            if (!module) return puts(dlerror()), 1;
            const int members = ((int (*)(void))dlsym(module, "members"))();
            if (shmem_my_pe() == 0) printf("0 saw %d\\n", members - 1);
            shmem_finalize();
            return 0;
          }
        """)
        self.made("oshcc", "-shared", "-fPIC", "module.c", "-o", "module.so")
        self.made("oshcc", "-rdynamic", "main.c", "-o", "ring")
        self.runs()

    def test_modules_of_programs_without_windrow(self):
        """A module of Python, told by its name, and one that asks for the library, wherever in the line, have it."""
        self.write("module.c", RING.replace("int main", "int ring"))
        for name, options in (("ring.abi3.so", []), ("ring.cpython-311-x86_64-linux-gnu.so", ["-Wl,-z,defs"]),
                              ("ring.so", ["-lwindrow"])):
            self.made("oshcc", "-shared", "-fPIC", *options, "module.c", "-o", name)
            done = self.run_command(f"{BIN}/oshrun", "-np", "2", sys.executable, "-c",
                                    f"import ctypes; ctypes.CDLL('./{name}').ring()", cwd=self.folder)
            self.assertEqual((done.returncode, done.stdout), (0, "0 saw 1\n"), done.stderr)

    @unittest.skipUnless(shutil.which("gfortran"), "skipped: gfortran is not installed")
    def test_fortran_that_binds_c(self):
        """Interfaces of its own; saved variables and common blocks are symmetric."""
        self.write("ring.f90", """
          program ring
            use, intrinsic :: iso_c_binding
            implicit none
            interface
              subroutine shmem_init() bind(C)
              end subroutine
              subroutine shmem_finalize() bind(C)
              end subroutine
              subroutine shmem_barrier_all() bind(C)
              end subroutine
              integer(c_int) function shmem_my_pe() bind(C)
                import
              end function
              subroutine shmem_long_p(to, value, pe) bind(C)
                import
                integer(c_long) :: to
                integer(c_long), value :: value
                integer(c_int), value :: pe
              end subroutine
            end interface
            integer(c_long), save :: seen = -1
            integer(c_long) :: shared
            common /cells/ shared
            call shmem_init()
            call shmem_long_p(seen, int(shmem_my_pe(), c_long), 1 - shmem_my_pe())
            call shmem_long_p(shared, int(shmem_my_pe(), c_long), 1 - shmem_my_pe())
            call shmem_barrier_all()
            if (shmem_my_pe() == 0 .and. shared == seen) print '(a, i0)', '0 saw ', seen
            call shmem_finalize()
          end program
        """)
        done = self.wrapper("oshcc", "ring.f90", "-o", "ring", env={"WINDROW_CC": "gfortran"})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.runs()

    def test_standards(self):
        """The headers need no particular one, and strict compilers do not complain."""
        strict = ["-pedantic", "-Wall", "-Wextra", "-Werror", "-fsyntax-only"]
        self.write("one.c", "#include <shmem.h>\n#include <shmemx.h>\n#include <pshmem.h>\n#include <mpp/shmem.h>\n"
                            "#include <mpp/shmemx.h>\nint main(void) { shmem_init(); return 0; }\n")
        (self.folder / "one.cpp").symlink_to("one.c")
        # As of years in which the header was for C only.
        self.write("within.cpp", 'extern "C" {\n#include <shmem.h>\n#include <shmemx.h>\n#include <pshmem.h>\n}\n'
                                 "int main() { shmem_init(); static long a; shmem_p(&a, 1L, 0); (void)shmemx_job; return 0; }\n")
        for compiler, plus in (("gcc", "g++"), ("clang-19", "clang++-19")):
            if not shutil.which(compiler):
                continue
            for standard in ("c89", "gnu89", "c99", "gnu11", "gnu2x"):
                done = self.wrapper("oshcc", f"-std={standard}", *strict, "one.c", env={"WINDROW_CC": compiler})
                self.assertEqual((done.returncode, done.stderr), (0, ""), f"{compiler} {standard}")
            for standard in ("c++11", "c++17", "c++2b"):
                done = self.wrapper("oshc++", f"-std={standard}", *strict, "one.cpp", "within.cpp", env={"WINDROW_CXX": plus})
                self.assertEqual((done.returncode, done.stderr), (0, ""), f"{plus} {standard}")

    def test_an_older_standard_than_windrows_own(self):
        self.write("x.cpp", "#include <windrow/windrow.hpp>\nint main() {}\n")
        done = self.wrapper("oshc++", "-std=c++17", "-fsyntax-only", "x.cpp")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("Windrow needs C++20: compile with -std=c++20", done.stderr)
        self.assertEqual(done.stderr.count("error:"), 1, done.stderr)


if __name__ == "__main__":
    unittest.main()
