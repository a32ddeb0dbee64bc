# SPDX-License-Identifier: BSD-3-Clause
"""What each subcommand of `windrow` needs of the build, and no more."""
import contextlib
import os
import signal

import build
import packages
import parts
from progress import Bar

MODULES = ("windrow_mpi_openmpi", "windrow_mpi_mpich")  # jobs on several hosts; those that CMake has found
PLUG_INS = ("windrow_clang", "windrow_clang-16")

# Programs that `windrow bench NAME` starts; of others, bench_NAME.
BENCHMARKS = {"bale": ("kernels",), "latency-sweep": ("kernels",), "predict": ("simulate",),
              "optimiser": ("optimiser_programs",),
              "hosts": ("bench_hosts", "bench_plain_openmpi", "bench_plain_mpich", *MODULES)}


def permission(arguments):
    """Whether packages may be installed without asking, and what else the command line says."""
    place = next((place for place, word in enumerate(arguments[:2]) if word == "--yes"), None)
    return place is not None, arguments if place is None else arguments[:place] + arguments[place + 1:]


def prepare(words, yes):
    """Brings up to date what `windrow WORDS` starts."""
    with build.lock(), build.without_compilers() if compiles_a_program(words) else contextlib.nullcontext():
        packages.ensure_build(yes)
        if wants_plug_in(words):
            ensure_plug_in(yes)
        with Bar({"building": 60}) as bar:
            bar.start("building")
            build.build("release", targets(words), bar.advance)


def become(command, words):
    """Replaces this process by the command. Python ignores two signals, which others count on: without the first, what writes into a
    pipe that nobody reads goes on for ever."""
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    os.execv(command, [command, *words])


def targets(words):
    """The targets that the command line needs; what CMake has not defined is left to the command to complain of."""
    known = build.targets("release")
    return [name for name in ["windrow_command", *of_command(words)] if name in known]


def of_command(words):
    command = command_of(words)
    if command == "demo":
        return ("kernels",)
    if command in ("graph", "balance"):
        return ()
    if command == "bench":
        return tuple(target for word in words for target in BENCHMARKS.get(word, (f"bench_{word.replace('-', '_')}",)))
    return (*MODULES, *PLUG_INS) if wants_plug_in(words) else MODULES


def command_of(words):
    return next((word for word in words if not word.startswith("-")), "")


def compiles_a_program(words):
    return command_of(words) in ("cc", "c++", "explain")


def wants_plug_in(words):
    command = command_of(words)
    if command in ("cc", "c++") and any(word.startswith(("-fdefer", "-fcomm", "-foverlap")) for word in words):
        return True
    return (command == "explain" or command == "bench" and "optimiser" in words) and not {"-h", "--help"} & set(words)


def ensure_plug_in(yes):
    """Of the releases of clang that the plug-in is for, the newest, unless there is one already."""
    plug_ins = [part for part in parts.ALL if part.name.startswith("clang-") and part.in_build]
    if build.configured("release") and any(part.name in build.parts("release") for part in plug_ins):
        return
    packages.ensure(plug_ins[0].packages, yes)
