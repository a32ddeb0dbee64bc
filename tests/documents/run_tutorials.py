#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""run_tutorials.py FOLDER BIN [--clang] [--slurm] [PAGE...]: follows each page of FOLDER as it is written.

A code block with `file=NAME` behind its language is written to that file. Of a block `console`, lines that begin with "$ " are run by
a shell, with BIN first in PATH, all of a page in one folder; the other lines are what standard output and error must be, in which
"..." stands for any text in a line and, alone in a line, for any lines. A line "! N" is the exit code, if it is not 0. Blocks with
`needs=clang` are left out without --clang, those with `needs=slurm` without --slurm. Other code blocks are not followed.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def steps(text):
    """Pairs of a command and what it should print, from a console block."""
    found = []
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


def pattern(lines):
    parts = [r"(?:.*\n)*?" if line == "..." else re.escape(line).replace(r"\.\.\.", ".*?") + r"\n" for line in lines]
    return re.compile("".join(parts) + r"\Z")


def complaint(command, expected, folder, environment):
    """Runs a command; what is wrong with what it did, or an empty text."""
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL, timeout=120,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    code = int(expected[-1][2:]) if expected and expected[-1].startswith("! ") else 0
    lines = expected[:-1] if code else expected
    if done.returncode == code and pattern(lines).match(done.stdout):
        return ""
    return f"$ {command}\nexit code {done.returncode}, printed:\n{done.stdout}expected {code} and:\n" + "\n".join(expected)


def follow(page, binaries, has):
    """Complaints about a page, and how many commands it had."""
    environment = {**os.environ, "PATH": f"{binaries}:{os.environ['PATH']}", "LC_ALL": "C"}
    environment.pop("MAKEFLAGS", None)
    commands = 0
    with tempfile.TemporaryDirectory() as folder:
        for language, options, text in BLOCK.findall(page.read_text(encoding="utf-8")):
            if (needed := re.search(r"needs=(\S+)", options)) and f"--{needed[1]}" not in has:
                continue
            if name := re.search(r"file=(\S+)", options):
                pathlib.Path(folder, name[1]).write_text(text, encoding="utf-8")
            for command, expected in steps(text) if language == "console" else []:
                commands += 1
                if wrong := complaint(command, expected, folder, environment):
                    return f"{page}: {wrong}", commands
    return "", commands


def main(folder, binaries, *options):
    names = [word for word in options if not word.startswith("--")]
    pages = [page for page in sorted(pathlib.Path(folder).glob("*.md")) if not names or page.name in names]
    total = 0
    for page in pages:
        wrong, commands = follow(page, os.path.abspath(binaries), options)
        print(wrong or f"{page.name}: {commands} commands", flush=True)
        total += commands
        if wrong:
            return 1
    return 0 if total else "no page has a command"


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
