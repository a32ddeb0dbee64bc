# SPDX-License-Identifier: BSD-3-Clause
"""What passed, what failed by name, what was left out and why, and how long each step took."""
import time

import build


class Results:
    def __init__(self, bar):
        self.bar = bar
        self.passed, self.failed, self.steps = 0, [], []
        self.left_out = {}  # part -> (what it is, why)
        self.ran = {}  # part -> tests that ran

    def say(self, text):
        self.bar.clear()
        print(text.rstrip(), flush=True)

    def add(self, name, complaint=""):
        """Counts one check: passed if there is nothing to complain about."""
        if complaint:
            self.failed.append(name)
            self.say(complaint)
        else:
            self.passed += 1

    def leave_out(self, part, why, forbidden):
        self.left_out[part.name] = (part.what, why)
        if forbidden:
            self.add(f"part {part.name}", f"--complete: {part.name} ({part.what}) was left out: {why}")

    def step(self, name, function):
        """Runs `function(self)`, timing it."""
        self.bar.start(name)
        self.bar.advance(0)
        begin, failed = time.monotonic(), len(self.failed)
        try:
            function(self)
        except build.Failure as failure:
            self.add(name, str(failure))
        seconds = time.monotonic() - begin
        verdict = "ok" if len(self.failed) == failed else "FAILED"
        self.steps.append((name, seconds, verdict))
        self.say(f"{seconds:8.1f} s  {verdict:6}  {name}")

    def summary(self):
        self.bar.clear()
        print()
        for name, seconds, verdict in self.steps:
            print(f"{seconds:8.1f} s  {verdict:6}  {name}")
        print(f"{sum(seconds for _, seconds, _ in self.steps):8.1f} s  in all")
        if self.ran:
            print("tests by part: " + ", ".join(f"{name} {count}" for name, count in self.ran.items()))
        for name, (what, why) in self.left_out.items():
            print(f"left out: {name} ({what}): {why}")
        for name in self.failed:
            print(f"failed: {name}")
        skipped = f", {len(self.left_out)} skipped" if self.left_out else ""
        print(f"{self.passed} passed, {len(self.failed)} failed{skipped}", flush=True)
        return 1 if self.failed else 0
