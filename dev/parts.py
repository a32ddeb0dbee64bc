# SPDX-License-Identifier: BSD-3-Clause
"""The parts of the project that a machine may lack: what each needs, and whether this machine can have it.

A part that the machine can have is installed, built and tested, or `./windrow test` fails. The names are those of
`--without`, of the labels of the tests (`windrow_needs_parts`) and of what a build has (`windrow_has_part`).
"""
import dataclasses
import importlib.util
import os
import shutil
import subprocess
import sys
import tempfile
import typing

import build
import oldest_tools

CLANG = ("clang-19", "libclang-rt-19-dev", "lld-19")


def program(*names):
    """An obstacle: one of these programs is missing."""

    def why_not():
        absent = [name for name in names if shutil.which(name) is None]
        return f"{absent[0]} is not installed" if absent else ""

    return why_not


def module(name):
    """An obstacle: the Python of the tests has no such module."""

    def why_not():
        return "" if importlib.util.find_spec(name) else f"{sys.executable} has no module {name}"

    return why_not


def source(name):
    """An obstacle: the compiler finds no such header."""

    def why_not():
        if shutil.which("g++") is None:
            return "g++ is not installed"
        done = subprocess.run(["g++", "-E", "-x", "c++", "-include", name, "-"], check=False, input="", text=True,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return "" if done.returncode == 0 else f"g++ does not find {name}"

    return why_not


def sanitizer(name):
    """An obstacle: no program with this sanitizer can be made here, as the presets make them, or none runs."""

    def why_not():
        if shutil.which("clang++-19") is None:
            return "clang++-19 is not installed"
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run(["clang++-19", f"-fsanitize={name}", "-fuse-ld=lld", "-x", "c++", "-", "-o", f"{folder}/probe"], check=False,
                                  input="int main() {}", text=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            if done.returncode != 0:
                return f"clang++-19 makes no programs with -fsanitize={name} and lld"
            ran = subprocess.run([f"{folder}/probe"], check=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            return "" if ran.returncode == 0 else f"programs with -fsanitize={name} do not run here"

    return why_not


def debugger():
    """An obstacle: gdb is missing, or may not run programs here."""
    if shutil.which("gdb") is None:
        return "gdb is not installed"
    done = subprocess.run(["gdb", "-nx", "-batch", "-ex", "python print('has python')", "-ex", "run", shutil.which("true")], check=False,
                          text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return "" if "has python" in done.stdout and "exited normally" in done.stdout else "gdb runs no programs here"


def hosts(name):
    """An obstacle: what tests/hosts/cluster.py says."""

    def why_not():
        path = os.path.join(build.ROOT, "tests", "hosts", "cluster.py")
        spec = importlib.util.spec_from_file_location("cluster", path)
        cluster = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(cluster)
        return getattr(cluster, name)()

    return why_not


def header(*names):
    """An obstacle: pkg-config knows none of these packages."""

    def why_not():
        if shutil.which("pkg-config") is None:
            return "pkg-config is not installed"
        done = subprocess.run(["pkg-config", "--exists", *names], check=False)
        return "" if done.returncode == 0 else f"pkg-config does not know {' and '.join(names)}"

    return why_not


def all_of(*obstacles):
    def why_not():
        return next((reason for obstacle in obstacles if (reason := obstacle())), "")

    return why_not


def any_of(*obstacles):
    def why_not():
        reasons = [obstacle() for obstacle in obstacles]
        return " and ".join(reasons) if all(reasons) else ""

    return why_not


@dataclasses.dataclass(frozen=True)
class Part:
    """`in_build`: CMake finds it or not, and tests of the release build need it; otherwise it is a step of its own."""
    name: str
    what: str
    packages: tuple
    why_not: typing.Callable[[], str]
    in_build: bool = False


def plug_in(release):
    return Part(f"clang-{release}", f"#pragma shmem defer with clang {release}",
                (f"clang-{release}", f"libclang-rt-{release}-dev", f"llvm-{release}-dev", f"libclang-{release}-dev")
                + (("llvm-19-tools",) if release == 19 else ()),
                program(f"clang++-{release}", f"llvm-config-{release}"), in_build=True)


OPEN_MPI = all_of(program("mpirun.openmpi"), header("ompi-c"))
MPICH = all_of(program("mpiexec.mpich"), header("mpich"))
ANY_MPI = any_of(OPEN_MPI, MPICH)

ALL = [
    Part("clang-format", "layout of the sources", ("clang-format-19",), program("clang-format-19")),
    plug_in(19),
    plug_in(16),
    Part("openmpi", "jobs of Open MPI's mpirun", ("openmpi-bin", "libopenmpi-dev"), OPEN_MPI, in_build=True),
    Part("mpich", "jobs of MPICH's mpiexec", ("mpich", "libmpich-dev"), MPICH, in_build=True),
    Part("name-spaces", "jobs on hosts made of name spaces", ("iproute2",), all_of(ANY_MPI, hosts("why_not")),
         in_build=True),
    Part("distant-hosts", "such hosts at a distance", ("iproute2",), all_of(ANY_MPI, hosts("why_no_delay")),
         in_build=True),
    Part("slurm", "jobs of Slurm's srun", ("slurmctld", "slurmd", "slurm-client"),
         all_of(ANY_MPI, hosts("why_not"), program("slurmctld", "slurmd", "srun")), in_build=True),
    Part("charts", "charts of benchmarks", ("gnuplot-nox",), program("gnuplot"), in_build=True),
    Part("result-files", "the schema of result files", ("python3-jsonschema",), module("jsonschema"), in_build=True),
    Part("models", "protocols between threads in Relacy", ("relacy-dev",), source("relacy/relacy.hpp"), in_build=True),
    Part("gdb", "light threads listed in gdb", ("gdb",), debugger, in_build=True),
    Part("onetbb", "the benchmark of tasks beside oneTBB", ("libtbb-dev",), source("tbb/version.h"), in_build=True),
    Part("serialized-objects", "mobile objects of classes that are not plain bytes", ("libcereal-dev",),
         source("cereal/cereal.hpp"), in_build=True),
    Part("compressed-graphs", "graph files compressed by xz and zstd", ("liblzma-dev", "libzstd-dev", "zstd"),
         all_of(program("zstd"), header("liblzma", "libzstd")), in_build=True),
    Part("networkx", "graph files against another reader", ("python3-networkx",), module("networkx"), in_build=True),
    Part("docs-site", "the documents as a site", ("mkdocs-material", "doxygen"), program("mkdocs", "doxygen"), in_build=True),
    Part("build-systems", "OpenSHMEM projects with make, CMake, autoconf, Meson", ("make", "autoconf", "meson"),
         program("make", "autoconf", "meson"), in_build=True),
    Part("address-sanitizer", "all tests under the address and undefined-behaviour sanitizers", CLANG,
         sanitizer("address,undefined")),
    Part("clang-tidy", "static checks of the sources", CLANG + ("clang-tidy-19",), program("clang-tidy-19", "clang++-19")),
    Part("thread-sanitizer", "tests of threads under the thread sanitizer", CLANG, sanitizer("thread")),
    Part("arm64", "the library on ARM64, emulated", ("g++-aarch64-linux-gnu", "qemu-user"),
         program("aarch64-linux-gnu-g++", "qemu-aarch64")),
    Part("oldest-tools", f"a plain build with CMake {oldest_tools.VERSION} and g++ 11", ("python3-pip", "g++-11"),
         all_of(program("g++-11"), oldest_tools.why_not)),
]
NAMES = [part.name for part in ALL]
