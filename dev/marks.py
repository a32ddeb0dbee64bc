# SPDX-License-Identifier: BSD-3-Clause
"""What work ahead (ahead.py) tells the steps of the same run of `./windrow test`: lines in a file of the build folder, such as the names of
what has passed and is not looked at again."""
import os
import time

import build

RUN = str(time.time_ns())  # this run of `./windrow test`; those that work ahead of it are told


class Marks:
    def __init__(self, path, run):
        self.path, self.run = path, run

    def lines(self):
        run, *lines = build.read(self.path).splitlines() or [""]
        return lines if run == self.run else []

    def add(self, line):
        begins = build.read(self.path).split("\n", 1)[0] != self.run
        os.makedirs(os.path.dirname(self.path), exist_ok=True)
        with open(self.path, "w" if begins else "a", encoding="utf-8") as file:
            file.write(f"{self.run}\n{line}\n" if begins else f"{line}\n")
