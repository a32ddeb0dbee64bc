# SPDX-License-Identifier: BSD-3-Clause
"""`./windrow test`: every check and every test, in the order in which they are likely to fail."""
import argparse
import contextlib
import os
import pathlib
import re
import shlex
import subprocess
import sys

import ahead
import arm64
import build
import check_documents
import check_layers
import ctest
import oldest_tools
import packages
import parts
import tidy
from marks import RUN
from progress import Bar
from results import Results

ROOT = pathlib.Path(build.ROOT)
FOLDERS = ["include", "src", "tools", "apps", "bench", "tests", "examples", "compiler"]


def main(arguments):
    options = parse(arguments)
    chosen = steps(options)
    with build.lock():
        build.ensure_room(sum(step.megabytes for step in chosen))
        install(options, needed(options, chosen))
    with Bar({step.name: step.seconds for step in chosen}) as bar:
        results = Results(bar)
        absent = leave_out(options, needed(options, chosen), results)
        chosen = [step for step in chosen if step.part not in absent]
        for number, step in enumerate(chosen):
            with meanwhile(step, chosen[number + 1:], absent):
                results.step(step.name, lambda found, step=step: step.act(found, absent))
        if not (options.regex or options.room):
            complain_of_idle_parts(absent, results)
        return results.summary()


def parse(arguments):
    parser = argparse.ArgumentParser(prog="windrow test", description="Runs the checks and tests of this checkout.")
    which = parser.add_mutually_exclusive_group()
    which.add_argument("-R", metavar="REGEX", dest="regex", type=regex, help="only tests of the g++ build whose names match")
    which.add_argument("--room", metavar="FOLDER", help="only tests of the g++ build declared in a folder of this name")
    which.add_argument("--quick", action="store_true", help="only the checks of the text and the g++ build")
    which.add_argument("--all", action="store_true", help="the long tests and the other builds too")
    parser.add_argument("--complete", action="store_true", help="what this machine cannot have is a failure")
    parser.add_argument("--without", metavar="PART", action="append", default=[], choices=parts.NAMES,
                        help=f"leave a part out on purpose: {', '.join(parts.NAMES)}")
    parser.add_argument("--yes", action="store_true", help="install packages without asking, through sudo if need be")
    return parser.parse_args(arguments)


def regex(text):
    try:
        return re.compile(text).pattern
    except re.error as error:
        raise argparse.ArgumentTypeError(f"{text} is no regular expression: {error}") from error


def install(options, wanted):
    """What is missing and can be had. What of a part cannot be had is seen when the part is looked at."""
    packages.ensure_build(options.yes)
    if options.regex or options.room:
        return
    wanted = [part for part in wanted if part.name not in options.without]
    absent = packages.missing(sorted({name for part in wanted for name in part.packages}))
    if absent and packages.install(absent, options.yes) and packages.may_install(options.yes):
        # One that cannot be had is enough for all to fail.
        for part in wanted:
            if some := packages.missing(part.packages):
                packages.install(some, options.yes)


def needed(options, chosen):
    """The parts that these steps are about."""
    names = {step.part for step in chosen}
    return [part for part in parts.ALL if part.in_build or part.name in names]


def leave_out(options, wanted, results):
    """The names of the parts that are left out; results hears why."""
    absent = set()
    for part in wanted:
        if part.name in options.without:
            results.leave_out(part, "--without", False)
        elif reason := part.why_not():
            missing = packages.missing(part.packages)
            advice = f"; {packages.line_to_type(missing)}" if missing else ""
            results.leave_out(part, reason + advice, options.complete)
        else:
            continue
        absent.add(part.name)
    return absent


class Step:
    """`seconds`: about how long it takes on two processors from nothing; `part`: what it needs; `megabytes`: what stays in build/;
    `ahead`: what of it can be done beside earlier tests (ahead.py)."""

    def __init__(self, name, seconds, act, part="", megabytes=0, ahead=()):
        self.name, self.seconds, self.act, self.part, self.megabytes, self.ahead = name, seconds, act, part, megabytes, ahead

    def work_ahead(self, absent):
        """`ahead`, where these parts are left out."""
        return self.ahead


class Build(Step):
    """Of these targets of a preset, or of all."""

    def __init__(self, name, seconds, megabytes, preset, targets=(), part=""):
        super().__init__(name, seconds, build_of(preset, *targets), part, megabytes, ("build", preset, *targets))


class Tests(Step):
    """Of a preset. They mostly wait."""

    def __init__(self, name, seconds, preset, options, part=""):
        super().__init__(name, seconds, tests_of(preset, options), part, ahead=("tests", preset, RUN))

    def work_ahead(self, absent):
        return (*self.ahead, sorted(absent))


def meanwhile(step, later, absent):
    """Beside tests, what can be done of later steps."""
    tasks = [one.work_ahead(absent) for one in later if one.ahead]
    return ahead.working(tasks) if tasks and isinstance(step, Tests) else contextlib.nullcontext()


