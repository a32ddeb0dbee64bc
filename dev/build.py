# SPDX-License-Identifier: BSD-3-Clause
"""Configuring and building the presets of CMakePresets.json: incremental, and silent unless there is something to do."""
import contextlib
import fcntl
import os
import re
import shutil
import subprocess
import sys

import children

ROOT = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
PROGRESS = "@windrow@ "  # marks ninja's progress lines, so that they can be told from the compiler's
TOOLS = {"cmake": "cmake", "ninja": "ninja-build", "c++": "g++"}  # what any build needs, and the packages of it


class Failure(Exception):
    """Something the user has to see and mend; the text is all that is printed."""


def directory(preset):
    return os.path.join(ROOT, "build", preset)


@contextlib.contextmanager
def lock(name=""):
    """Lets one invocation at a time install packages and build in this checkout or, with a preset's name, build that one."""
    path = os.path.join(ROOT, "build", f".lock{name and '-' + name}")
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        file = open(path, "w", encoding="ascii")
    except OSError as error:
        raise Failure(f"{error.filename}: {error.strerror}; a checkout builds in its own folder, an installed `windrow` needs no build") from error
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("windrow: waiting for another build in this checkout", file=sys.stderr, flush=True)
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def compilers(preset):
    """`CC` and `CXX` of the build: as the environment says, else as it was made with, as long as they are there."""
    recorded = dict(line.split("=", 1) for line in read(os.path.join(directory(preset), "machine.txt")).splitlines() if "=" in line)
    there = {name: value for name, value in recorded.items() if name in ("CC", "CXX") and value and shutil.which(value.split()[0])}
    return {name: os.environ.get(name, "").strip() or there.get(name, "") for name in ("CC", "CXX")}


def check_compilers():
    """A failure if the environment names a compiler that is not there."""
    for name in ("CC", "CXX"):
        chosen = os.environ.get(name, "").split()[:1]
        if chosen and shutil.which(chosen[0]) is None:
            raise Failure(f"{name}: no program '{chosen[0]}' is in PATH; {name} names the compiler that Windrow itself is built with")


@contextlib.contextmanager
def without_compilers():
    """For commands of which `CC` and `CXX` name what compiles a program, not what Windrow itself is built with."""
    taken = {name: os.environ.pop(name) for name in ("CC", "CXX") if name in os.environ}
    try:
        yield
    finally:
        os.environ.update(taken)


def missing_tools():
    """The packages of the tools without which nothing can be configured."""
    check_compilers()
    chosen = {"c++": (os.environ.get("CXX", "").split() or ["c++"])[0]}
    return [package for tool, package in TOOLS.items() if shutil.which(chosen.get(tool, tool)) is None]


def machine(preset):
    """What changes when packages or libraries come or go: a folder that was configured in another state of the machine is configured again."""
    folders = ["/var/lib/dpkg/status", "/usr/bin", "/usr/lib", "/usr/local/bin", "/usr/local/lib", "/usr/local/include"]
    variables = ["PATH", "CXXFLAGS", "CFLAGS", "CMAKE_PREFIX_PATH", "PKG_CONFIG_PATH"]
    times = [f"{path} {os.stat(path).st_mtime_ns}" for path in folders if os.path.exists(path)]
    values = {name: os.environ.get(name, "") for name in variables} | compilers(preset)
    return "\n".join(times + [f"{name}={value}" for name, value in values.items()] + [sys.executable]) + "\n"


def ensure_room(megabytes):
    """A failure if the builds, which take so much in all, do not fit on the disk: better now than from a compiler in half an hour."""
    folder = os.path.join(ROOT, "build")
    there = sum(size_on_disk(os.path.join(path, name)) for path, _, names in os.walk(folder) for name in names)
    free = shutil.disk_usage(folder).free
    if there + free < megabytes * 1e6:
        raise Failure(f"{folder} needs {megabytes / 1000:.1f} GB; it has {there / 1e9:.1f} GB, and the disk has {free / 1e9:.1f} GB free: "
                      f"make room, or leave parts out by --without (`./windrow test --help`)")


