# SPDX-License-Identifier: BSD-3-Clause
"""The Debian 12 packages that Windrow needs, and how they get onto the machine.

docs/dependencies.md says what each one is for.
"""
import os
import shutil
import subprocess
import sys

from build import Failure

BUILD = ["g++", "cmake", "ninja-build", "libfmt-dev", "libcli11-dev", "nlohmann-json3-dev", "libhwloc-dev",
         "pkg-config", "zlib1g-dev", "libgtest-dev"]
TEST = BUILD + ["clang-19", "libclang-rt-19-dev", "llvm-19-dev", "libclang-19-dev", "llvm-19-tools",
                "clang-16", "libclang-rt-16-dev", "llvm-16-dev", "libclang-16-dev",
                "clang-format-19", "clang-tidy-19", "valgrind", "gnuplot-nox", "python3-jsonschema",
                "openmpi-bin", "libopenmpi-dev", "mpich", "libmpich-dev", "iproute2", "slurmctld",
                "slurmd", "slurm-client"]


def missing(wanted):
    """Those of `wanted` that dpkg does not know as installed, in the order given."""
    if shutil.which("dpkg-query") is None:
        return []  # not Debian: CMake will name what it does not find
    answer = subprocess.run(["dpkg-query", "-W", "-f", "${Package} ${db:Status-Status}\n", *wanted],
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    installed = {line.split()[0] for line in answer.stdout.splitlines() if line.endswith(" installed")}
    return [name for name in wanted if name not in installed]


def ensure(wanted):
    """Installs what is missing of `wanted`, saying so in one line."""
    absent = missing(wanted)
    if not absent:
        return
    line = f"apt-get install --no-install-recommends {' '.join(absent)}"
    prefix = become_root()
    if prefix is None:
        raise Failure(f"please install the packages that are missing, as root: {line}")
    print(f"windrow: installing {' '.join(absent)}", file=sys.stderr, flush=True)
    # The package lists of a fresh machine are empty or old. A failing update is no reason to stop: one foreign
    # repository is enough for that, and what is wanted may well be known already.
    apt_get(prefix, ["update"])
    status, output = apt_get(prefix, ["install", "-y", "--no-install-recommends", *absent])
    if status != 0:
        raise Failure(f"could not install packages; the output of `{line}` was:\n{output}")


def become_root():
    """What to put in front of a command that needs root, or None where there is no way."""
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo") is None:
        return None
    # Somebody at a terminal can type the password; nobody else should be waited for.
    sudo = ["sudo"] if sys.stdin is not None and sys.stdin.isatty() else ["sudo", "-n"]
    return sudo if subprocess.run([*sudo, "true"], stderr=subprocess.DEVNULL, check=False).returncode == 0 else None


def apt_get(prefix, arguments):
    command = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", "-o", "DPkg::Lock::Timeout=300"]
    done = subprocess.run([*command, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
    return done.returncode, done.stdout
