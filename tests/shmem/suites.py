#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Builds and runs the public OpenSHMEM suites, unmodified, with Windrow's wrappers.

  suites.py FOLDER... [-n PES] [--only REGEX] [--seconds S] [--bin build/release/bin]

Each folder is a copy of a suite, which its files tell: the tests of Sandia OpenSHMEM, shmemvv, Mellanox's verifier, the OSU
micro-benchmarks, the examples of openshmem-org, or the tests of the University of Houston. Every program of the suite is
compiled by oshcc or oshc++ and started by oshrun. One that fails must be in known_failures.toml, with the sentence of the
standard that excuses it; one that is there and passes is named too. The exit code is 0 if nothing unexpected happened.
"""

import argparse
import concurrent.futures
import itertools
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import tomllib

HERE = pathlib.Path(__file__).resolve().parent


class Program:
    """One executable of a suite, and the argument lists that it is to be run with."""

    def __init__(self, name, sources, flags=(), runs=((),), pes=None):
        self.name, self.sources, self.flags, self.runs, self.pes = name, sources, list(flags), list(runs), pes


def each_file(suite, folder, patterns, flags=(), others=(), **options):
    for pattern in patterns:
        for source in sorted(folder.glob(pattern)):
            if source not in others:
                name = f"{suite}/{source.relative_to(folder).with_suffix('')}"
                yield Program(name, [source, *others], flags, **options)


def sandia(folder):
    test = folder / "test"
    flags = [f"-I{test}/include", "-DENABLE_DEPRECATED_TESTS", "-DENABLE_SHMEMX_TESTS", "-fopenmp"]
    more = {}  # sources of a program besides its own, as makefiles have them
    for makefile in test.glob("*/Makefile.am"):
        for program, names in re.findall(r"^(\w+)_SOURCES = (.*)", makefile.read_text(), re.M):
            more[program] = [makefile.parent / name for name in names.split() if name.endswith(".c") and name != f"{program}.c"]
    parts = set(itertools.chain(*more.values()))
    patterns = [f"{part}/*.{ending}" for part in ("unit", "spec-example", "shmemx", "apps") for ending in ("c", "cpp")]
    for program in each_file("sandia", test, patterns, flags, parts):
        program.sources = program.sources[:1] + more.get(program.sources[0].stem, [])
        yield program


def shmemvv(folder):
    source = folder / "src"
    return each_file("shmemvv", source, ["unit/c/*/*.c", "unit/c11/*/*.c"], [f"-I{source}/include"], [source / "log.c", source / "shmemvv.c"])


def verifier(folder):
    makefile = (folder / "Makefile.am").read_text()
    sources = [folder / name for name in re.findall(r"^\s*(\S+\.c)\b", makefile, re.M) if "template" not in name]
    parts = ["basic", "data", "atomic", "coll", "reduce", "lock", "stride", "sync", "misc", "nbi"]  # not analysis, which measures for minutes
    flags = [f"-I{folder}", f"-I{folder}/cmn", "-DHAVE_UNISTD_H", "-DHAVE_NBI", "-DHAVE_ALLTOALL", "-DQUICK_TEST"]
    yield Program("verifier", [s for s in sources if s.exists() and s.parent.name != "mix"], flags,
                  [("exec", "--task", part) for part in parts])


def osu(folder):
    source = next(p for p in (folder / "openshmem", folder / "c" / "openshmem") if p.is_dir())
    common = [*source.glob("osu_common.c"), *(folder / "c" / "util").glob("*.c")]
    flags = [f"-I{source}", f"-I{folder}/c/util", "-DPACKAGE_VERSION=\"\"", "-D_GNU_SOURCE"]
    for program in each_file("osu", source, ["osu_oshm_*.c"], flags, common):
        if not re.search("barrier|broadcast|collect|reduce", program.name):
            program.runs, program.pes = [("heap",), ("global",)], 2
        yield program


def houston(folder):
    return each_file("houston", folder / "feature_tests" / "C", ["*.c"], pes=4)


def examples(folder):
    return each_file("examples", folder, ["c/*.c", "c++/*.cxx"], pes=4)  # as many of them expect


# A file that tells the suite, and what makes its programs.
SUITES = [("test/include/tests_sos", sandia), ("shmemvv.sh", shmemvv), ("osh_main.c", verifier),
          ("openshmem/osu_oshm_put.c", osu), ("c/openshmem/osu_oshm_put.c", osu), ("c/rotput.c", examples),
          ("feature_tests/C/test_shmem_get.c", houston)]


def programs_of(folder):
    for inside in (folder, folder / "verifier"):
        for mark, suite in SUITES:
            if (inside / mark).exists():
                return list(suite(inside))
    sys.exit(f"{folder} is none of the suites that this script knows: no {', '.join(mark for mark, _ in SUITES)} in it")


class Runner:
    def __init__(self, options, scratch):
        self.options, self.scratch = options, scratch

    def started(self, *command):
        try:
            return subprocess.run(list(map(str, command)), cwd=self.scratch, capture_output=True, text=True,
                                  errors="replace", stdin=subprocess.DEVNULL, timeout=self.options.seconds)
        except subprocess.TimeoutExpired as late:
            output = (late.stdout or b"").decode(errors="replace") + (late.stderr or b"").decode(errors="replace")
            return subprocess.CompletedProcess(command, "no end", output, "")

    def build(self, program):
        """The executable, or what the compiler said."""
        target = self.scratch / program.name.replace("/", ".")
        wrapper = "oshc++" if program.sources[0].suffix in (".cpp", ".cxx") else "oshcc"
        done = self.started(self.options.bin / wrapper, *program.sources, "-O1", "-w", *program.flags, "-I.", "-o", target,
                            "-lm")
        return (target, "") if done.returncode == 0 else (None, f"exit code {done.returncode}\n{done.stderr}")

    def run(self, program, target, arguments):
        pes = program.pes or self.options.n
        done = self.started(self.options.bin / "oshrun", "-np", pes, target, *arguments)
        output = done.stdout + done.stderr
        failed = done.returncode != 0 or re.search(r"\bFAIL(ED)?\b(?! *[:=] *0)", output)
        return f"exit code {done.returncode}\n{output}" if failed else None


def results(runner, programs):
    """Yields the name of each test and what went wrong, or None."""
    with concurrent.futures.ThreadPoolExecutor(runner.options.jobs) as pool:
        for program, (target, problem) in zip(programs, pool.map(runner.build, programs)):
            if target is None:
                yield program.name, "does not compile\n" + problem
                continue
            for arguments in program.runs:
                yield " ".join((program.name, *arguments[-1:])), runner.run(program, target, arguments)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="+", type=pathlib.Path)
    parser.add_argument("-n", default=2, type=int, metavar="PES", help="PEs of each run (default: 2)")
    parser.add_argument("--only", default="", metavar="REGEX", help="only programs whose names match")
    parser.add_argument("--seconds", default=120, type=float, metavar="S", help="limit of each step")
    parser.add_argument("--jobs", default=2, type=int, metavar="N", help="compilers at a time")
    parser.add_argument("--bin", default=HERE.parents[1] / "build" / "release" / "bin", type=pathlib.Path,
                        help="folder of oshcc and oshrun")
    options = parser.parse_args()
    options.bin = options.bin.resolve()
    known = {entry["test"]: entry["because"] for entry in
             tomllib.loads((HERE / "known_failures.toml").read_text()).get("failure", [])}
    programs = [p for folder in options.folder for p in programs_of(folder.resolve()) if re.search(options.only, p.name)]
    count = {"passed": 0, "known": 0, "unexpected": 0}
    os.environ.setdefault("WINDROW_STALL_SECONDS", "20")
    with tempfile.TemporaryDirectory() as scratch:
        for unused in ("config.h", "mpi.h"):  # which Mellanox's verifier includes and takes nothing from
            pathlib.Path(scratch, unused).touch()
        for name, problem in results(Runner(options, pathlib.Path(scratch)), programs):
            count[outcome(name, problem, known)] += 1
            sys.stdout.flush()
    print(", ".join(f"{number} {what}" for what, number in count.items()))
    return 1 if count["unexpected"] else 0


def outcome(name, problem, known):
    if problem is None:
        print(f"passed      {name}" + (", though it is a known failure" if name in known else ""))
        return "passed"
    if name in known:
        print(f"known       {name}: {known[name]}")
        return "known"
    print(f"UNEXPECTED  {name}: " + "\n    ".join(problem.splitlines()[:12]))
    return "unexpected"


if __name__ == "__main__":
    sys.exit(main())
