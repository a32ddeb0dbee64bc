#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""mutations.py --plugin FILE [--clang CLANG] [--programs N] [--by fuzzer] [--rules NAME,...]

Leaves out one rule of the pass at a time (or several that say the same: NAME+NAME), and expects that the tests notice: the expected
diagnostics, else a program's output, else the fuzzer, within N programs.
"""
import argparse
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
# Without these the faults come back that the pass has had. wrappers: their effects are lost; get-types: a get fetches as much as its
# variable takes; arms: a value is used outside of its arm; fetch-order+contexts, fetch-order: puts and stores overtake fetches; drains: static
# variables, arrays of blocks and the effects of fetches are not complete where they are seen; returns: what a function has captured by reference is
# not; dead-ends: exceptions end frames in use; output: it changes its order; early-reads+origins: reads come too late; unwritten: a fetch that is
# made in any case reads what the statement writes; early-contexts, existing-contexts: it is made on a context that is not there to load, or to use.
RULES = ["whole-statements", "written-locals", "must-alias", "versions", "reachability", "drains", "parents", "origins", "fetch-order",
         "contexts", "calls", "output", "dead-ends", "levels", "returns", "addresses", "rounds", "steps", "parts", "unsigned", "strided", "allocators",
         "wrappers", "get-types", "arms", "fetch-order+contexts", "early-reads+origins", "unwritten", "early-contexts", "existing-contexts"]


def diagnostics_notice(options, rule):
    """Whether a file with expected diagnostics complains."""
    flags = ["-fno-discard-value-names", "-Xclang", "-disable-lifetime-markers", f"-I{HERE.parents[1]}/include",
             f"-fplugin={options.plugin}", "-O1", "-o", "/dev/null", *(f"-fplugin-arg-windrow-without-{one}" for one in rule.split("+"))]
    files = {"refusals.c": "windrow-defer-lines", "strict.c": "windrow-defer-lines", "drains.c": "windrow-defer",
             "order.c": "windrow-defer"}
    return any(subprocess.run([options.clang, *flags, f"-Rpass-analysis={remarks}", "-c", HERE / "lit" / name,
                               "-Xclang", "-verify"], capture_output=True, check=False).returncode
               for name, remarks in files.items())


def programs_notice(options, rule):
    """Whether a program with every kind of statement, of levels, or of addresses prints something else."""
    command = [sys.executable, HERE / "same.py", "--clang", options.clang, "--plugin", options.plugin, "--levels", "O1",
               "--without", rule.replace("+", ",")]
    programs = [HERE / "lit" / "Inputs" / "shapes.c",
                *(HERE / "programs" / name for name in ("as_written.c", "several.c", "recurrences.c", "conditions.c", "counters.c",
                                                        "cursors.cpp", "arenas.cpp"))]
    return any(subprocess.run([*command, program], capture_output=True, check=False).returncode != 0 for program in programs)


def fuzzer_notices(options, rule):
    command = [sys.executable, HERE / "fuzz" / "fuzz.py", "--clang", options.clang, "--plugin", options.plugin,
               "--without", rule.replace("+", ","), "--programs", str(options.programs)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    tried = re.search(r"^(\d+) programs", done.stdout, re.MULTILINE)
    return tried and done.returncode == 0 and f"within {tried[1]} programs"


WAYS = {"diagnostics": diagnostics_notice, "programs": programs_notice, "fuzzer": fuzzer_notices}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--clang", default="clang-19")
    parser.add_argument("--programs", type=int, default=1000)
    parser.add_argument("--by", choices=WAYS, help="in this way alone")
    parser.add_argument("--rules", default=",".join(RULES), help="which are left out")
    options = parser.parse_args()
    ways = {options.by: WAYS[options.by]} if options.by else WAYS
    return missed(options, options.rules.split(","), ways) != 0


def missed(options, rules, ways):
    """How many of the rules can be left out without notice in any of the ways, each of which says whether it notices, or how."""
    count = 0
    for rule in rules:
        by = next(((name, how) for name, notices in ways.items() if (how := notices(options, rule))), None)
        how = f" {by[1]}" if by and isinstance(by[1], str) else ""
        print(f"without {rule}: {f'noticed by {by[0]}{how}' if by else 'NOT NOTICED'}", flush=True)
        count += not by
    return count


if __name__ == "__main__":
    sys.exit(main())
