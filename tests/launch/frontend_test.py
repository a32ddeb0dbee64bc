# SPDX-License-Identifier: BSD-3-Clause
"""Commands that start jobs and compilers: whatever ends them, these end too, and nothing is left."""
import os
import signal
import time
import unittest

from support import LIMIT_SECONDS, WINDROW, JobTest, main, processes_with

SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGKILL)


class Frontend(JobTest):
    def setUp(self):
        super().setUp()
        self.folder = self.temporary_folder()

    def wait_until(self, what):
        deadline = time.monotonic() + LIMIT_SECONDS
        while not what():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)

    def ends(self, words, has_begun, **options):
        """Started, ended by each signal once it `has_begun`; then all processes end, and files of its own go."""
        for number in SIGNALS:
            with self.subTest(words[0], signal=number.name):
                command = self.start(WINDROW, *map(str, words), cwd=self.folder, start_new_session=True, **options)
                self.wait_until(has_begun)
                command.send_signal(number)
                command.wait(LIMIT_SECONDS)
                self.wait_until(lambda: not processes_with(self.mark))
                for file in self.folder.glob("begun*"):
                    file.unlink()
                self.wait_until(lambda: not [file.name for file in self.folder.iterdir() if file.name.startswith("windrow-")])

    def program(self, name, text):
        file = self.folder / name
        file.write_text("#!/bin/sh\n" + text, encoding="ascii")
        file.chmod(0o755)
        return file

    def has_begun(self, count=1):
        return lambda: len(list(self.folder.glob("begun*"))) >= count

    def environment(self, **more):
        return super().environment(**{"TMPDIR": str(self.folder), **more})

    def test_kernels(self):
        at_work = lambda: any("kernels" in os.path.realpath(f"/proc/{pid}/exe") for pid in processes_with(self.mark))
        self.ends(["bench", "bale", "--scale", "16", "--repeats", "1000"], at_work)

    def test_overlap(self):
        wait = self.program("wait", "touch begun$$\nexec sleep 1000\n")
        self.ends(["overlap", "check", "-n", "2", wait], self.has_begun(2))
        self.ends(["overlap", "record", "-n", "2", wait], self.has_begun(2))

    def need_plug_in(self):
        done = self.run_command(WINDROW, "cc", "-fdefer", "-show", "a.c")
        if done.returncode != 0:
            self.skipTest(done.stderr)

    def test_compilers(self):
        self.need_plug_in()
        wait = self.program("compiler", "touch begun$$\nexec sleep 1000\n")
        (self.folder / "a.c").write_text("", encoding="ascii")
        self.ends(["cc", "-fdefer", "a.c"], self.has_begun(), env={"CC": str(wait)})

    def test_the_demo(self):
        slow = self.program("clang", "touch begun$$\nexec sleep 1000\n")
        self.need_plug_in()
        self.ends(["demo", "--only-directive"], self.has_begun(), env={"CC": str(slow)})

    def test_without_a_folder_for_temporary_files(self):
        nowhere = {"TMPDIR": str(self.folder / "none")}
        done = self.run_command(WINDROW, "overlap", "check", "-n", "1", "true", env=nowhere)
        self.assertEqual((done.returncode, done.stderr), (1, "windrow: overlap: true has no plan: compile it with -foverlap-plan=FILE\n"))
        done = self.run_command(WINDROW, "demo", "--only-directive", env=nowhere)
        if done.returncode != 0:  # else the plug-in is not built
            self.assertEqual(done.stderr, f"windrow: cannot make a folder in {self.folder}/none: No such file or directory; "
                                          "TMPDIR names another place\n")


if __name__ == "__main__":
    main()
