# SPDX-License-Identifier: BSD-3-Clause
"""One progress bar for all that `./windrow` does before it acts: how far it is, and about how long it still takes."""
import os
import sys
import time

WIDTH = 20


class Bar:
    """`expected`: the steps and about how many seconds each takes. On a terminal the bar is drawn in place and is gone in the
    end; elsewhere each step that has something to do is one line."""

    def __init__(self, expected, out=None):
        self.expected, self.out = dict(expected), out or sys.stderr
        self.begin, self.done, self.step, self.drawn, self.told = time.monotonic(), 0.0, None, False, False

    def start(self, step):
        """The steps before are done; nothing is shown until `advance` says that there is something to do."""
        self.finish_step()
        self.step, self.told = step, False

    def advance(self, fraction):
        if not self.told:
            self.told = True
            if not self.out.isatty():
                print(f"windrow: {self.step}", file=self.out, flush=True)
        if self.out.isatty():
            self.draw(fraction)

    def draw(self, fraction):
        share = (self.done + fraction * self.expected.get(self.step, 0)) / max(sum(self.expected.values()), 1e-9)
        filled = int(share * WIDTH)
        columns = os.get_terminal_size(self.out.fileno()).columns or 80
        text = f"windrow [{'#' * filled}{'.' * (WIDTH - filled)}] {100 * share:3.0f} %{self.left(share)}  {self.step}"
        print(f"\r{text[:columns - 1]}\033[K", end="", file=self.out, flush=True)
        self.drawn = True

    def left(self, share):
        """What is left at the pace so far, once there is one."""
        seconds = time.monotonic() - self.begin
        if share < 0.02 or seconds < 3:
            return ""
        rest = seconds / share * (1 - share)
        return f", {rest / 60:.0f} min left" if rest >= 90 else f", {rest:.0f} s left"

    def finish_step(self):
        self.done += self.expected.get(self.step, 0)
        self.step = None

    def clear(self):
        """Makes room for other output."""
        if self.drawn:
            print("\r\033[K", end="", file=self.out, flush=True)
            self.drawn = False

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.clear()
