# SPDX-License-Identifier: BSD-3-Clause
"""Configuring and building the presets of CMakePresets.json: incremental, and silent unless it fails."""
import contextlib
import fcntl
import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
PROGRESS = "@windrow@ "  # marks ninja's progress lines, so that they can be told from the compiler's


class Failure(Exception):
    """Something the user has to see and mend; the text is all that is printed."""


def directory(preset):
    return os.path.join(ROOT, "build", preset)


@contextlib.contextmanager
def lock():
    """Lets one invocation at a time install packages and build in this checkout."""
    os.makedirs(os.path.join(ROOT, "build"), exist_ok=True)
    with open(os.path.join(ROOT, "build", ".lock"), "w", encoding="ascii") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("windrow: waiting for another build in this checkout", file=sys.stderr, flush=True)
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def build(preset, targets):
    """Brings `targets` of `preset` up to date."""
    if not configured(preset):
        configure(preset)
    status, output = run_ninja(preset, targets)
    if status != 0:
        raise Failure(f"the {preset} build failed:\n{output}")


def configured(preset):
    """Whether the build folder is complete and was made for this checkout, not copied along from another place."""
    cache = os.path.join(directory(preset), "CMakeCache.txt")
    if not os.path.exists(os.path.join(directory(preset), "build.ninja")) or not os.path.exists(cache):
        return False
    with open(cache, encoding="utf-8", errors="replace") as file:
        return f"CMAKE_HOME_DIRECTORY:INTERNAL={ROOT}\n" in file


def configure(preset):
    environment = dict(os.environ)
    if shutil.which("ccache"):
        environment.setdefault("CMAKE_C_COMPILER_LAUNCHER", "ccache")
        environment.setdefault("CMAKE_CXX_COMPILER_LAUNCHER", "ccache")
    done = subprocess.run(["cmake", "--preset", preset, "--fresh"], cwd=ROOT, env=environment, text=True, check=False,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        raise Failure(f"configuring the {preset} build failed:\n{done.stdout}")


def run_ninja(preset, targets):
    """Runs ninja with a progress line on a terminal. Returns its exit status and what compilers said."""
    environment = dict(os.environ, NINJA_STATUS=f"{PROGRESS}[%f/%t] ")
    command = ["ninja", "-C", directory(preset), *targets]
    said = []
    with subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace") as process:
        show = progress_line(f"windrow: building {os.path.relpath(directory(preset), ROOT)}")
        for line in process.stdout:
            if line.startswith(PROGRESS):
                show(line.removeprefix(PROGRESS).split(" ", 1)[0])
            else:
                said.append(line)
        show(None)
    return process.returncode, "".join(said)


def progress_line(text):
    """A function that shows how far we are: in place on a terminal, else just once. None ends it."""
    shown = False

    def show(state):
        nonlocal shown
        if sys.stderr.isatty():
            if state is not None:
                print(f"\r{text} {state}", end="", file=sys.stderr, flush=True)
            elif shown:
                print("\r\033[K", end="", file=sys.stderr, flush=True)
        elif state is not None and not shown:
            print(text, file=sys.stderr, flush=True)
        shown = shown or state is not None

    return show
