# SPDX-License-Identifier: BSD-3-Clause
import unittest

import commands


class commands_test(unittest.TestCase):
    def test_the_plug_in_is_built_for_each_pass_of_the_compiler(self):
        for flag in ("-fdefer", "-fcomm", "-fcomm=relaxed", "-foverlap", "-foverlap-plan=plan.json"):
            self.assertTrue(commands.wants_plug_in(["cc", flag, "x.c"]), flag)
        self.assertTrue(commands.wants_plug_in(["explain", "x.c"]))
        for words in (["cc", "-O2", "x.c"], ["run", "-n", "2", "./x"], ["run", "./x", "-fdefer"], ["explain", "--help"]):
            self.assertFalse(commands.wants_plug_in(words), words)


if __name__ == "__main__":
    unittest.main()
