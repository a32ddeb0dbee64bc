# SPDX-License-Identifier: BSD-3-Clause
"""A plain build with the oldest tools that Windrow is for: CMake 3.22, as a Python wheel, and g++ 11."""
import os
import subprocess
import sys

import build
import children
from marks import RUN, Marks

VERSION = "3.22.6"
COMPILERS = {"CC": "gcc-11", "CXX": "g++-11"}


def folder():
    return build.directory(f"cmake-{VERSION}")


def command():
    return os.path.join(folder(), "cmake", "data", "bin", "cmake")


def why_not():
    """Gets it, unless it is there, or says why that is not possible."""
    if os.path.exists(command()):
        return ""
    done = subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps", "--target",
                           folder(), f"cmake=={VERSION}"], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.DEVNULL, check=False)
    return "" if done.returncode == 0 else f"pip cannot get cmake {VERSION}"


def check(results, _):
    results.add("plain build with the oldest tools", make(RUN))


def make(run):
    """What is printed if it fails. Once made, ahead perhaps, it is not made again by this run."""
    made = Marks(build.directory("plain.made"), run)
    if VERSION in made.lines():
        return ""
    script = os.path.join(build.ROOT, "tests", "consumer", "plain.sh")
    done = subprocess.run([script, build.ROOT, build.directory("plain"), command()], stdin=subprocess.DEVNULL, text=True,
                          env={**os.environ, **COMPILERS}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace", check=False,
                          preexec_fn=children.end_with_parent)
    if done.returncode == 0:
        made.add(VERSION)
    return done.stdout if done.returncode else ""