def size_on_disk(path):
    try:
        return os.lstat(path).st_blocks * 512
    except FileNotFoundError:  # another invocation builds
        return 0


def configured(preset):
    """Whether the build folder is complete, was made for this checkout, not copied along from another place, and on the machine as
    it is now."""
    folder = directory(preset)
    if not os.path.exists(os.path.join(folder, "build.ninja")):
        return False
    return (f"CMAKE_HOME_DIRECTORY:INTERNAL={ROOT}\n" in read(os.path.join(folder, "CMakeCache.txt"))
            and read(os.path.join(folder, "machine.txt")) == machine(preset))


def read(path):
    if not os.path.exists(path):
        return ""
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def configure(preset):
    """From the beginning, since CMake remembers what it has found where."""
    if missing_tools():
        raise Failure(f"{' and '.join(missing_tools())} must be installed first: docs/install.md says what a build needs")
    folder, state = directory(preset), machine(preset)
    environment = dict(os.environ) | {name: value for name, value in compilers(preset).items() if value}
    for name in ("CMakeCache.txt", "machine.txt"):  # what fails leaves a folder that is not configured
        with contextlib.suppress(FileNotFoundError):
            os.remove(os.path.join(folder, name))
    if shutil.which("ccache"):
        environment.setdefault("CMAKE_C_COMPILER_LAUNCHER", "ccache")
        environment.setdefault("CMAKE_CXX_COMPILER_LAUNCHER", "ccache")
    done = subprocess.run(["cmake", "--preset", preset, f"-DPython3_EXECUTABLE={sys.executable}"], cwd=ROOT, env=environment,
                          text=True, check=False, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        raise Failure(f"configuring the {preset} build failed; docs/install.md says what a build needs:\n{done.stdout}")
    with open(os.path.join(folder, "machine.txt"), "w", encoding="utf-8") as file:
        file.write(state)


def build(preset, targets, progress):
    """Brings `targets` of `preset` up to date (all, if there are none); `progress(fraction)` is called while there is something to
    do."""
    with lock(preset):
        if not configured(preset):
            progress(0)
            configure(preset)
        status, output = run_ninja(preset, targets, progress)
    if status != 0:
        raise Failure(f"the {preset} build failed:\n{output}")


def of_clang():
    """The environment of clang and of clang-tidy: what they allocate is taken in large pages, which saves a tenth to a fifth of their
    time; g++ gains nothing by it."""
    return {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1", **os.environ}


def cached(preset, variable):
    """What CMake has found for this build; empty if nothing."""
    found = re.search(rf"^{variable}:\w+=(.*)$", read(os.path.join(directory(preset), "CMakeCache.txt")), re.MULTILINE)
    return found[1] if found else ""


def run_ninja(preset, targets, progress):
    """Returns ninja's exit status and what compilers said."""
    environment = dict(of_clang() if "clang" in cached(preset, "CMAKE_CXX_COMPILER") else os.environ, NINJA_STATUS=f"{PROGRESS}%f %t ")
    command = ["ninja", "-C", directory(preset), *targets]
    said = []
    with subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", preexec_fn=children.end_with_parent) as process:
        for line in process.stdout:
            if not line.startswith(PROGRESS):
                said.append(line)
                continue
            finished, of, what = line.removeprefix(PROGRESS).split(" ", 2)
            if not what.startswith("Re-checking"):  # that no file has appeared
                progress(int(finished) / max(int(of), 1))
    return process.returncode, "".join(said)


def parts(preset):
    """The parts (parts.py) that CMake has found for this build."""
    return set(read(os.path.join(directory(preset), "parts.txt")).split())


def targets(preset):
    """The targets that CMake has defined, configuring first if need be."""
    if not configured(preset):
        configure(preset)
    return set(read(os.path.join(directory(preset), "targets.txt")).split())
