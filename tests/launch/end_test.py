# SPDX-License-Identifier: BSD-3-Clause
"""How jobs end: exit codes, signals, and nothing left behind."""
import os
import signal
import subprocess
import tempfile
import time
import unittest

from support import LIFE, LIMIT_SECONDS, WINDROW, JobTest, read_reports

SANITIZED = os.environ.get("WINDROW_SANITIZED") == "1"
GLOBAL_JOB = os.environ["WINDROW_GLOBAL_JOB"]
SLOW_WRITE = os.environ["WINDROW_SLOW_WRITE"]
# The leak sanitizer does not like a thread that the job knows nothing of.
WITH_A_THREAD = {"WINDROW_PES": "3", "LIFE_THREAD": "1", "ASAN_OPTIONS": "detect_leaks=0"}


class GoodEnd(JobTest):
    def test_signals_of_the_user_go_on_to_the_pes(self):
        launcher = self.start(WINDROW, "run", "-n", "3", LIFE, "hold_usr1", "meet", "report", "await_usr1")
        read_reports(launcher, 3)
        launcher.send_signal(signal.SIGUSR1)
        code, output, errors = self.finish(launcher)
        self.assertEqual((code, errors), (0, ""))
        self.assertEqual(sorted(output.splitlines()), [f"PE {pe} got signal 10" for pe in range(3)])

    def test_all_pes_succeed(self):
        done = self.windrow_run(4, LIFE, "meet", "report")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(len(done.stdout.splitlines()), 4)

    def test_exit_after_finalize_is_no_error(self):
        self.assertEqual(self.windrow_run(2, LIFE, "meet", "finalize", "exit0").returncode, 0)

    def test_exit_code_after_finalize_is_passed_on(self):
        self.assertEqual(self.windrow_run(2, LIFE, "meet", "finalize", "1:exit7").returncode, 7)

    def test_what_outlives_the_job(self):
        for pes in (1, 3):
            for what in ("keep_team", "finalize_before_stream", "finalize_before_teams"):
                with self.subTest(what, pes=pes):
                    done = self.windrow_run(pes, LIFE, what)
                    self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_program_that_has_threads_before_its_job(self):
        done = self.run_command(LIFE, "meet", env=WITH_A_THREAD)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_job_that_is_a_global_variable(self):
        # Memory that is freed is overwritten, so that whoever goes on to use it is found out.
        overwritten = {"MALLOC_PERTURB_": "165", "GLIBC_TUNABLES": "glibc.malloc.tcache_count=0"}
        with tempfile.TemporaryDirectory() as folder:
            traced = {"WINDROW_TRACE": os.path.join(folder, "trace.json")}
            for pes, more in (("1", {}), ("3", {}), ("1", traced), ("3", traced)):
                with self.subTest(pes=pes, **more):
                    done = self.run_command(GLOBAL_JOB, env={"WINDROW_PES": pes, **overwritten, **more})
                    self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "handled\n", ""))

    def test_children_left_by_pes_end_with_the_job(self):
        done = self.windrow_run(2, LIFE, "meet", "leave_child")
        self.assertEqual((done.returncode, done.stderr), (0, ""))


