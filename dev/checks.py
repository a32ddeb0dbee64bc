# SPDX-License-Identifier: BSD-3-Clause
"""`./windrow test`: every check and every test, in the order in which they are likely to fail."""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import xml.etree.ElementTree

import build
import check_documents
import check_layers
import packages

ROOT = pathlib.Path(build.ROOT)
FOLDERS = ["include", "src", "tools", "apps", "bench", "tests", "examples", "compiler"]
CPUS = len(os.sched_getaffinity(0))


class Results:
    """What passed, what failed by name, and how long each step took."""

    def __init__(self):
        self.passed, self.failed, self.steps = 0, [], []

    def add(self, name, complaint=""):
        """Counts one check: passed if there is nothing to complain about."""
        if complaint:
            self.failed.append(name)
            print(complaint.rstrip(), flush=True)
        else:
            self.passed += 1

    def step(self, name, function):
        """Runs `function(self)`, timing it."""
        print(f"== {name}", flush=True)
        begin, failed = time.monotonic(), len(self.failed)
        try:
            function(self)
        except build.Failure as failure:
            self.add(name, str(failure))
        seconds = time.monotonic() - begin
        verdict = "ok" if len(self.failed) == failed else "FAILED"
        self.steps.append((name, seconds, verdict))
        print(f"== {name}: {verdict}, {seconds:.1f} s", flush=True)

    def summary(self):
        print()
        for name, seconds, verdict in self.steps:
            print(f"{seconds:8.1f} s  {verdict:6}  {name}")
        for name in self.failed:
            print(f"failed: {name}")
        print(f"{self.passed} passed, {len(self.failed)} failed", flush=True)
        return 1 if self.failed else 0


def main(arguments):
    parser = argparse.ArgumentParser(prog="windrow test", description="Runs every check and test of this checkout.")
    parser.add_argument("-R", metavar="REGEX", dest="regex", help="only the tests whose names match, in the g++ build")
    parser.add_argument("--quick", action="store_true", help="only the checks of the text and the g++ build")
    options = parser.parse_args(arguments)
    with build.lock():
        packages.ensure(packages.TEST)
    results = Results()
    for name, function in steps(options):
        results.step(name, function)
    return results.summary()


def steps(options):
    if options.regex:
        return [("g++ release", compiled("release", ["-R", options.regex]))]
    quick = [("formatting", formatting), ("layers", layers), ("documents", documents), ("scripts", scripts),
             ("g++ release", compiled("release"))]
    if options.quick:
        return quick
    return quick + [("clang-19 release", compiled("clang")), ("clang-tidy", tidy),
                    ("address and undefined-behaviour sanitizers", compiled("asan")),
                    ("thread sanitizer", compiled("tsan", ["-R", "threads"], targets=["thread_tests"]))]


def sources(folders, suffixes):
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*") if path.suffix in suffixes)


def run(command, **options):
    return subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, text=True, errors="replace", check=False,
                          **options)


def complaint_of(command):
    """What a checker prints if it fails, else nothing."""
    done = run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return (done.stdout or f"{command[0]} failed") if done.returncode else ""


def formatting(results):
    files = sources(FOLDERS, {".hpp", ".cpp", ".h", ".c"})
    said = complaint_of(["clang-format-19", "--dry-run", "-Werror", *map(str, files)])
    wrong = sorted(set(re.findall(r"^(\S+?):\d+:\d+: error", said, re.MULTILINE)))
    results.add("formatting", said and f"to be mended with: clang-format-19 -i {' '.join(wrong)}")


def layers(results):
    results.add("layers", "\n".join(check_layers.check(ROOT)))


def documents(results):
    results.add("documents", "\n".join(check_documents.check(ROOT)))


def scripts(results):
    """The tests of the scripts in dev/."""
    results.add("scripts", complaint_of([sys.executable, "-m", "unittest", "discover", "-s", "dev", "-p", "*_test.py"]))


def tidy(results):
    """clang-tidy over the library and the tools, as the clang build compiles them: several files as one, which would otherwise
    read the same headers again for each. So what includes the files of each is no suspicion."""
    command = ["clang-tidy-19", "--quiet", "--checks=-bugprone-suspicious-include", "-p", build.directory("clang")]
    files = compiled_files("clang", ["src", "tools"])
    with concurrent.futures.ThreadPoolExecutor(CPUS) as pool:
        for path, complaint in zip(files, pool.map(lambda file: complaint_of([*command, file]), files)):
            results.add(f"clang-tidy {os.path.relpath(path, ROOT)}", re.sub(r"\d+ warnings? .*\n", "", complaint))


def compiled_files(preset, folders):
    """What the compiler is called for to make the targets of these folders: sources, or files that include several."""
    with open(os.path.join(build.directory(preset), "compile_commands.json"), encoding="utf-8") as file:
        commands = json.load(file)
    made_there = re.compile(f" -o ({'|'.join(folders)})/CMakeFiles/")
    return sorted(entry["file"] for entry in commands if made_there.search(entry["command"]))


def compiled(preset, selection=(), targets=()):
    """A step that builds `preset` and runs its tests, or the selected ones."""

    def step(results):
        with build.lock():
            build.build(preset, targets)
        results.add(f"{preset} build")
        run_tests(results, preset, selection)

    return step


def run_tests(results, preset, selection):
    # Tests choose their own settings: what the developer has set for himself must not change them.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("WINDROW_")}
    environment["UBSAN_OPTIONS"] = "print_stacktrace=1"
    with tempfile.TemporaryDirectory() as folder:
        report = os.path.join(folder, "junit.xml")
        done = run(["ctest", "--test-dir", build.directory(preset), "-j", str(CPUS), "--output-on-failure",
                    "--no-tests=error", "--output-junit", report, *selection], env=environment)
        count(results, preset, report, done.returncode)


def count(results, preset, report, status):
    """Adds the tests that ctest reports."""
    failed = 0
    for case in cases(report):
        if case.get("status") == "run":
            results.add(f"{preset} {case.get('name')}")
        elif case.get("status") == "fail":
            failed += 1
            results.add(f"{preset} {case.get('name')}", f"{preset} {case.get('name')} failed")
        else:
            print(f"not run: {preset} {case.get('name')}")
    if status != 0 and failed == 0:
        results.add(f"{preset} ctest", f"ctest ended with status {status}")


def cases(report):
    if not os.path.exists(report):
        return []
    return xml.etree.ElementTree.parse(report).getroot().iter("testcase")
