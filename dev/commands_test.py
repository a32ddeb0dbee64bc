# SPDX-License-Identifier: BSD-3-Clause
import pathlib
import signal
import subprocess
import sys
import unittest

import commands


class commands_test(unittest.TestCase):
    def test_the_plug_in_is_built_for_each_pass_of_the_compiler(self):
        for flag in ("-fdefer", "-fcomm", "-fcomm=relaxed", "-foverlap", "-foverlap-plan=plan.json"):
            self.assertTrue(commands.wants_plug_in(["cc", flag, "x.c"]), flag)
        self.assertTrue(commands.wants_plug_in(["explain", "x.c"]))
        for words in (["cc", "-O2", "x.c"], ["run", "-n", "2", "./x"], ["run", "./x", "-fdefer"], ["explain", "--help"], ["explain", "-h"],
                      ["bench", "optimiser", "-h"]):
            self.assertFalse(commands.wants_plug_in(words), words)

    def test_permission_stands_in_front_of_the_subcommand_or_behind(self):
        for words in (["--yes", "demo", "--pes=2"], ["demo", "--yes", "--pes=2"]):
            self.assertEqual(commands.permission(words), (True, ["demo", "--pes=2"]))
        for words in ([], ["demo"], ["run", "./x", "--yes"]):
            self.assertEqual(commands.permission(words), (False, words))

    def test_the_command_gets_the_signals_that_python_ignores(self):
        for number in (signal.SIGPIPE, signal.SIGXFSZ):
            script = f"import commands; commands.become('/bin/sh', ['-c', 'ulimit -c 0; kill -{number.value} $$'])"
            done = subprocess.run([sys.executable, "-c", script], cwd=pathlib.Path(__file__).parent, check=False)
            self.assertEqual(done.returncode, -number)


if __name__ == "__main__":
    unittest.main()