class BadEnd(JobTest):
    def check(self, actions, code, pattern):
        launcher, pids = self.start_life(4, *actions)
        found, _, errors = self.finish(launcher)
        self.assertEqual(found, code, errors)
        self.assertRegex(errors, pattern.replace("PID1", str(pids[1])))

    def test_exit_code_of_the_first_failure(self):
        self.check(["1:exit7", "hang"], 7, r"^windrow: PE 1 \(pid PID1\) ended with exit code 7; "
                   r"ending the other 3 PEs\n$")

    def test_crash(self):
        self.check(["1:segv", "hang"], 139, r"^windrow: PE 1 \(pid PID1\) was killed by signal 11 "
                   r"\(Segmentation fault\); ending the other 3 PEs\n$")

    def test_signal_of_a_crash_behind_light_threads(self):
        self.check(["1:light_threads", "1:segv", "hang"], 139, "was killed by signal 11 ")

    def test_light_threads_of_a_program_that_mends_faults(self):
        done = self.windrow_run(1, LIFE, "mend_faults")
        self.assertEqual(done.returncode, 1)
        self.assertIn("has used up its stack", done.stderr)

    def test_failure_in_a_program_that_has_threads_before_its_job(self):
        done = self.run_command(LIFE, "1:exit7", "hang", env=WITH_A_THREAD)
        self.assertEqual(done.returncode, 7)
        self.assertIn("ending the other 2 PEs", done.stderr)

    def test_stall_does_not_count_the_time_in_which_the_job_was_stopped(self):
        limit = 3
        launcher = self.start(WINDROW, "run", "-n", "2", LIFE, "report", "meet", "1:hang", "meet",
                              env={"WINDROW_STALL_SECONDS": str(limit), "WINDROW_STALL_ABORT": "1"})
        pids = read_reports(launcher, 2)
        time.sleep(0.5)
        for pid in pids:
            os.kill(pid, signal.SIGSTOP)
        time.sleep(limit)
        for pid in pids:
            os.kill(pid, signal.SIGCONT)
        time.sleep(1)
        self.assertIsNone(launcher.poll())
        code, _, errors = self.finish(launcher)
        self.assertEqual(code, 1, errors)
        self.assertIn(f"no progress for {limit} s", errors)

    def test_crash_while_others_wait_for_it(self):
        self.check(["1:segv", "meet"], 139, r"windrow: PE 1 \(pid PID1\) was killed by signal 11 ")

    def test_exit_in_mid_job(self):
        self.check(["1:exit0", "meet"], 1, r"windrow: PE 1 \(pid PID1\) left the job without finalizing it "
                   r"\(exit called\?\); ending the other 3 PEs\n")

    def test_uncaught_error_says_its_sentence(self):
        self.check(["1:throw", "hang"], 1, r"(?m)^windrow: PE 1: this PE has had enough$")

    def test_reason_of_a_pe_that_others_wait_for(self):
        """Also where a busy host keeps it from saying so for seconds."""
        done = self.windrow_run(3, LIFE, "meet", "1:throw", "meet", env={"LIFE_CATCHES": "3000"})
        self.assertEqual(done.returncode, 3)
        self.assertRegex(done.stderr, r"^caught: this PE has had enough\nwindrow: PE 1 \(pid \d+\) ended with exit code 3; "
                                      r"ending the other 2 PEs\n$")

    def test_kill_of_a_pe(self):
        launcher, pids = self.start_life(4, "hang")
        os.kill(pids[2], signal.SIGKILL)
        code, _, errors = self.finish(launcher)
        self.assertEqual(code, 137)
        self.assertEqual(errors, f"windrow: PE 2 (pid {pids[2]}) was killed by signal 9 (Killed); "
                                 "ending the other 3 PEs\n")

    def test_peers_see_the_failure(self):
        launcher = self.start(WINDROW, "run", "-n", "3", LIFE, "stubborn", "meet", "report", "1:hang", "watch_pe_1")
        pids = read_reports(launcher, 3)
        os.kill(pids[1], signal.SIGKILL)
        code, output, _ = self.finish(launcher)
        self.assertEqual(code, 137)
        self.assertEqual(sorted(output.splitlines()), ["PE 0 saw it", "PE 2 saw it"])

    def test_pe_that_ignores_sigterm_is_killed(self):
        self.check(["stubborn", "meet", "1:exit7", "hang"], 7, "ending the other 3 PEs")

    @unittest.skipIf(SANITIZED, "sanitizers want to be loaded first")
    def test_pe_that_ignores_sigterm_is_killed_by_a_slow_launcher(self):
        done = self.windrow_run(2, LIFE, "stubborn", "meet", "1:exit7", "hang", env={"LD_PRELOAD": SLOW_WRITE})
        self.assertEqual(done.returncode, 7)
        self.assertIn("ending the other PE", done.stderr)

    def test_single_pe_has_no_others(self):
        done = self.windrow_run(1, LIFE, "exit7")
        self.assertEqual(done.returncode, 7)
        self.assertRegex(done.stderr, r"^windrow: PE 0 \(pid \d+\) ended with exit code 7\n$")


