# SPDX-License-Identifier: BSD-3-Clause
"""clang-tidy over the library and the tools, as the sanitizers' build compiles them.

Most of its time goes into headers, which it reads once for each file that is compiled. That build compiles several sources as one;
here those are put together once more, so that they are no more files of each target than there are processors. A source that the build
compiles alone, with definitions or macros of its own, is looked at alone."""
import concurrent.futures
import json
import os
import re
import subprocess

import build
import ctest
from marks import RUN, Marks

PRESET = "asan"
FOLDERS = ("src", "tools")
# Of what .clang-tidy asks for. What includes the sources of a file is no suspicion. `--all` has also that of parameters, which takes a third
# of all time, and some that take a third of the rest, most of it in headers of the system.
LEFT_OUT = "-bugprone-suspicious-include"
COSTLY = ("performance-unnecessary-value-param", "bugprone-standalone-empty", "bugprone-stringview-nullptr", "bugprone-reserved-identifier",
          "bugprone-suspicious-string-compare", "misc-unused-using-decls", "modernize-use-using")
LEFT_OUT_USUALLY = ",".join([LEFT_OUT, *(f"-{check}" for check in COSTLY)])
OBJECT = re.compile(rf" -o ((?:{'|'.join(FOLDERS)})/CMakeFiles/[^/]+)\.dir/\S+")
TOGETHER = re.compile(r"unity_\d+_.*")


def check_of(checks):
    """A step that looks at all with these checks."""

    def act(results, _):
        with build.lock():
            entries = prepare(results.bar.advance)
        for number, (entry, said) in enumerate(look(entries, checks, RUN), 1):
            results.add(f"clang-tidy {os.path.basename(entry['file'])}", said)
            results.bar.advance(number / len(entries))

    return act


def look_ahead(checks, run):
    """What it finds nothing in, the step of this run takes for clean."""
    for _ in look(prepare(lambda fraction: None), checks, run):
        pass


def prepare(progress):
    """What is to be looked at, as `merged`, the files written."""
    build.build(PRESET, ["windrow_usual_headers"], progress)
    with open(os.path.join(build.directory(PRESET), "compile_commands.json"), encoding="utf-8") as file:
        entries = merged(json.load(file), ctest.CPUS)
    write(entries, os.path.join(build.directory(PRESET), "tidy"))
    return entries


def look(entries, checks, run):
    """Each entry with what clang-tidy complains of."""
    pool = concurrent.futures.ThreadPoolExecutor(ctest.CPUS)
    try:
        yield from zip(entries, pool.map(lambda entry: complaint(entry["file"], checks, run), entries))
    finally:
        pool.shutdown(cancel_futures=True)


def merged(entries, most):
    """Of compile commands, those of the library and the tools: for each target no more than `most` for what CMake has put together, each
    of which compiles several files, named in `sources`, and one for each other source."""
    targets = {}
    for entry in entries:
        if found := OBJECT.search(entry["command"]):
            together, alone = targets.setdefault(found[1], ([], []))
            (together if TOGETHER.fullmatch(os.path.basename(entry["file"])) else alone).append(entry)
    result = []
    for target, (together, alone) in sorted(targets.items(), reverse=True):  # the command first, which takes longest
        for number, part in enumerate([together[number::most] for number in range(min(most, len(together)))] + [[one] for one in alone]):
            suffix = os.path.splitext(part[0]["file"])[1]
            name = f"{target.replace('/CMakeFiles/', '-')}-{number}{suffix}"
            result.append({"directory": part[0]["directory"], "file": name, "command": part[0]["command"], "compiled": part[0]["file"],
                           "sources": [entry["file"] for entry in part]})
    return result


def write(entries, folder):
    """The files, and the compile commands of them, that clang-tidy reads; from now on entries are of these files."""
    os.makedirs(folder, exist_ok=True)
    for entry in entries:
        path = os.path.join(folder, entry["file"])
        with open(path, "w", encoding="utf-8") as file:
            file.writelines(f'#include "{source}"\n' for source in entry["sources"])
        entry["command"] = entry["command"].replace(entry["compiled"], path)
        entry["file"] = path
    with open(os.path.join(folder, "compile_commands.json"), "w", encoding="utf-8") as file:
        json.dump([{name: entry[name] for name in ("directory", "file", "command")} for entry in entries], file)
    return folder


def complaint(file, checks, run):
    clean = Marks(os.path.join(os.path.dirname(file), "clean"), run)
    if file in clean.lines():
        return ""
    command = ["clang-tidy-19", "--quiet", f"--checks={checks}", "-p", os.path.dirname(file), file]
    done = subprocess.run(command, cwd=build.ROOT, env=build.of_clang(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, errors="replace", check=False)
    if done.returncode == 0:
        clean.add(file)
        return ""
    return re.sub(r"\d+ warnings? .*\n", "", done.stdout or f"{command[0]} failed")
