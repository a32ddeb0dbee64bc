# SPDX-License-Identifier: BSD-3-Clause
"""How Debian's packages get onto the machine: never by sudo, and never at a terminal, without being asked for.

docs/dependencies.md says what each one is for.
"""
import os
import re
import shutil
import subprocess
import sys

import build
from build import Failure

BUILD = ["g++", "cmake", "ninja-build", "libfmt-dev", "libcli11-dev", "nlohmann-json3-dev", "libhwloc-dev",
         "libboost-context-dev", "pkg-config", "zlib1g-dev", "liblzma-dev", "libzstd-dev", "libgtest-dev"]


def missing(wanted):
    """Those of `wanted` that dpkg does not know as installed, in the order given."""
    if shutil.which("dpkg-query") is None:
        return []  # not Debian: CMake will name what it does not find
    answer = subprocess.run(["dpkg-query", "-W", "-f", "${Package} ${db:Status-Status}\n", *wanted],
                            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    installed = {line.split()[0] for line in answer.stdout.splitlines() if line.endswith(" installed")}
    return [name for name in wanted if name not in installed]


def line_to_type(names):
    return f"apt-get install --no-install-recommends {' '.join(names)}"


def install(names, yes=False):
    """Installs these packages, or says why not: returns an empty text if they are there now."""
    if shutil.which("apt-get") is None:
        return "there is no apt-get here"
    at_terminal = sys.stdin is not None and sys.stdin.isatty()
    if os.geteuid() != 0 and not (yes or at_terminal):
        return f"nobody to ask whether to use sudo (--yes allows it); to be installed as root by: {line_to_type(names)}"
    prefix = become_root(names, at_terminal and not yes)
    if prefix is None:
        return f"to be installed as root by: {line_to_type(names)}"
    print(f"windrow: installing {' '.join(names)}", file=sys.stderr, flush=True)
    # The package lists of a fresh machine are empty or old. A failing update is no reason to stop: one foreign
    # repository is enough for that, and what is wanted may well be known already.
    apt_get(prefix, ["update"])
    status, output = apt_get(prefix, ["install", "-y", "--no-install-recommends", *names])
    return "" if status == 0 else f"could not be installed; the output of `{line_to_type(names)}` was:\n{output}"


def become_root(names, ask):
    """What to put in front of a command that needs root, or None where there is no way or it is not wanted."""
    if os.geteuid() != 0 and shutil.which("sudo") is None:
        return None
    if ask and not agreed(names):
        return None
    if os.geteuid() == 0:
        return []
    # Somebody at a terminal can type the password; nobody else should be waited for.
    sudo = ["sudo"] if sys.stdin is not None and sys.stdin.isatty() else ["sudo", "-n"]
    return sudo if subprocess.run([*sudo, "true"], stderr=subprocess.DEVNULL, check=False).returncode == 0 else None


def agreed(names):
    means = "" if os.geteuid() == 0 else ", through sudo"
    print(f"windrow: {len(names)} packages are missing: {' '.join(names)}\n{size_of(names)}", file=sys.stderr)
    try:
        answer = input(f"Install them with apt-get{means}? [Y/n] ")
    except EOFError:
        return False
    return answer.strip().lower() in ("", "y", "yes")


def size_of(names):
    """What these and all that they need would take, in apt-get's words."""
    done = subprocess.run(["apt-get", "install", "--assume-no", "--no-install-recommends", "-o", "Debug::NoLocking=true", *names],
                          env={**os.environ, "LC_ALL": "C"}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True, check=False)
    lines = re.findall(r"^(?:\d+ upgraded, .*|Need to get .*|After this operation, .*)$", done.stdout, re.MULTILINE)
    return "\n".join(lines) or "How large they are is known after `apt-get update`."


def apt_get(prefix, arguments):
    command = [*prefix, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-q", "-o", "DPkg::Lock::Timeout=300"]
    done = subprocess.run([*command, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
    return done.returncode, done.stdout


def may_install(yes):
    """Whether there is a way to install packages, without asking anybody."""
    return shutil.which("apt-get") is not None and (os.geteuid() == 0 or yes)


def ensure(names, yes=False):
    """Installs what is missing of `names`; a failure if that cannot be done."""
    absent = missing(names)
    reason = install(absent, yes) if absent else ""
    if reason:
        raise Failure(f"packages are missing: {' '.join(absent)}: {reason}")


def ensure_build(yes=False):
    """Sees to what a build needs, which need not come from packages of Debian: what CMake finds is there."""
    if build.configured("release"):
        return
    if missing(BUILD) and (build.missing_tools() or not configures()):
        ensure(BUILD, yes)


def configures():
    try:
        build.configure("release")
    except Failure:
        return False
    return True
