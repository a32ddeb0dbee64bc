# SPDX-License-Identifier: BSD-3-Clause
import contextlib
import io
import os
import pathlib
import tempfile
import unittest
from unittest import mock

import build
import packages


class packages_test(unittest.TestCase):
    """A machine on which `cmake` is installed, `ninja-build` was removed again and nothing else is known."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.tool("dpkg-query", "echo 'cmake installed'; echo 'ninja-build config-files'; exit 1")
        self.tool("apt-get", f'echo "$@" >>{self.folder}/calls')
        self.tool("env", 'while case "$1" in *=*) true;; *) false;; esac; do shift; done; exec "$@"')
        self.enterContext(mock.patch.dict(os.environ, {"PATH": folder.name}))
        self.user_id = self.enterContext(mock.patch("os.geteuid", return_value=0))

    def tool(self, name, script):
        path = self.folder / name
        path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
        path.chmod(0o755)

    def calls(self):
        path = self.folder / "calls"
        return path.read_text(encoding="utf-8") if path.exists() else ""

    def ensure(self, *wanted, yes=False, terminal=False, answer=None):
        said = io.StringIO()
        with contextlib.redirect_stderr(said), mock.patch("sys.stdin") as stdin, \
             mock.patch("builtins.input", side_effect=[answer]):
            stdin.isatty.return_value = terminal
            packages.ensure(list(wanted), yes)
        return said.getvalue()

    def test_nothing_is_done_or_said_when_all_is_there(self):
        self.assertEqual(self.ensure("cmake"), "")
        self.assertEqual(self.calls(), "")

    def test_what_cmake_finds_elsewhere_is_not_installed(self):
        for tool in build.TOOLS:
            self.tool(tool, "exit 0")
        with mock.patch.object(build, "configured", return_value=False), mock.patch.object(build, "configure") as configure:
            packages.ensure_build()
        configure.assert_called_once_with("release")
        self.assertEqual(self.calls(), "")

    def test_only_what_is_missing_is_installed(self):
        self.assertEqual(self.ensure("cmake", "ninja-build", "valgrind"),
                         "windrow: installing ninja-build valgrind\n")
        update, install = self.calls().splitlines()
        self.assertTrue(update.endswith("update"))
        self.assertTrue(install.endswith("install -y --no-install-recommends ninja-build valgrind"))

    def test_without_root_and_sudo_it_says_what_to_type(self):
        self.user_id.return_value = 1000
        with self.assertRaisesRegex(build.Failure, "as root by: apt-get install --no-install-recommends ninja-build$"):
            self.ensure("ninja-build", yes=True)
        self.assertEqual(self.calls(), "")

    def with_sudo(self):
        self.user_id.return_value = 1000
        self.tool("true", "exit 0")
        self.tool("sudo", 'case "$1" in -n) shift;; esac; echo sudo >>' + str(self.folder) + '/calls; exec "$@"')

    def test_sudo_is_not_used_without_being_allowed(self):
        self.with_sudo()
        with self.assertRaisesRegex(build.Failure, "--yes allows it"):
            self.ensure("ninja-build")
        self.assertEqual(self.calls(), "")

    def test_sudo_is_used_where_it_is_allowed(self):
        self.with_sudo()
        self.ensure("ninja-build", yes=True)
        self.assertEqual(self.calls().count("sudo"), 3)

    def test_at_a_terminal_it_asks_and_says_how_much(self):
        self.with_sudo()
        self.tool("apt-get", f'echo "$@" >>{self.folder}/calls; echo "Need to get 12 MB of archives."')
        said = self.ensure("ninja-build", "valgrind", terminal=True, answer="")
        self.assertIn("2 packages are missing: ninja-build valgrind\nNeed to get 12 MB of archives.", said)
        self.assertIn("install -y", self.calls())

    def test_at_a_terminal_no_is_no_also_for_root(self):
        with self.assertRaisesRegex(build.Failure, "to be installed as root by"):
            self.ensure("ninja-build", terminal=True, answer="n")
        self.assertNotIn("install -y", self.calls())

    def test_a_failing_installation_shows_its_output(self):
        self.tool("apt-get", 'case "$*" in *install*) echo "no space left"; exit 100;; esac')
        with self.assertRaisesRegex(build.Failure, "no space left"):
            self.ensure("ninja-build")

    def test_a_failing_update_is_forgiven(self):
        self.tool("apt-get", 'case "$*" in *update*) exit 100;; esac')
        self.ensure("ninja-build")


if __name__ == "__main__":
    unittest.main()
