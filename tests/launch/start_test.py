# SPDX-License-Identifier: BSD-3-Clause
"""Starting jobs: what works, and what is refused with a sentence."""
import os
import re
import tempfile
import unittest

from support import LIFE, WINDROW, JobTest

SANITIZED = os.environ.get("WINDROW_SANITIZED") == "1"


class Start(JobTest):
    def refused(self, done, sentence, code=None):
        if code is not None:
            self.assertEqual(done.returncode, code)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(sentence, done.stderr)
        self.assertLessEqual(len(done.stderr.splitlines()), 2, done.stderr)

    def test_bare_program_is_one_pe(self):
        self.assertRegex(self.run_command(LIFE, "meet", "report").stdout, r"^PE 0 of 1 is \d+\n$")

    def test_program_starts_its_own_pes(self):
        done = self.run_command(LIFE, "meet", "report", env={"WINDROW_PES": "4", "LIFE_EARLY": "1"})
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = sorted(done.stdout.splitlines())
        self.assertEqual([line.rsplit(" ", 1)[0] for line in lines[:4]], [f"PE {pe} of 4 is" for pe in range(4)])
        self.assertEqual(lines[4:], ["printed before the job"])

    def test_exit_code_of_self_launched_job(self):
        self.assertEqual(self.run_command(LIFE, "meet", "1:exit7", "hang", env={"WINDROW_PES": "4"}).returncode, 7)

    def test_other_programs_run_n_times(self):
        done = self.windrow_run(3, "echo", "hay")
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "hay\nhay\nhay\n", ""))

    def test_program_behind_a_script(self):
        done = self.windrow_run(2, "sh", "-c", f"{LIFE} meet report; true")
        self.assertEqual((done.returncode, len(done.stdout.splitlines())), (0, 2))

    def test_arguments_are_the_programs_own(self):
        for separator in ([], ["--"]):
            done = self.windrow_run(1, *separator, "echo", "-n", "--help", "--", "--bogus")
            self.assertEqual(done.stdout, "--help -- --bogus")

    def test_many_more_pes_than_processors(self):
        self.assertEqual(self.windrow_run(48, LIFE, "meet", "meet").returncode, 0)

    def test_more_pipes_than_the_soft_limit(self):
        script = f"ulimit -S -n 64; {WINDROW} run -n 40 sh -c 'ulimit -S -n'"
        self.assertEqual(self.run_command("sh", "-c", script).stdout.split(), ["64"] * 40)

    def test_option_of_oshrun(self):
        self.refused(self.run_command(WINDROW, "run", "-np", "2", LIFE), "write -n N; -np is an option of oshrun")

    def test_absurd_numbers_of_pes(self):
        for count in ("0", "-1", "abc", "1000000", "2x", ""):
            with self.subTest(count):
                self.refused(self.windrow_run(count, LIFE), f"cannot start '{count}' PEs: choose 1 to 4096")
        for count in ("0", "-1", "abc", "1000000", "2x"):
            with self.subTest(count):
                self.refused(self.run_command(LIFE, env={"WINDROW_PES": count}),
                             f"WINDROW_PES='{count}' is not a whole number from 1 to 4096")

    def test_missing_program(self):
        self.refused(self.windrow_run(2, "no_such_program"), "cannot run 'no_such_program'", 127)
        self.refused(self.windrow_run(2, "./no/such"), "cannot run './no/such': No such file or directory", 127)
        self.refused(self.windrow_run(2, "/tmp"), "cannot run '/tmp': Is a directory", 127)
        self.refused(self.windrow_run(2, "/etc/passwd"), "cannot run '/etc/passwd': Permission denied", 127)
        self.refused(self.windrow_run(2), "a program to run is required")

    def test_program_that_the_kernel_refuses(self):
        with tempfile.NamedTemporaryFile("w", suffix=".sh", delete=False) as script:
            script.write("#!/no/such/interpreter\n")
        self.addCleanup(os.unlink, script.name)
        os.chmod(script.name, 0o755)
        done = self.windrow_run(1, script.name)
        self.assertEqual(done.returncode, 127)
        self.assertIn(f"cannot run '{script.name}': No such file or directory", done.stderr)

    def test_heap_size(self):
        self.refused(self.windrow_run(2, "--heap", "1x", LIFE), "'1x' is not a size")
        self.refused(self.windrow_run(4, "--heap", "1000T", LIFE), "lower WINDROW_SYMMETRIC_SIZE")
        self.refused(self.run_command(LIFE, env={"WINDROW_SYMMETRIC_SIZE": "lots"}), "WINDROW_SYMMETRIC_SIZE='lots'")
        self.assertEqual(self.windrow_run(2, "--heap", "1M", LIFE, "meet").returncode, 0)

    @unittest.skipIf(SANITIZED, "sanitizers need more address space than any limit")
    def test_default_heap_fits_a_limited_address_space(self):
        script = f"ulimit -v 2000000; exec {WINDROW} run -n 2 {LIFE} meet"
        done = self.run_command("sh", "-c", script)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_limit_of_file_sizes(self):
        for words in (LIFE, f"{WINDROW} run -n 2 {LIFE}"):
            self.refused(self.run_command("sh", "-c", f"ulimit -f 1000; exec {words}"), "lift that limit (ulimit -f)", 1)

    def test_second_program_of_a_script(self):
        """Its memory would be what the first one has left."""
        done = self.windrow_run(2, "sh", "-c", f"{LIFE} meet; exec {LIFE} report")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("of this job, or has been: a job is one run of one program", done.stderr) # by one PE, or both
        self.assertLessEqual(len(done.stderr.splitlines()), 3, done.stderr)

    def test_pe_that_never_joins(self):
        for model in ("", "hdr"):
            with self.subTest(model):
                script = f'mkdir "{self.temporary_folder()}/first" 2>/dev/null && exec {LIFE}; exit 0'
                done = self.windrow_run(2, "sh", "-c", script, env={"WINDROW_SIM": model})
                self.assertRegex(done.stderr, r"waits for the others .*, but PE [01] has (ended|failed)\n")

    def test_handler_of_childrens_ends_is_the_programs_own(self):
        done = self.run_command(LIFE, "counted_child", env={"WINDROW_PES": "2"})
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_transports(self):
        self.refused(self.run_command(LIFE, env={"WINDROW_TRANSPORT": "carrier"}),
                     "WINDROW_TRANSPORT='carrier' is not available: this Windrow has self, shm and mpi")
        self.refused(self.run_command(LIFE, env={"WINDROW_TRANSPORT": "self", "WINDROW_PES": "2"}), "use shm")
        done = self.run_command(LIFE, "report", env={"WINDROW_TRANSPORT": "shm"})
        self.assertRegex(done.stdout, r"^PE 0 of 1 is \d+\n$")

    def test_model_that_is_none(self):
        for model, sentence in (("hay", "WINDROW_SIM: there is no model 'hay'"),
                                ("hdr,far.speed=1", "WINDROW_SIM: the model hdr,far.speed=1: there is no parameter 'far.speed'")):
            self.refused(self.run_command(LIFE, env={"WINDROW_SIM": model}), sentence)
        for name in ("WINDROW_SIM_MEASURE", "WINDROW_SIM_WORK"):
            self.refused(self.run_command(LIFE, env={name: "file"}), name + " is for a simulated network: set WINDROW_SIM too")

    def test_program_of_another_version(self):
        self.refused(self.run_command(LIFE, env={"WINDROW_JOB": "12345 3 0 2 4096"}),
                     "this program was built with another version of Windrow than the launcher: rebuild it")
        self.refused(self.run_command(LIFE, env={"WINDROW_JOB": "hay"}), "WINDROW_JOB='hay' is not what")

    def test_membership_is_for_one_program_only(self):
        done = self.windrow_run(2, "sh", "-c", "WINDROW_JOB= exec " + LIFE + " report")
        self.assertEqual(sorted(line.rsplit(" ", 2)[0] for line in done.stdout.splitlines()), ["PE 0 of 1"] * 2)

    def test_memory_closed_by_a_wrapper(self):
        close = 'set -- $WINDROW_JOB; eval "exec $2<&-"; exec ' + LIFE
        done = self.windrow_run(1, "sh", "-c", close)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("the shared memory of the job is not open as descriptor", done.stderr)

    def test_standard_descriptors_may_be_closed(self):
        script = f"{WINDROW} run -n 2 {LIFE} meet <&- >&-"
        self.assertEqual(self.run_command("sh", "-c", script).returncode, 0)

    def test_shared_memory_has_no_name(self):
        launcher, pids = self.start_life(2, "hang")
        with open(f"/proc/{pids[0]}/maps", encoding="ascii") as maps:
            shared = [line for line in maps if line.split()[1][3] == "s"]
        self.assertTrue(any("memfd:windrow (deleted)" in line for line in shared))
        self.assertFalse([line for line in shared if "/dev/shm" in line])
        launcher.terminate()
        self.finish(launcher)

    def test_core_dumps_leave_out_unused_memory(self):
        """Which they would commit."""
        launcher, pids = self.start_life(2, "hang")
        with open(f"/proc/{pids[0]}/smaps", encoding="ascii") as maps:
            areas = re.findall(r"(?m)^([0-9a-f]+)-([0-9a-f]+) .*memfd:windrow.*$(?:\n[A-Z].*)*\nVmFlags: (.*)$", maps.read())
        dumped = sum(int(end, 16) - int(begin, 16) for begin, end, flags in areas if "dd" not in flags.split())
        self.assertTrue(areas)
        self.assertLess(dumped, 64 << 20)
        launcher.terminate()
        self.finish(launcher)

    def test_job_stays_in_the_launchers_session(self):
        launcher, pids = self.start_life(2, "hang")
        self.assertEqual({os.getsid(pid) for pid in pids}, {os.getsid(launcher.pid)})
        launcher.terminate()
        self.finish(launcher)


if __name__ == "__main__":
    unittest.main()