def steps(options):
    if options.regex or options.room:
        return [Step("g++ build and tests", 60, lambda results, absent: selected(options, results, absent))]
    quick = [Step("formatting", 10, formatting, "clang-format"), Step("layers", 1, layers), Step("documents", 1, documents),
             Step("scripts", 2, scripts), Build("g++ build", 400, 1200, "release"),
             Tests("g++ tests", 900, "release", options)]
    if options.quick:
        return quick
    checks = tidy.LEFT_OUT if options.all else tidy.LEFT_OUT_USUALLY
    sanitizers, threads = "address and undefined-behaviour sanitizers", "the thread sanitizer"
    usual = quick + [
        Build(f"build with {sanitizers}", 300, 2800, "asan", part="address-sanitizer"),
        Tests(f"tests with {sanitizers}", 100, "asan", options, "address-sanitizer"),
        Step("clang-tidy", 40, tidy.check_of(checks), "clang-tidy", ahead=("clang-tidy", checks, RUN)),
        Build(f"build with {threads}", 60, 400, "tsan", thread_targets(options), "thread-sanitizer"),
        Tests(f"tests with {threads}", 20, "tsan", options, "thread-sanitizer"),
        Step("arm64", 40, arm64.check, "arm64", 100, ("arm64",)),
        Step("plain build with the oldest tools", 60, oldest_tools.check, "oldest-tools", 150, ("oldest-tools", RUN))]
    if not options.all:
        return usual
    return usual + [Build("g++ build of each file by itself", 500, 2000, "debug"),
                    Build("clang build", 300, 1500, "clang", part="clang-19"),
                    Tests("clang tests", 900, "clang", options, "clang-19")]


def run(command, **options):
    return subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, text=True, errors="replace", check=False,
                          **options)


def complaint_of(command):
    """What a checker prints if it fails, else nothing."""
    done = run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return (done.stdout or f"{command[0]} failed") if done.returncode else ""


def sources(folders, suffixes):
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*") if path.suffix in suffixes)


def formatting(results, _):
    files = sources(FOLDERS, {".hpp", ".cpp", ".h", ".c"})
    said = complaint_of(["clang-format-19", "--dry-run", "-Werror", *map(str, files)])
    wrong = sorted(set(re.findall(r"^(.+?):\d+:\d+: error", said, re.MULTILINE)))
    results.add("formatting", said and f"to be mended with: clang-format-19 -i {shlex.join(wrong)}")


def layers(results, _):
    results.add("layers", "\n".join(check_layers.check(ROOT)))


def documents(results, _):
    results.add("documents", "\n".join(check_documents.check(ROOT)))


def scripts(results, _):
    """The tests of the scripts in dev/."""
    results.add("scripts", complaint_of([sys.executable, "-m", "unittest", "discover", "-s", "dev", "-p", "*_test.py"]))


def build_of(preset, *targets):
    """Builds these targets, or all, and complains of parts that CMake should have found."""

    def act(results, absent):
        with build.lock():
            build.build(preset, targets, results.bar.advance)
        results.add(f"{preset} build")
        if preset in ("release", "clang"):
            for part in parts.ALL:
                if part.in_build and part.name not in absent and part.name not in build.parts(preset):
                    results.add(f"part {part.name}", f"{part.name} ({part.what}) is on this machine, but CMake has not found it for "
                                f"build/{preset}: look for it in `cmake --preset {preset}`")

    return act


def tests_of(preset, options):
    """A step that runs the tests of a preset, but for the parts that are left out."""

    def act(results, absent):
        run_and_count(preset, ctest.chosen(preset, absent, options.all), results)

    return act


def run_and_count(preset, tests, results):
    ran = set(ctest.run(preset, tests, results))
    for test in tests:
        for label in test["labels"] & set(parts.NAMES):
            results.ran[label] = results.ran.get(label, 0) + (test["name"] in ran)


def thread_targets(options):
    return ["thread_tests"] + ["costly_thread_tests"] * options.all


def selected(options, results, absent):
    """The tests that were asked for; of the build, no more than they need."""
    with build.lock():
        if not build.configured("release"):
            build.configure("release")
        tests = [test for test in ctest.listed("release")
                 if (re.search(options.regex, test["name"]) if options.regex else options.room in test["folders"])
                 and not test["labels"] & absent]
        if not tests:
            if options.regex:
                raise build.Failure(f"no test has a name that matches {options.regex}")
            rooms = sorted({folder for test in ctest.listed("release") for folder in test["folders"]})
            raise build.Failure(f"no test is declared in a folder {options.room}; there are {', '.join(rooms)}")
        build.build("release", ctest.targets_of("release", tests), results.bar.advance)
    run_and_count("release", tests, results)


def complain_of_idle_parts(absent, results):
    """A part that is here and of which no test ran."""
    for part in parts.ALL:
        if part.in_build and part.name not in absent and not results.ran.get(part.name):
            results.add(f"part {part.name}", f"{part.name} ({part.what}) is on this machine, but no test of it ran")
