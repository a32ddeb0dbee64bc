#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The completion and the manual page know the commands that there are. Usage: shell_test.py WINDROW."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import unittest
import unittest.mock

WINDROW = pathlib.Path(sys.argv[1])
HERE = pathlib.Path(__file__).parent


def commands(*group):
    text = subprocess.run([WINDROW, *group, "--help"], capture_output=True, text=True, check=True).stdout
    section = text.split("Subcommands:\n")[1].split("\n\n")[0]
    return re.findall(r"^  ([a-z+-]+) ", section, re.MULTILINE)


def completed(*words, program=str(WINDROW)):
    """What the last word may become."""
    line = " ".join(f"'{word}'" for word in (program, *words))
    script = f". '{HERE}/windrow'; COMP_WORDS=({line}); COMP_CWORD={len(words)}; _windrow; printf '%s\\n' \"${{COMPREPLY[@]}}\""
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    return done.stdout.split()


class Completion(unittest.TestCase):
    def test_commands(self):
        self.assertEqual(completed(""), commands())
        self.assertEqual(completed("gr"), ["graph"])
        self.assertEqual(completed("graph", ""), commands("graph"))
        self.assertEqual(completed("bench", "-n", "2", "l"), ["latency-sweep"])
        self.assertEqual(completed("bench", "up"), ["updates"])

    def test_a_command_below_the_home_folder(self):
        with unittest.mock.patch.dict(os.environ, HOME=str(WINDROW.parent)):
            self.assertEqual(completed("gr", program=f"~/{WINDROW.name}"), ["graph"])

    def test_options(self):
        self.assertIn("--heap", completed("run", "-n", "4", "--h"))
        self.assertEqual(completed("graph", "convert", "--f"), ["--format"])
        self.assertIn("--version", completed("--v"))

    # Before, the options of the command were offered there, too.
    def test_what_follows_a_program_is_the_programs(self):
        for words in (("run", "-n", "4", "./prog"), ("run", "--", "./prog"), ("explain", "prog.c"), ("overlap", "record", "-n", "2", "./prog", "-x")):
            self.assertEqual(completed(*words, "--"), [], words)
        for words in (("run", "-n", "4"), ("run", "--tag-output", "--heap", "1G"), ("explain", "--html", "page.html"), ("overlap", "record", "-n", "2")):
            self.assertIn("--help", completed(*words, "--"), words)

    # Before, such words were patterns.
    def test_words_that_are_no_commands(self):
        for word in ("[", "*", ".*", "grap.", "\\", "a b"):
            self.assertEqual(completed(word, "gr"), ["graph"], word)

    def test_files_are_left_to_the_shell(self):
        for words in (("cc", ""), ("graph", "info", ""), ("run", "-n", "2", "")):
            self.assertEqual(completed(*words), [])

    def test_a_checkout_is_not_built(self):
        self.assertEqual(completed("", program=str(HERE / "shell_test.py")), [])


class Manual(unittest.TestCase):
    page = (HERE / "windrow.1").read_text(encoding="utf-8")

    def test_every_command_is_there(self):
        described = re.findall(r"^\.TP\n\.B (\S+)$", self.page.split(".SH ENVIRONMENT")[0], re.MULTILINE)
        self.assertEqual(sorted(described), sorted(commands()))

    def test_it_can_be_formatted(self):
        if shutil.which("groff") is None:
            self.skipTest("groff is not installed")
        done = subprocess.run(["groff", "-man", "-Tascii", "-ww", "-z", HERE / "windrow.1"], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
