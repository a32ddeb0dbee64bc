# SPDX-License-Identifier: BSD-3-Clause
"""The tests of a build folder: which there are, what they need, and what became of them."""
import json
import os
import pathlib
import re
import subprocess
import xml.etree.ElementTree

import build
import children
from marks import RUN, Marks

CPUS = len(os.sched_getaffinity(0))
# A job of several PEs, which counts as two, waits now and then: beside each job a test that compiles, or other work; where neither is,
# another job.
BESIDE_OTHERS, ALONE = CPUS + 1, 2 * CPUS
LINE = re.compile(r"\s*(\d+)/(\d+) Test +#\d+: (\S+) \.*(.*)")  # of a test that has ended


def listed(preset):
    """All tests as ctest describes them, each with its labels as a set and the folders whose CMakeLists.txt declare it."""
    done = subprocess.run(["ctest", "--test-dir", build.directory(preset), "--show-only=json-v1"], stdin=subprocess.DEVNULL,
                          capture_output=True, text=True, check=True)
    content = json.loads(done.stdout)
    for number, test in enumerate(content["tests"], 1):
        test["number"] = number
        properties = {p["name"]: p["value"] for p in test.get("properties", [])}
        test["labels"] = set(properties.get("LABELS", []))
        test["folders"] = folders(content["backtraceGraph"], test.get("backtrace"))
    return content["tests"]


def folders(graph, node):
    found = set()
    while node is not None:
        entry = graph["nodes"][node]
        found.add(os.path.basename(os.path.dirname(graph["files"][entry["file"]])))
        node = entry.get("parent")
    return found


def targets_of(preset, tests):
    """What ninja has to make for these tests; none if that is everything."""
    if any("whole-build" in test["labels"] for test in tests):
        return []
    listing = subprocess.run(["ninja", "-C", build.directory(preset), "-t", "targets", "all"], capture_output=True, text=True,
                             check=True).stdout
    outputs = {line.split(":")[0] for line in listing.splitlines()}
    named = files_named(preset)
    return sorted(outputs & {path for test in tests for path in named.get(test["name"], ())})


def files_named(preset):
    """By test, the files of the build that its command line and environment name. ctest itself tells nothing of programs that are not
    there yet."""
    folder = pathlib.Path(build.directory(preset))
    line = re.compile(r"^(?:add_test|set_tests_properties)\((?:\[=*\[(.+?)\]=*\]|(\S+)) (.*)\)$", re.MULTILINE)
    path = re.compile(re.escape(str(folder)) + r"/([^\s\";,]+)")
    named = {}
    for file in folder.rglob("CTestTestfile.cmake"):
        for bracketed, bare, rest in line.findall(file.read_text(encoding="utf-8")):
            named.setdefault(bracketed or bare, set()).update(path.findall(rest))
    return named


def chosen(preset, absent, everything=False):
    """The tests of a preset that `./windrow test` runs, or `./windrow test --all`, but for those of the parts that are left out."""
    tests = [test for test in listed(preset) if not test["labels"] & set(absent)]
    if preset == "tsan":
        tests = [test for test in tests if is_of_threads(test)]
    if everything:
        return tests
    tests = [test for test in tests if "long" not in test["labels"]]
    return one_number_of_pes(tests) if preset == "asan" else tests


def is_of_threads(test):
    """PEs as threads, and several threads in a PE; not those that start other programs, nor examples, which are not built there."""
    return "threads" in test["name"] and not test["name"].startswith("example.")


def one_number_of_pes(tests):
    """Of tests that differ in their number of PEs alone, that of the smallest above two, or of the most where none is: what a sanitizer
    sees, it sees there."""
    numbered = re.compile(r"(.*\.)(\d+)((?:\.[a-z]\w*)*)")
    found = [numbered.fullmatch(test["name"]) for test in tests]
    numbers = {}
    for name in filter(None, found):
        numbers.setdefault((name[1], name[3]), []).append(int(name[2]))
    wanted = {key: min((n for n in all_of if n > 2), default=max(all_of)) for key, all_of in numbers.items()}
    return [test for test, name in zip(tests, found) if not name or int(name[2]) == wanted[name[1], name[3]]]


def marks(preset, what, run=RUN):
    return Marks(os.path.join(build.directory(preset), f"tests.{what}"), run)


def without_passed(tests, passed):
    names = set(passed.lines())
    return [test for test in tests if test["name"] not in names]


def run_ahead(preset, run, absent):
    """What passes, the step of this run does not run again; it shows what those that fail have to say, and runs them once more."""
    passed, failed = marks(preset, "passed", run), marks(preset, "failed", run)
    left = without_passed(chosen(preset, absent), passed)  # beside an earlier step
    if not left:
        return
    with start(preset, left, BESIDE_OTHERS) as process:
        for ended in endings(process.stdout, lambda line: failed.add(line.rstrip())):
            if has_passed(ended):
                passed.add(ended[3])


def run(preset, tests, results):
    """Runs these tests; tells results what became of each. Returns those that ran, by name."""
    left = without_passed(tests, marks(preset, "passed"))
    before = {test["name"] for test in tests} - {test["name"] for test in left}
    for name in sorted(before):
        results.add(f"{preset} {name}")
    return sorted(before) + (run_now(preset, left, results) if left or not tests else [])


def run_now(preset, tests, results):
    if failed := marks(preset, "failed").lines():
        results.say("\n".join(["beside other tests, these failed; they run again:", *failed]))
    report = os.path.join(build.directory(preset), "tests.xml")
    with start(preset, tests, BESIDE_OTHERS if preset == "release" else ALONE, "--output-junit", report) as process:
        for ended in endings(process.stdout, results.say):
            results.bar.advance(int(ended[1]) / int(ended[2]))
    return count(results, preset, report, process.returncode, {test["name"] for test in tests})


def start(preset, tests, at_a_time, *options):
    # Tests choose their own settings: what the developer has set for himself must not change them.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("WINDROW_")}
    environment["UBSAN_OPTIONS"] = "print_stacktrace=1"
    numbers = ",".join(str(test["number"]) for test in tests)
    command = ["ctest", "--test-dir", build.directory(preset), "-j", str(at_a_time), "--output-on-failure", "--no-tests=error",
               *options, "-I", f"0,0,0,{numbers}"]
    return subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            errors="replace", preexec_fn=children.end_with_parent)


def has_passed(ended):
    return ended[4].lstrip().startswith("Passed")


def endings(lines, say):
    """Each test that has ended, as ctest says it; says what those that fail have to say."""
    failing = False
    for line in lines:
        if ended := LINE.match(line):
            failing = not has_passed(ended)
            yield ended
        if failing and not line.lstrip().startswith("Start "):
            say(line)


def count(results, preset, report, status, wanted):
    """Adds what ctest reports; a test that did not run although it should have is a failure."""
    seen = {case.get("name"): case.get("status") for case in cases(report)}
    complaints = {"fail": "failed", "run": ""}
    for name in sorted(wanted):
        said = complaints.get(seen.get(name), "did not run")
        results.add(f"{preset} {name}", said and f"{preset} {name} {said}")
    if status != 0 and all(seen.get(name) == "run" for name in wanted):
        results.add(f"{preset} ctest", f"ctest ended with status {status}")
    return [name for name in sorted(wanted) if seen.get(name) in complaints]


def cases(report):
    if not os.path.exists(report):
        return []
    return xml.etree.ElementTree.parse(report).getroot().iter("testcase")
