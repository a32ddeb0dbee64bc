# SPDX-License-Identifier: BSD-3-Clause
"""The `windrow` command beside `run`."""
import json
import os
import pathlib
import shlex
import shutil
import tempfile
import unittest

from support import WINDROW, JobTest

PROGRAM = """
#include <windrow/windrow.hpp>
#include <cstdio>
int main(int argc, char** argv) {
  windrow::job job(argc, argv);
  std::printf("%d\\n", static_cast<int>(job.world().sum(1)));
}
"""


class Command(JobTest):
    def windrow(self, *words, **options):
        return self.run_command(WINDROW, *words, **options)

    def test_help_and_version(self):
        for words in ([], ["run"], ["info"], ["cc"], ["c++"]):
            done = self.windrow(*words, "--help")
            self.assertEqual(done.returncode, 0)
            self.assertIn("Usage: windrow", done.stdout)
        self.assertRegex(self.windrow("--version").stdout, r"^windrow \d+\.\d+\.\d+\n$")

    def test_typing_errors(self):
        for words, named in ((["rum"], "'rum'"), (["run", "-n", "2", "--tga-output", "echo"], "--tga-output"),
                             (["run", "echo"], "-n is required"), (["run", "-n", "1", "--bind", "x", "echo"], "--bind"),
                             (["run", "-n", "1", "--workers", "0", "echo"], "--workers"),
                             (["run", "-n", "1", "--mpi", "mpich", "echo"], "--hosts"),
                             (["run", "-n", "1", "--hosts", "a", "--mpi", "x", "echo"], "'x' is no MPI"),
                             (["run", "-n", "1", "--hosts", "a", "echo", ":", "echo"], "':' cannot be an argument"),
                             (["run", "-n", "1", "-x", "=5", "echo"], "-x: '=5' names no variable"),
                             (["run", "-n", "1", "-x", "", "echo"], "-x: '' names no variable"), (["info", "--jsn"], "--jsn"), ([], "subcommand is required")):
            done = self.windrow(*words)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn(named, done.stderr.splitlines()[0])

    # Before, such an argument became two dashes.
    def test_arguments_reach_the_program_as_they_are(self):
        for before in ([], ["--"]):
            for words in (["--"], [" --"], ["a", " --", "--", "--"], ["-n", "7", "--help"], [""]):
                done = self.windrow("run", "-n", "1", *before, "printf", "%s\n", *words)
                self.assertEqual(done.stdout.split("\n")[:-1], words, (before, words))

    def test_two_dashes_stand_before_the_words_of_another_program(self):
        folder = self.temporary_folder()
        for command in ("record", "check"):
            for before in ([], ["--"]):
                done = self.windrow("overlap", command, "-n", "1", *before, "printf", "%s\n", "a", "--", "-n", "--", cwd=folder)
                self.assertEqual(done.stdout, "a\n--\n-n\n--\n")
        self.assertIn("explain: prog.f is no C or C++ source", self.windrow("explain", "--", "prog.f").stderr)

    def test_root_on_several_hosts(self):
        """Only if asked for, and only where the launcher has such an option."""
        if not any(module.name == "libwindrow_mpi_openmpi.so" for module in self.modules()):
            self.skipTest("no module for Open MPI")
        with tempfile.TemporaryDirectory() as folder:
            launcher = pathlib.Path(folder, "mpirun.openmpi")
            launcher.write_text('#!/bin/sh\necho "$@"\n', encoding="ascii")
            launcher.chmod(0o755)
            path = {"PATH": f"{folder}:{os.environ['PATH']}"}
            done = self.windrow("run", "-n", "2", "--hosts", "a:2147483647,b", "--mpi", "openmpi", "true", env=path)
            self.assertIn("-host a:2147483647,b:1 -n 2", done.stdout, done.stderr)
            for options, count in (([], 0), (["--allow-run-as-root"], 1)):
                done = self.windrow("run", "-n", "2", "--hosts", "a,b", "--mpi", "openmpi", *options, "true", env=path)
                self.assertEqual(done.stdout.split().count("--allow-run-as-root"), count, done.stdout + done.stderr)
            self.assertEqual(self.windrow("run", "-n", "1", "--allow-run-as-root", "echo", "it").stdout, "it\n")

    def test_wrong_variables_are_named(self):
        done = self.windrow("run", "-n", "2", "--hosts", "a,b", "true", env={"WINDROW_MPI": "lam"})
        self.assertIn("WINDROW_MPI='lam' is no MPI that Windrow knows", done.stderr)

    def test_info(self):
        facts = json.loads(self.windrow("info", "--json").stdout)
        self.assertEqual(facts["usable_processors"], len(os.sched_getaffinity(0)))
        self.assertGreater(facts["usable_memory_bytes"], 0)
        self.assertEqual(facts["transports"], ["self", "shm"])
        self.assertEqual(facts["job_here"], {"transport": "self", "pes": 1, "launcher": "nobody"})
        self.assertIn("WINDROW_TRANSPORT='x'", self.windrow("info", env={"WINDROW_TRANSPORT": "x"}).stdout)
        strange = self.windrow("info", "--json", env={"WINDROW_TRANSPORT": "\udcff"}).stdout  # no UTF-8
        self.assertIn("WINDROW_TRANSPORT=", json.loads(strange)["job_here"]["error"])
        self.assertIn("a symmetric heap of 64 MiB for each PE", self.windrow("info", env={"WINDROW_SYMMETRIC_SIZE": "64M"}).stdout)
        text = self.windrow("info").stdout
        for word in (facts["version"], facts["compiler"], "huge pages", "caches", "shm"):
            self.assertIn(word, text)

    def test_modules_of_the_build_are_found_wherever_a_program_lies(self):
        with tempfile.TemporaryDirectory() as folder:
            moved = shutil.copy(WINDROW, folder)
            facts = json.loads(self.run_command(moved, "info", "--json").stdout)
            self.assertEqual(len(facts["mpi_modules"]), len(self.modules()))
            chosen = json.loads(self.run_command(moved, "info", "--json", env={"WINDROW_MODULE_DIR": folder}).stdout)
            self.assertEqual(chosen["mpi_modules"], [])

    def modules(self):
        return list(pathlib.Path(os.environ["WINDROW_MODULES"]).glob("libwindrow_mpi_*.so"))

    def processors_of_pes(self, pes, *options, cpus=None):
        prefix = ["taskset", "-c", cpus] if cpus else []
        script = "grep Cpus_allowed_list /proc/self/status"
        done = self.run_command(*prefix, WINDROW, "run", "--tag-output", *options, "-n", str(pes), "sh", "-c", script)
        self.assertEqual(done.returncode, 0, done.stderr)
        return [line.split()[-1] for line in sorted(done.stdout.splitlines())]

    @unittest.skipIf(len(os.sched_getaffinity(0)) < 2, "one processor leaves no choice")
    def test_binding(self):
        everywhere = self.processors_of_pes(1, "--bind", "none")[0]
        self.assertEqual(len(set(self.processors_of_pes(2))), 2)
        self.assertEqual(set(self.processors_of_pes(2, "--bind", "none")), {everywhere})
        self.assertEqual(set(self.processors_of_pes(2, "--bind", "numa", cpus="1")), {"1"})
        self.assertEqual(set(self.processors_of_pes(2, cpus="1")), {"1"})
        self.assertEqual(self.processors_of_pes(4, "--bind", "core", cpus="0,1")[0:2], ["0", "1"])

    @unittest.skipIf(len(os.sched_getaffinity(0)) < 2, "one processor leaves no choice")
    def test_binding_of_workers(self):
        self.assertEqual(self.processors_of_pes(1, cpus="0,1"), ["0"])
        self.assertEqual(self.processors_of_pes(1, "--workers", "2", cpus="0,1"), ["0-1"])
        self.assertEqual(self.processors_of_pes(2, "--workers", "2", cpus="0,1"), ["0-1", "0-1"], "too few: unbound")
        self.assertEqual(self.processors_of_pes(2, "--workers", "2", "--bind", "core", cpus="0,1"), ["0", "1"])

    def test_shown_command_line(self):
        words = shlex.split(self.windrow("cc", "-show", "-O2", "a b.c", "-o", "it's").stdout)
        self.assertIn("-lwindrow", words)
        self.assertEqual([word for word in words if word in ("-O2", "a b.c", "-o", "it's")],
                         ["-O2", "a b.c", "-o", "it's"])
        self.assertLess(words.index("a b.c"), words.index("-lwindrow"))
        self.assertNotIn("-lwindrow", self.windrow("c++", "-show", "-c", "x.cpp").stdout)

    def test_deferral(self):
        """-fdefer is clang with the plug-in, or says what is missing where Windrow was built without it."""
        done = self.windrow("cc", "-fdefer", "-show", "x.c")
        if done.returncode == 0:
            self.assertRegex(done.stdout, r"clang-19 .*-fplugin=\S+windrow_clang.so .*x\.c")
            self.assertNotIn("-fdefer", done.stdout)
            shown = shlex.split(self.windrow("cc", "-fdefer", "-showme:compile").stdout)
            self.assertEqual(shown, shlex.split(done.stdout)[1:len(shown) + 1])
            done = self.windrow("cc", "-fdefer", "x.c", env={"CC": "gcc"})
            self.assertNotEqual(done.returncode, 0)
            self.assertRegex(done.stderr, "gcc, which CC names, is no clang, and the plug-ins of this Windrow are for clang 19")
            done = self.windrow("cc", "-fdefer", "-show", "x.c", env={"CC": "clang-16"})
            if done.returncode == 0:  # else that release is not here
                self.assertRegex(done.stdout, r"clang-16 .*-fplugin=\S+windrow_clang-16.so .*x\.c")
            with tempfile.TemporaryDirectory() as folder:
                other = pathlib.Path(folder, "other")
                other.write_text("#!/bin/sh\necho Some clang version 99.1.0\n", encoding="ascii")
                other.chmod(0o755)
                done = self.windrow("cc", "-fdefer", "x.c", env={"CC": f"{other} -m64"})
            self.assertNotEqual(done.returncode, 0)
            self.assertRegex(done.stderr, "other -m64, which CC names, is clang 99, and the plug-ins .* are for clang 19")
        else:
            self.assertIn("install the packages clang-19, llvm-19-dev and libclang-19-dev", done.stderr)

    def test_combined_accesses(self):
        """-fcomm, perhaps several times, is for the plug-in, which then leaves #pragma shmem defer alone."""
        done = self.windrow("cc", "-fcomm=relaxed", "-O2", "-fcomm", "-show", "x.c")
        if done.returncode != 0:
            self.assertIn("install the packages clang-19, llvm-19-dev and libclang-19-dev", done.stderr)
            return
        words = shlex.split(done.stdout)
        self.assertNotIn("-fcomm", words)
        for flag in ("-fplugin-arg-windrow-comm", "-fplugin-arg-windrow-comm=relaxed", "-fplugin-arg-windrow-no-defer"):
            self.assertIn(flag, words)
        self.assertNotIn("-fplugin-arg-windrow-no-defer", self.windrow("cc", "-fcomm", "-fdefer", "-show", "x.c").stdout)
        done = self.windrow("cc", "-fcomm", "-save-temps=obj", "-O2", "-show", "x.c")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("-fcomm does nothing with -save-temps=obj: leave one of them out", done.stderr)

    def test_other_compilers(self):
        shown = self.windrow("c++", "-show", "x.cpp", env={"CXX": "ccache my++"}).stdout
        self.assertTrue(shown.startswith("ccache my++ -std=gnu++20 "))
        usual = self.windrow("c++", "-show", "x.cpp").stdout
        self.assertEqual(self.windrow("c++", "-show", "x.cpp", env={"CXX": "  "}).stdout, usual)
        done = self.windrow("cc", "x.c", env={"CC": "no_such_compiler"})
        self.assertEqual(done.returncode, 127)
        self.assertIn("cannot run 'no_such_compiler'", done.stderr)

    def test_compiled_program_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "count.cpp")
            source.write_text(PROGRAM, encoding="ascii")
            done = self.windrow("c++", "-O0", str(source), "-o", f"{folder}/count")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(self.windrow("run", "-n", "3", f"{folder}/count").stdout, "3\n3\n3\n")

    def test_compiled_c_program_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "one.c")
            source.write_text("int main(void) { return 1; }\n", encoding="ascii")
            self.assertEqual(self.windrow("cc", str(source), "-o", f"{folder}/one").returncode, 0)
            self.assertEqual(self.windrow("run", "-n", "1", f"{folder}/one").returncode, 1)


if __name__ == "__main__":
    unittest.main()
