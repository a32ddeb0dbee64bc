# SPDX-License-Identifier: BSD-3-Clause
"""`oshrun` with the options of other launchers, as READMEs have them."""
import os
import pathlib
import shlex
import socket
import tempfile
import unittest

from support import WINDROW, JobTest

OSHRUN = os.path.join(os.path.dirname(WINDROW), "oshrun")


class Oshrun(JobTest):
    def oshrun(self, *words, **options):
        return self.run_command(OSHRUN, *words, **options)

    def shown(self, *words):
        done = self.oshrun("-show", *words, "./prog", "-np", "7")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(done.stdout.endswith(" ./prog -np 7\n"), done.stdout)
        return done.stdout.removeprefix("windrow run ").removesuffix(" ./prog -np 7\n"), done.stderr

    def test_number_of_pes(self):
        for words in (["-np", "4"], ["--np", "4"], ["-n", "4"], ["--n=4"], ["-c", "4"]):
            self.assertEqual(self.shown(*words), ("-n 4", ""))

    def test_what_has_a_meaning_here(self):
        for words, meant in ((["--tag-output"], "--tag-output"), (["-prepend-rank"], "--tag-output"),
                             (["--bind-to", "core"], "--bind core"), (["-bind-to", "none"], "--bind none"),
                             (["-x", "A=b", "-x", "PATH"], "-x A=b -x PATH"), (["-genv", "A", "b"], "-x A=b"),
                             (["-H", "node1:2,node2"], "--hosts node1:2,node2"), (["--host", "node1"], "--hosts node1"),
                             (["--heap", "1G"], "--heap 1G"), (["-allow-run-as-root"], "--allow-run-as-root"), (["--hosts", "a"], "--hosts a")):
            self.assertEqual(self.shown("-np", "2", *words), (f"-n 2 {meant}", ""))

    # Before, a line that was copied from there had other words.
    def test_what_is_shown_can_be_run(self):
        words = ["a b", "it's", "$HOME", "", "*", "x;y"]
        done = self.oshrun("-show", "-np", "2", "-x", "A=b c", "./my prog", *words)
        self.assertEqual(shlex.split(done.stdout), ["windrow", "run", "-n", "2", "-x", "A=b c", "./my prog", *words])

    def test_this_host_is_no_other(self):
        for name in ("localhost", "localhost:8", socket.gethostname(), f"{socket.gethostname()}:2,localhost"):
            self.assertEqual(self.shown("-H", name, "-np", "2"), ("-n 2", ""))

    def test_files_of_hosts(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "hosts")
            file.write_text("# ours\nnode1 slots=4 max_slots=8\n\nnode2:2\nnode3\n", encoding="ascii")
            for option in ("--hostfile", "-machinefile", "-f"):
                self.assertEqual(self.shown(option, str(file), "-np", "7"), ("--hosts node1:4,node2:2,node3 -n 7", ""))
            file.write_text("localhost slots=2\n", encoding="ascii")
            self.assertEqual(self.shown("--hostfile", str(file), "-np", "2"), ("-n 2", ""))
        done = self.oshrun("--hostfile", "/no/such/file", "-np", "2", "true")
        self.assertEqual((done.returncode, len(done.stderr.splitlines())), (1, 1))
        self.assertIn("/no/such/file", done.stderr)

    # Before, an empty list meant this host.
    def test_no_host_is_told(self):
        with tempfile.NamedTemporaryFile() as empty:
            for words, what in ((["-H", ""], "-H names no host"), (["--hosts="], "--hosts names no host"),
                                (["--hostfile", empty.name], "names no host")):
                done = self.oshrun(*words, "-np", "2", "true")
                self.assertEqual((done.returncode, len(done.stderr.splitlines())), (1, 1), done.stderr)
                self.assertIn(what, done.stderr)
        done = self.run_command(WINDROW, "run", "--hosts", "", "-n", "2", "true")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("names no host", done.stderr)

    def test_ignored_with_one_note(self):
        meant, note = self.shown("--mca", "btl", "tcp,self", "--oversubscribe", "-np", "2", "--map-by", "ppr:1:node",
                                 "--bind-to", "socket", "-N", "1", "--rank-by=slot")
        self.assertEqual(meant, "-n 2")
        self.assertEqual(len(note.splitlines()), 1)
        for option in ("--mca btl tcp,self", "--oversubscribe", "--map-by ppr:1:node", "--bind-to socket",
                       "-N 1", "--rank-by slot"):
            self.assertIn(option, note)

    def test_options_of_every_launcher(self):
        """Those that take a value take it, so that it is not the program."""
        words = ["--display", "map", "--output", "tag", "--stdin", "all", "--slot-list", "0-3", "--with-ft", "mpi", "-membind", "none",
                 "-launcher-exec", "/usr/bin/ssh", "--cpu-bind=none", "--timestamp-output", "--hetero-nodes", "-genvnone"]
        meant, note = self.shown("-np", "2", *words)
        self.assertEqual((meant, len(note.splitlines())), ("-n 2", 1))
        for option in words:
            self.assertIn(option.replace("=", " "), note)

    def test_typing_errors_are_not_ignored(self):
        done = self.oshrun("-np", "2", "--overscribe", "true")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("--overscribe", done.stderr)

    def test_version(self):
        for option in ("--version", "-V"):
            done = self.oshrun(option)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertRegex(done.stdout, r"^windrow [0-9.]+\n$")

    def test_several_programs_are_refused(self):
        done = self.oshrun("-np", "1", "true", ":", "-np", "1", "true")
        self.assertEqual((done.returncode, len(done.stderr.splitlines())), (1, 1))
        self.assertIn("':' begins another program", done.stderr)

    def test_runs(self):
        done = self.oshrun("--oversubscribe", "-x", "COLOUR=blue sky", "--mca", "a", "b", "-np", "3", "sh", "-c",
                           "echo $COLOUR $0", "-np")
        self.assertEqual((done.returncode, done.stdout), (0, 3 * "blue sky -np\n"), done.stderr)
        with tempfile.TemporaryDirectory() as folder:
            done = self.oshrun("-wdir", folder, "-np", "1", "pwd")
            self.assertEqual(os.path.realpath(done.stdout.strip()), os.path.realpath(folder))


if __name__ == "__main__":
    unittest.main()