class LauncherEnd(JobTest):
    def test_kill_of_the_launcher(self):
        launcher, _ = self.start_life(4, "hang")
        launcher.kill()
        self.assertEqual(launcher.wait(LIMIT_SECONDS), -signal.SIGKILL)  # the rest: check_nothing_is_left

    def test_kill_of_the_launcher_reaches_pes_behind_a_script(self):
        launcher = self.start(WINDROW, "run", "-n", "2", "sh", "-c", f"{LIFE} report meet hang; true")
        read_reports(launcher, 2)
        launcher.kill()
        launcher.wait(LIMIT_SECONDS)

    def test_kill_of_a_self_launched_job(self):
        launcher = self.start(LIFE, "report", "meet", "hang", env={"WINDROW_PES": "3"})
        read_reports(launcher, 3)
        launcher.kill()
        launcher.wait(LIMIT_SECONDS)

    def test_signals_end_the_job(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(number.name):
                launcher, _ = self.start_life(4, "hang")
                launcher.send_signal(number)
                code, _, errors = self.finish(launcher)
                self.assertEqual(code, 128 + number)
                self.assertRegex(errors, rf"^windrow: signal {int(number)} \(.*\) received; ending the job\n$")

    def test_signal_of_the_user_that_no_pe_handles(self):
        launcher, _ = self.start_life(1, "hang")
        launcher.send_signal(signal.SIGUSR2)
        code, _, errors = self.finish(launcher)
        self.assertEqual(code, 128 + signal.SIGUSR2)
        self.assertRegex(errors, r"^windrow: PE 0 \(pid \d+\) was killed by signal 12 ")

    def test_second_signal_ends_stubborn_pes(self):
        launcher = self.start(WINDROW, "run", "-n", "2", LIFE, "stubborn", "meet", "report", "hang")
        read_reports(launcher, 2)
        launcher.send_signal(signal.SIGINT)
        self.assertEqual(launcher.stderr.readline(), "windrow: signal 2 (Interrupt) received; ending the job\n")
        launcher.send_signal(signal.SIGINT)
        self.assertEqual(self.finish(launcher)[0], 130)

    def test_ignored_hangup_stays_ignored(self):
        script = f"trap '' HUP; exec {WINDROW} run -n 2 {LIFE} report meet hang"
        launcher = self.start("sh", "-c", script)
        read_reports(launcher, 2)
        launcher.send_signal(signal.SIGHUP)
        launcher.send_signal(signal.SIGTERM)
        self.assertEqual(self.finish(launcher)[0], 128 + signal.SIGTERM)

    def test_signal_while_nobody_reads_the_output(self):
        launcher, _ = self.start_life(2, "long_lines", "hang")
        launcher.send_signal(signal.SIGINT)
        self.assertEqual(launcher.wait(LIMIT_SECONDS), 130)

    def test_reader_of_the_output_goes_away(self):
        launcher, _ = self.start_life(2, "long_lines", "hang")
        launcher.stdout.close()
        self.assertEqual(launcher.wait(LIMIT_SECONDS), 128 + signal.SIGPIPE)

    def test_full_disk_is_an_error(self):
        with open("/dev/full", "w", encoding="ascii") as full:
            done = subprocess.run([WINDROW, "run", "-n", "2", LIFE, "report", "hang"], stdout=full,
                                  stderr=subprocess.PIPE, text=True, env=self.environment(),
                                  timeout=LIMIT_SECONDS, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("cannot write the output of the PEs: No space left on device", done.stderr)


if __name__ == "__main__":
    unittest.main()
