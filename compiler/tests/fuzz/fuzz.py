#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Differential fuzzing: random annotated functions, as written and with the plug-in, must do the same.

  fuzz.py [--clang CLANG] --plugin FILE [--real WINDROW] [--first SEED] [--programs N] [--seconds N] [--batch N] [--jobs N]
          [--without RULE,...] [--fresh] [--kinds arithmetic,c,c++,main,main++] [--control]

Each program runs in ten orders of completion and limits of the queue, at a random optimisation level, some with
AddressSanitizer, some with UndefinedBehaviorSanitizer. Those of the kinds main and main++ are whole programs: what they print is compared,
and how they end. With --real they run as jobs of 1 to 4 PEs on the library itself, without sanitizers. Of the fetches 60 % are meant to
be deferred; with less than 55 %, which leaves room for chance, less than one per program, or few inside others, the run proves little,
and fails. Prints seeds, with the features of the program (grammar/program.py); `fuzz.py --show SEED` prints the program of one.
"""
import argparse
import concurrent.futures
import os
import pathlib
import random
import re
import resource
import subprocess
import sys
import tempfile
import time

import generator

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
SANITIZE = ["-fsanitize=address"]
# Most faults show at each level, and the others take eight times as long, for what is done in place of calls; that is run on the library only.
LEVELS = {"reordering": ["-O0"] * 17 + ["-O1", "-O2", "-O3"], "library": ["-O0"] * 7 + ["-O1", "-O2", "-O3"]}
COUNTED = {"in order": r"in the order of other deferred code", "nested": r"nesting level", "refused": r"warning: fetch not deferred",
           "drains": r"remark: inserted a drain", "fused": r"remark: fused at owner"}
DEFERRED = r"remark: deferred .* behind (\d+) (?:vectorised )?fetch"
INCLUDE = [f"-I{ROOT}/include", f"-I{HERE}", f"-I{HERE.parent}/reorder"]


def compile_with(options, arguments, folder, kind="c"):
    command = [options.clang]
    if generator.is_cxx(kind):
        command = [options.clang.replace("clang", "clang++"), "-std=c++20"]
    wrap = ["-fwrapv"] if kind == "arithmetic" else []
    return subprocess.run([*command, "-Wno-everything", *wrap, "-fno-crash-diagnostics", *INCLUDE, *arguments], cwd=folder,
                          capture_output=True, text=True, check=False)


def plug_in_flags(options, choice):
    if options.control:
        return []
    flags = [f"-fplugin={options.plugin}", "-fno-discard-value-names", "-Rpass=windrow-defer",
             "-Rpass-analysis=windrow-defer", "-Wpass-failed"]
    if choice.random() < .8:
        flags += ["-Xclang", "-disable-lifetime-markers"]
    return flags + [f"-fplugin-arg-windrow-without-{rule}" for rule in options.without.split(",") if rule]


def variant_flags(options, choice):
    flags = [choice.choice(LEVELS["library" if options.real else "reordering"])]
    if choice.random() < .3:
        flags.append("-g")
    if choice.random() < .1:
        flags += ["-fsanitize=undefined", "-fno-sanitize-recover=undefined"]
    return flags


def surroundings(options, choice, kind):
    """(command in front, environment) of a program: on the library with loads that are near or travel, and much or little room for what
    waits. Arithmetic programs are written for four PEs. Whether a main defers by itself is of interest too."""
    if not options.real:
        return [], {"ASAN_OPTIONS": "detect_leaks=0:detect_stack_use_after_return=1:abort_on_error=1"}
    environment = {**os.environ, "WINDROW_DIRECT_LOADS": choice.choice("01"), "WINDROW_DEFER_LIMIT": choice.choice(["16K", "16M"]),
                   "WINDROW_SYMMETRIC_SIZE": "16M"}
    if not generator.is_whole(kind) or choice.random() < .5:
        environment["WINDROW_DEFER_ALWAYS"] = "1"
    return [options.real, "run", "-n", "4" if kind == "arithmetic" else choice.choice("1234")], environment


def execute(folder, command, environment):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", check=False, env=environment)


def compile_files(options, folder, names, variant, flags):
    """(objects, what the compiler said, whether it failed)."""
    objects, said, failed = [], "", False
    for name in names:
        objects.append(f"{pathlib.Path(name).stem}.{variant}.o")
        kind = "c++" if name.endswith(".cpp") else "arithmetic" if len(names) == 1 else "c"
        done = compile_with(options, [*flags, f"-DVARIANT_NAME={variant}", "-c", name, "-o", objects[-1]], folder, kind)
        said += done.stderr
        failed = failed or done.returncode != 0
    return objects, said, failed


def count(said):
    counts = {name: len(re.findall(pattern, said)) for name, pattern in COUNTED.items()}
    counts["deferred"] = sum(map(int, re.findall(DEFERRED, said)))
    return counts


def link(options, folder, objects, flags, kind, program="program"):
    if not options.real:
        return compile_with(options, [*flags, *objects, "-o", program], folder, kind)
    compiler = "c++" if generator.is_cxx(kind) else "cc"
    return subprocess.run([options.real, compiler, *flags, *objects, "-o", program], cwd=folder, capture_output=True, text=True, check=False,
                          env={**os.environ, "CC": options.clang, "CXX": options.clang.replace("clang", "clang++")})


def complaint(options, line, flags, detail):
    """With the way to run the program again by itself, compiled and run in the same manner."""
    seed = int(re.match(r"seed (\d+)", line)[1])
    again = f"--first {seed} --programs 1 --batch {options.batch}" + (f" --real {options.real}" if options.real else "")
    return f"{line} [{', '.join(generator.features(seed))}] {' '.join(flags)} {detail} (alone: {again})"


def compare_whole(options, folder, seed, arguments, flags):
    """A complaint at the first order in which the program prints something else, or ends otherwise, than as it is written."""
    choice = random.Random(seed)
    before, environment = surroundings(options, choice, generator.kind_of(seed))
    expected = execute(folder, [*before, "./plain", *arguments], environment)
    if expected.returncode < 0 or expected.returncode >= 64:
        return [complaint(options, f"seed {seed}: as it is written it ends with {expected.returncode}", flags, expected.stderr[-300:])]
    orders = [("real", 0)] if options.real else [*((order, limit) for order in ("fifo", "lifo", "random") for limit in (1, 3, 1000)), ("blocking", 1)]
    for order, limit in orders:
        found = execute(folder, [*before, "./program", *arguments], {**environment, "REORDER_ORDER": order, "REORDER_LIMIT": str(limit)})
        if (found.stdout, found.returncode) != (expected.stdout, expected.returncode):
            why = f"ends with {found.returncode}, not {expected.returncode}" if found.returncode != expected.returncode else "prints something else"
            return [complaint(options, f"seed {seed}: {why} (order {order}, limit {limit})", flags, found.stderr[-300:])]
    return []


def run_wholes(options, folder, seeds, flags):
    """Complaints about programs of which the first is main."""
    return [line for seed in seeds for line in compare_whole(options, folder, seed, [str(seed)] * (seed != seeds[0]), flags)]


def run_batch(options, harness, seeds):
    """(complaints, counts) of one batch of programs. What ends without a word about one of them is looked for in halves of it."""
    choice = random.Random(seeds[0] // options.batch)
    flags, kind = variant_flags(options, choice), generator.kind_of(seeds[0])
    whole = generator.is_whole(kind)
    checks = SANITIZE if not options.real and (options.without or choice.random() < .15) else []
    with tempfile.TemporaryDirectory() as folder:
        files = generator.batch(seeds)
        for name, text in files.items():
            (pathlib.Path(folder) / name).write_text(text, encoding="ascii")
        plain, errors, failed = compile_files(options, folder, files, "plain", ["-O0", *["-DCONTEXT=0"] * whole])
        deferred, said, crashed = compile_files(options, folder, files, "deferred", [*flags, *checks, *plug_in_flags(options, choice)])
        if crashed and not failed and len(seeds) > 1:
            return in_halves(options, harness, seeds, f"does not compile: {said[-300:]}")
        complaints = refused_by_compiler(options, seeds, flags, errors + said, failed or crashed)
        if failed or crashed:
            return complaints, count(said)
        sanitizers = [flag for flag in flags if "sanitize" in flag]
        beside = harness["checked" if checks else "plain"][whole]
        if whole:
            linked = link(options, folder, [*plain, *harness["plain"][whole]], [], kind, "plain")
        if not whole or linked.returncode == 0:
            linked = link(options, folder, [*plain * (not whole), *deferred, *beside], [*checks, *sanitizers], kind)
        if linked.returncode:
            return [*complaints, f"seeds {seeds[0]} to {seeds[-1]}: does not link: {linked.stderr[:500]}"], count(said)
        if whole:
            return complaints + run_wholes(options, folder, seeds, flags), count(said)
        found, ended = run(options, folder, seeds, choice, flags)
        if ended and len(seeds) > 1:
            return in_halves(options, harness, seeds, ended)
        return complaints + found + [complaint(options, f"seed {seeds[0]}: {ended}", flags, "")] * bool(ended), count(said)


def in_halves(options, harness, seeds, why):
    middle = len(seeds) // 2
    halves = [run_batch(options, harness, seeds[:middle]), run_batch(options, harness, seeds[middle:])]
    complaints = halves[0][0] + halves[1][0]
    if not complaints:
        complaints.append(f"seeds {seeds[0]} to {seeds[-1]}: together, but not in halves: {why}")
    return complaints, {name: value + halves[1][1][name] for name, value in halves[0][1].items()}


def refused_by_compiler(options, seeds, flags, said, failed):
    """A program that does not compile, or of which the pass gives up a region with an internal error."""
    lines = [line for line in said.splitlines() if re.search(r"Assertion|fatal|error:", line)]
    seen = [re.search(r"seed(\d+)\.\w+:.*?(internal error.*)", line) for line in said.splitlines()]
    complaints = {found[1]: complaint(options, f"seed {found[1]}: {found[2]}", flags, "") for found in seen if found}
    if failed:
        named = re.search(r"seed(\d+)\.", "".join(lines))
        complaints[""] = complaint(options, f"seed {named[1] if named else seeds[0]}: does not compile", flags, lines[:2])
    return list(complaints.values())


def run(options, folder, seeds, choice, flags):
    """(complaints, how it ended if it names no program)."""
    before, environment = surroundings(options, choice, generator.kind_of(seeds[0]))
    done = execute(folder, [*before, "./program"], environment)
    if done.returncode == 0:
        return [], ""
    detail = re.findall(r"ERROR: .*|runtime error: .*|reorder: .*", done.stderr)[:1]
    lines = [line for line in done.stdout.splitlines() if line.startswith("seed")]
    if not lines:
        return [], f"ends with {done.returncode}: {(done.stdout + done.stderr)[-300:]}"
    return [complaint(options, line, flags, detail if len(lines) == 1 else "") for line in lines], ""


def build_harness(options, folder):
    """Objects beside functions and beside whole programs, without and with sanitizer."""
    reorder = HERE.parent / "reorder"
    common = [HERE / "objects.c", HERE / "ended.c"] + ([] if options.real else [reorder / "reorder.c", reorder / "ordering.c"])

    def build(name, flags):
        def compiled(source):
            target = f"{folder}/{source.stem}.{name}.o"
            done = compile_with(options, ["-O2", *flags, "-c", str(source), "-o", target], folder)
            if done.returncode:
                sys.exit(done.stderr)
            return target

        objects = list(map(compiled, common))
        return [compiled(HERE / "harness.c"), *objects], [compiled(HERE / "whole.c"), *objects]

    return {"plain": build("plain", ["-DREAL"])} if options.real else {"plain": build("plain", []), "checked": build("checked", SANITIZE)}


def batches(options):
    """The seeds of each file: of one kind; the kinds mixed, since time may end anywhere. On the library a get that is not deferred brings
    its value at quiet only, and a PE has one process."""
    groups = {}
    for seed in range(options.first, options.first + options.programs):
        if generator.kind_of(seed) in options.kinds.split(",") and not (options.real and {"gets", "ended"} & set(generator.features(seed))):
            groups.setdefault(seed // options.batch, []).append(seed)
    mixed = list(groups.values())
    random.Random(options.first).shuffle(mixed)
    return mixed


def proves_little(total, programs):
    """With less fetches it would be chance."""
    fetches = total["deferred"] + total["refused"]
    return fetches > 500 and (total["deferred"] < programs or total["deferred"] < .55 * fetches or total["nested"] < .05 * total["deferred"])


def fuzz(options):
    total, complaints = dict.fromkeys(["deferred", *COUNTED], 0), []
    programs = 0
    with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        harness = build_harness(options, folder)
        begin = time.monotonic()

        def work(seeds):
            if time.monotonic() - begin > options.seconds or (complaints and options.without):
                return None
            return run_batch(options, harness, seeds), len(seeds)

        for answer in pool.map(work, batches(options)):
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
    if not options.without and not options.control and proves_little(total, programs):
        complaints.append("too little is deferred to prove anything")
        print(complaints[-1])
    print(summary(options, total, programs, complaints))
    return programs, complaints


def summary(options, total, programs, complaints):
    numbers = ", ".join(f"{value} {name}" for name, value in total.items())
    share = 100 * total["deferred"] / max(1, total["deferred"] + total["refused"])
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    rate = programs / max(1e-9, used.ru_utime + used.ru_stime)
    return (f"{programs} programs from seed {options.first}, {rate:.1f} per CPU second, {share:.0f} % of the fetches deferred, {numbers}: "
            f"{len(complaints)} complaints")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--clang", default="clang-19")
    parser.add_argument("--plugin", help="that of this clang")
    parser.add_argument("--control", action="store_true", help="without the plug-in: whether the programs themselves have one result")
    parser.add_argument("--real", metavar="WINDROW", help="the command: run on the library itself")
    parser.add_argument("--first", type=int, default=1, help="first seed")
    parser.add_argument("--programs", type=int, default=20000)
    parser.add_argument("--seconds", type=float, default=1e9, help="begin no batch after this time")
    parser.add_argument("--batch", type=int, choices=(20, 25, 50, 100), default=100, help="programs that are compiled together")
    parser.add_argument("--kinds", default="arithmetic,c,c++,main,main++", help="of which programs")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--without", default="", help="leave out these rules of the pass (RULE,...), and expect a complaint")
    parser.add_argument("--fresh", action="store_true", help="begin with a seed that depends on the day")
    parser.add_argument("--progress", action="store_true")
    parser.add_argument("--show", type=int, help="print the function of this seed")
    options = parser.parse_args()
    if options.show is not None:
        print("\n".join(f"// {name}\n{text}" for name, text in generator.batch([options.show]).items()))
        return 0
    options.plugin = options.plugin and pathlib.Path(options.plugin).resolve()
    options.real = options.real and pathlib.Path(options.real).resolve()
    if options.fresh:
        options.first += int(time.time() // 86400) * 100000
    programs, complaints = fuzz(options)
    return 0 if programs and bool(complaints) == bool(options.without) else 1


if __name__ == "__main__":
    sys.exit(main())
