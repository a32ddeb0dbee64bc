#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Differential fuzzing: random annotated functions, as written and with the plug-in, must do the same.

  fuzz.py [--clang CLANG] --plugin FILE [--real WINDROW] [--first SEED] [--programs N] [--seconds N] [--batch N] [--jobs N]
          [--without RULE] [--fresh]

Each function runs in ten orders of completion and limits of the queue, at a random optimisation level, some with
AddressSanitizer, some with UndefinedBehaviorSanitizer. With --real they run as jobs of 4 PEs on the library itself, without
sanitizers. At least one fetch per function must be deferred on average, and 15 % of them inside another: else the run proves
little, and fails. Prints seeds; `fuzz.py --show SEED` prints the function of one.
"""
import argparse
import concurrent.futures
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile
import time

import generator

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
SANITIZE = ["-fsanitize=address"]
LEVELS = ["-O0", "-O0", "-O1", "-O2", "-O3"]  # the others take several times as long
COUNTED = {"deferred": r"remark: deferred", "in order": r"in the order of other deferred code", "nested": r"nesting level", "refused": r"warning: fetch not deferred",
           "drains": r"remark: inserted a drain", "fused": r"remark: fused at owner", "dropped": r"region not deferred"}


def compile_with(options, arguments, folder):
    include = [f"-I{ROOT}/include", f"-I{HERE}", f"-I{HERE.parent}/reorder"]
    return subprocess.run([options.clang, "-Wno-everything", "-fwrapv", "-fno-crash-diagnostics", *include, *arguments], cwd=folder,
                          capture_output=True, text=True, check=False)


def plug_in_flags(options, choice):
    flags = [f"-fplugin={options.plugin}", "-fno-discard-value-names", "-Rpass=windrow-defer",
             "-Rpass-analysis=windrow-defer", "-Wpass-failed"]
    if choice.random() < .8:
        flags += ["-Xclang", "-disable-lifetime-markers"]
    if options.without:
        flags.append(f"-fplugin-arg-windrow-without-{options.without}")
    return flags


def variant_flags(choice):
    flags = [choice.choice(LEVELS)]
    if choice.random() < .3:
        flags.append("-g")
    if choice.random() < .1:
        flags += ["-fsanitize=undefined", "-fno-sanitize-recover=undefined"]
    return flags


def execute(options, folder, choice):
    """Runs the program: on the library with loads that are near or travel, and much or little room for what waits."""
    command = ["./program"]
    environment = {"ASAN_OPTIONS": "detect_leaks=0:detect_stack_use_after_return=1:abort_on_error=1"}
    if options.real:
        command = [options.real, "run", "-n", "4", *command]
        environment = {**os.environ, "WINDROW_DIRECT_LOADS": choice.choice("01"),
                       "WINDROW_DEFER_LIMIT": choice.choice(["16K", "16M"]), "WINDROW_SYMMETRIC_SIZE": "16M"}
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", check=False, env=environment)


def run_batch(options, harness, seeds):
    """(complaints, counts) of one file of functions."""
    choice = random.Random(seeds[0])
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder)
        (path / "batch.c").write_text(generator.batch(seeds), encoding="ascii")
        flags = variant_flags(choice)
        checks = SANITIZE if not options.real and (options.without or choice.random() < .15) else []
        plain = compile_with(options, ["-O0", "-DVARIANT_NAME=plain", "-c", "batch.c", "-o", "plain.o"], folder)
        deferred = compile_with(options, [*flags, *checks, *plug_in_flags(options, choice), "-DVARIANT_NAME=deferred", "-c",
                                          "batch.c", "-o", "deferred.o"], folder)
        counts = {name: len(re.findall(pattern, deferred.stderr)) for name, pattern in COUNTED.items()}
        where = f"seeds {seeds[0]} to {seeds[-1]}, {' '.join(flags)}"
        if plain.returncode or deferred.returncode or counts["dropped"]:
            errors = [line for line in (plain.stderr + deferred.stderr).splitlines()
                      if "error" in line or "not deferred: internal" in line or "Assertion" in line or "fatal" in line]
            return [f"{where}: does not compile: {errors[:3]}"], counts
        objects = ["plain.o", "deferred.o", *harness[bool(checks)]]
        sanitizers = [flag for flag in flags if "sanitize" in flag]
        if options.real:
            linked = subprocess.run([options.real, "cc", *sanitizers, *objects, "-o", "program"], cwd=folder,
                                    capture_output=True, text=True, check=False, env={**os.environ, "CC": options.clang})
        else:
            linked = compile_with(options, [*checks, *sanitizers, *objects, "-o", "program"], folder)
        if linked.returncode:
            return [f"{where}: does not link: {linked.stderr[:500]}"], counts
        done = execute(options, folder, choice)
        if done.returncode == 0:
            return [], counts
        said = [line for line in done.stdout.splitlines() if line.startswith("seed")] or [done.stdout[-300:]]
        detail = re.findall(r"ERROR: .*|runtime error: .*|reorder: .*", done.stderr)[:1]
        return [f"{line} {' '.join(flags)} {detail}" for line in said], counts


def build_harness(options, folder):
    """Objects, without and with sanitizer."""
    sources = [HERE / "harness.c"] + ([] if options.real else [HERE.parent / "reorder" / "reorder.c"])

    def build(name, flags):
        objects = []
        for source in sources:
            objects.append(f"{folder}/{source.stem}.{name}.o")
            done = compile_with(options, ["-O2", *flags, "-c", str(source), "-o", objects[-1]], folder)
            if done.returncode:
                sys.exit(done.stderr)
        return objects

    plain = build("plain", ["-DREAL"] if options.real else [])
    return [plain, plain if options.real else build("checked", SANITIZE)]


def fuzz(options):
    total, complaints = dict.fromkeys(COUNTED, 0), []
    programs = 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        harness = build_harness(options, folder)
        begin = time.monotonic()
        starts = range(options.first, options.first + options.programs, options.batch)
        batches = [list(range(at, min(at + options.batch, options.first + options.programs))) for at in starts]

        def work(seeds):
            if time.monotonic() - begin > options.seconds or (complaints and options.without):
                return None
            return run_batch(options, harness, seeds), len(seeds)

        for answer in pool.map(work, batches):
            if answer is None:
                continue
            (said, counts), size = answer
            programs += size
            complaints += said
            for line in said:
                print(line, flush=True)
            for name, value in counts.items():
                total[name] += value
            if options.progress and programs % 1000 < size:
                print(f"... {programs} programs, {len(complaints)} complaints, {total}", flush=True)
    if not options.without and (total["deferred"] < programs or total["nested"] < .15 * total["deferred"]):
        complaints.append("too little is deferred to prove anything")
        print(complaints[-1])
    numbers = ", ".join(f"{value} {name}" for name, value in total.items())
    print(f"{programs} programs from seed {options.first}, {numbers}: {len(complaints)} complaints")
    return programs, complaints


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clang", default="clang-19")
    parser.add_argument("--plugin", help="that of this clang")
    parser.add_argument("--real", metavar="WINDROW", help="the command: run on the library itself")
    parser.add_argument("--first", type=int, default=1, help="first seed")
    parser.add_argument("--programs", type=int, default=20000)
    parser.add_argument("--seconds", type=float, default=1e9, help="begin no batch after this time")
    parser.add_argument("--batch", type=int, default=100, help="functions per file")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--without", help="leave out this rule of the pass, and expect a complaint")
    parser.add_argument("--fresh", action="store_true", help="begin with a seed that depends on the day")
    parser.add_argument("--progress", action="store_true")
    parser.add_argument("--show", type=int, help="print the function of this seed")
    options = parser.parse_args()
    if options.show is not None:
        print(generator.batch([options.show]))
        return 0
    options.plugin = pathlib.Path(options.plugin).resolve()
    options.real = options.real and pathlib.Path(options.real).resolve()
    if options.fresh:
        options.first += int(time.time() // 86400) * 100000
    programs, complaints = fuzz(options)
    return 0 if programs and bool(complaints) == bool(options.without) else 1


if __name__ == "__main__":
    sys.exit(main())
