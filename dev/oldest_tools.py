# SPDX-License-Identifier: BSD-3-Clause
"""A plain build with the oldest tools that Windrow is for: CMake 3.22, as a Python wheel, and g++ 11."""
import os
import subprocess
import sys

import build

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
    script = os.path.join(build.ROOT, "tests", "consumer", "plain.sh")
    done = subprocess.run([script, build.ROOT, build.directory("plain"), command()], stdin=subprocess.DEVNULL, text=True,
                          env={**os.environ, **COMPILERS}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace", check=False)
    results.add("plain build with the oldest tools", done.stdout if done.returncode else "")
