# SPDX-License-Identifier: BSD-3-Clause
"""`./windrow demo` in its two parts, with nothing built or installed."""
import contextlib
import io
import unittest
from unittest import mock

import build
import demo


class Demo(unittest.TestCase):
    def setUp(self):
        self.ran = []
        self.statuses = {}
        self.enterContext(mock.patch.object(demo, "run", self.run_one))
        self.enterContext(mock.patch.object(build, "lock", contextlib.nullcontext))
        self.build = self.enterContext(mock.patch.object(build, "build"))
        self.enterContext(mock.patch.object(build, "targets", return_value={"windrow_clang"}))
        self.ensure = self.enterContext(mock.patch.object(demo.commands, "ensure_plug_in"))
        self.said = self.enterContext(contextlib.redirect_stderr(io.StringIO()))
        self.enterContext(contextlib.redirect_stdout(io.StringIO()))

    def run_one(self, words):
        self.ran.append(words)
        return self.statuses.get(words[0], 0)

    def test_the_kernels_come_before_anything_is_installed(self):
        self.ensure.side_effect = lambda yes: self.assertEqual(self.ran, [["--only-kernels", "--scale", "9"]])
        self.assertEqual(demo.main(["--scale", "9"], yes=False), 0)
        self.assertEqual([words[0] for words in self.ran], ["--only-kernels", "--only-directive"])
        self.assertIn("windrow_clang", self.build.call_args.args[1])

    def test_without_the_plug_in_the_reason_is_told_and_the_end_shown(self):
        self.ensure.side_effect = build.Failure("packages are missing")
        self.assertEqual(demo.main([], yes=False), 0)
        self.assertIn("without the plug-in: packages are missing", self.said.getvalue())
        self.assertEqual(self.ran[-1], ["--only-directive"])

    def test_wrong_kernels_end_it(self):
        self.statuses["--only-kernels"] = 1
        self.assertEqual(demo.main([], yes=False), 1)
        self.ensure.assert_not_called()

    def test_json_and_help_are_one_command(self):
        for word in ("--json", "--help"):
            self.ran.clear()
            demo.main([word], yes=False)
            self.assertEqual(self.ran, [[word]])
        self.ensure.assert_not_called()


if __name__ == "__main__":
    unittest.main()
