# SPDX-License-Identifier: BSD-3-Clause
"""What PEs print and read."""
import collections
import fcntl
import os
import select
import subprocess
import tty
import unittest

from support import LIFE, LIMIT_SECONDS, WINDROW, JobTest


class Output(JobTest):
    def check_lines(self, text, pes, count, length):
        """Each line is whole: one letter only, and of full length."""
        letters = collections.Counter()
        for line in text.splitlines():
            self.assertEqual(line, line[0] * length)
            letters[line[0]] += 1
        self.assertEqual(letters, {chr(ord("a") + pe): count for pe in range(pes)})

    def test_lines_are_not_mixed(self):
        self.check_lines(self.windrow_run(8, LIFE, "meet", "lines").stdout, 8, 200, 10_000)

    def test_very_long_lines(self):
        self.check_lines(self.windrow_run(3, LIFE, "meet", "long_lines").stdout, 3, 2, 20_000_000)

    def test_last_line_without_end_of_one_pe_is_unchanged(self):
        self.assertEqual(self.windrow_run(1, LIFE, "partial").stdout, "no end 0")

    def test_last_lines_without_end_stay_apart(self):
        lines = self.windrow_run(4, LIFE, "meet", "partial").stdout.splitlines()
        self.assertEqual(sorted(lines), [f"no end {pe}" for pe in range(4)])

    def test_output_of_a_crash_is_not_lost(self):
        done = self.windrow_run(2, LIFE, "meet", "1:partial", "1:segv", "hang")
        self.assertEqual(done.stdout, "no end 1")

    def test_pe_that_fails_while_nobody_reads_its_output_ends(self):
        job = self.start(LIFE, "fail_while_printing")  # bare: there is no launcher that reads
        self.assertEqual(job.wait(LIMIT_SECONDS), 1)
        self.assertIn("one thread fails while another one prints", job.stderr.read())

    def test_long_sentence_is_whole(self):
        self.assertIn("x" * 20_000 + " at length\n", self.run_command(LIFE, "fail_at_length").stderr)

    def test_pe_that_fails_at_length_while_nobody_reads_ends(self):
        """One page of the pipe is free, which is less than the sentence takes."""
        to_read, to_write = os.pipe()
        self.addCleanup(os.close, to_read)
        size = fcntl.fcntl(to_write, fcntl.F_GETPIPE_SZ)
        os.write(to_write, b"y" * (size - 4096))
        job = subprocess.Popen([LIFE, "fail_at_length"], stderr=to_write, env=self.environment())
        os.close(to_write)
        self.assertEqual(job.wait(LIMIT_SECONDS), 1)

    def test_tags(self):
        done = self.windrow_run(3, "--tag-output", LIFE, "meet", "report", "partial")
        for pe in range(3):
            self.assertRegex(done.stdout, rf"(?m)^\[{pe}\] PE {pe} of 3 is \d+$")
            self.assertRegex(done.stdout, rf"(?m)^\[{pe}\] no end {pe}$")

    def test_standard_error_is_passed_on_as_such(self):
        done = self.windrow_run(2, "--tag-output", "sh", "-c", "echo out; echo err >&2")
        self.assertEqual(sorted(done.stdout.splitlines()), ["[0] out", "[1] out"])
        self.assertEqual(sorted(done.stderr.splitlines()), ["[0] err", "[1] err"])

    def test_lines_come_at_once(self):
        launcher, _ = self.start_life(2, "hang")  # which reads a line of each PE while they hang
        launcher.terminate()
        self.finish(launcher)

    def test_question_at_a_terminal(self):
        """Its answer is waited for, and so it must be seen before."""
        script = 'read go || exit 0; printf "name? "; read name; printf "age? "; read age; echo "$name, $age"'
        for tag in ([], ["--tag-output"]):
            screen, terminal = os.openpty()
            tty.setraw(terminal)
            job = subprocess.Popen([WINDROW, "run", "-n", "2", *tag, "sh", "-c", script], stdin=terminal, stdout=terminal,
                                   env=self.environment())
            self.addCleanup(job.kill)
            os.close(terminal)
            os.write(screen, b"go\n")
            seen = b""
            for end, answer in ((b"name? ", b"hay\n"), (b"age? ", b"1\n"), (b"\n", b"")):
                while not seen.endswith(end):
                    self.assertTrue(select.select([screen], [], [], LIMIT_SECONDS)[0], seen)
                    seen += os.read(screen, 1)
                os.write(screen, answer)
            self.assertEqual((job.wait(LIMIT_SECONDS), seen), (0, b"[0] " * bool(tag) + b"name? age? hay, 1\n"))
            os.close(screen)

    def test_input_goes_to_pe_0(self):
        done = self.windrow_run(3, LIFE, "echo", input="one\ntwo\n")
        self.assertEqual((done.returncode, done.stdout), (0, "0 read one\n0 read two\n"))


if __name__ == "__main__":
    unittest.main()
