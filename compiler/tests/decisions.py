#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""decisions.py [--all-levels] --plugin CLANG=FILE [--plugin CLANG=FILE]... PROGRAM...

What the compiler says about each program, and so what it decides, is the same at the highest level for the first clang and at the lowest
for the others (A5); where there are no others, at both for the first. With --all-levels it is the same at all levels, with and without -g,
and at the highest for every clang. With -g it may know variables by better names.
"""
import argparse
import concurrent.futures
import difflib
import itertools
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Alike within a list; (levels of the first clang, levels of the others).
LEVELS = [(["-O3 -g"], ["-O0 -g"])]
ALONE = [(["-O0 -g", "-O3 -g"], [])]
ALL_LEVELS = [(["-O0", "-O1", "-O2", "-O3"], ["-O3"]), (["-O0 -g", "-O3 -g"], ["-O3 -g"])]
FLAGS = [f"-I{ROOT}/include", f"-I{ROOT}/compiler/tests/reorder", "-DREORDER", "-fno-discard-value-names", "-Xclang",
         "-disable-lifetime-markers", *(f"-R{kind}=windrow-defer" for kind in ("pass", "pass-missed", "pass-analysis")),
         "-Rpass-analysis=windrow-defer-lines", "-emit-llvm", "-c", "-o", os.devnull,
         "-mllvm", "-opt-bisect-limit=0"]  # nothing of the optimiser behind the pass, which says no more
OURS = re.compile(r":\d+:\d+: (remark|warning|error): .*(\[-W(error,-W)?(pass-failed|pass-analysis)|windrow-defer|pragma shmem)")


def said(clang, plugin, level, program):
    """What is said of directives, line by line, in the order of the file."""
    language = [clang.replace("clang", "clang++"), "-std=c++20"] if program.suffix == ".cpp" else [clang]
    command = [*language, f"-fplugin={plugin}", *level.split(), *FLAGS, str(program)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return sorted(line for line in done.stderr.splitlines() if OURS.search(line))


def check(plugins, levels, program):
    """(number of remarks, differences)."""
    first, remarks, differences = None, [], []
    of_first, of_others = levels
    for (clang, plugin), level in [(plugins[0], level) for level in of_first] + list(itertools.product(plugins[1:], of_others)):
        lines, name = said(clang, plugin, level, program), f"{pathlib.Path(clang).name} {level}"
        if first is None:
            first, remarks = name, lines
        differences += difflib.unified_diff(remarks, lines, first, name, lineterm="", n=0)
    return len(remarks), differences


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--all-levels", action="store_true")
    parser.add_argument("--plugin", action="append", required=True, metavar="CLANG=FILE")
    parser.add_argument("programs", nargs="+", type=pathlib.Path)
    options = parser.parse_args()
    plugins = [one.split("=", 1) for one in options.plugin]
    levels = ALL_LEVELS if options.all_levels else LEVELS if len(plugins) > 1 else ALONE
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        results = list(pool.map(lambda work: check(plugins, *work), itertools.product(levels, options.programs)))
    total, differences = sum(count for count, _ in results), [line for _, lines in results for line in lines]
    print("\n".join(differences))
    print(f"{len(options.programs)} programs, {total} remarks, {len(plugins)} compilers")
    return 1 if differences or total == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
