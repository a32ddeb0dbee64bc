# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of `windrow overlap` have in common: the command in a folder of its own, and lines of programs by their names."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

WINDROW = sys.argv[1]


def line_of(source, name):
    """A line with a name in a comment is found by it."""
    return next(i for i, line in enumerate(source.splitlines(), 1) if re.search(rf"// {name}$", line))


class OverlapCase(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def do(self, *words, code=0, **environment):
        done = subprocess.run([WINDROW, *map(str, words)], cwd=self.folder, capture_output=True, text=True, timeout=120, check=False,
                              env={**os.environ, "WINDROW_STALL_SECONDS": "30", "WINDROW_STALL_ABORT": "1", **environment})
        self.assertEqual(done.returncode, code, done.stderr + done.stdout)
        return done

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="ascii")
