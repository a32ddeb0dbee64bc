#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""refused.py SOURCE [CASE TEXT]... -- COMPILER...: what must not compile.

SOURCE has `#if defined CASE`, `#elif defined CASE` ... and `#endif` in functions. The compiler takes it as it is, and refuses each case with
an error in which TEXT, a regular expression, is found. To compile takes longest for headers: all cases are compiled as one, and only those of
which that tells nothing by themselves.
"""
import pathlib
import re
import subprocess
import sys


def compile_with(command, *more, text=None):
    done = subprocess.run([*command, *more], input=text, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


def together(source):
    """(text with each case in a block of its own, the case of each line)."""
    lines, cases, case = source.read_text(encoding="utf-8").splitlines(), {}, ""
    for number, line in enumerate(lines):
        if found := re.match(r"#(if|elif) defined (\w+)$|#(else|endif)$", line):
            lines[number] = "{" if found[1] == "if" else "}" if found[3] == "endif" else "} {"
            case = found[2] or ""
        cases[number + 1] = case
    return "\n".join([f'#line 1 "{source}"', *lines, ""]), cases


def errors_by_case(source, command):
    """{case: errors} of all cases compiled as one. g++ says before an error for which line of the source it instantiates a template."""
    text, cases = together(source)
    _, said = compile_with(command, "-x", "c++", "-", text=text)
    found, case = {}, ""
    for line in said.splitlines():
        place = re.match(re.escape(str(source)) + r":(\d+):.*(error:|required from)", line)
        case = cases[int(place[1])] if place else case
        if "error:" in line:
            found.setdefault(case, []).append(line)
    return found


def main(source, *arguments):
    source, end = pathlib.Path(source), arguments.index("--")
    wanted, command = dict(zip(arguments[:end:2], arguments[1:end:2])), arguments[end + 1:]
    code, said = compile_with(command, str(source))
    if code != 0:
        return f"{source} without any case: {said}"
    errors = errors_by_case(source, command)
    for case, text in wanted.items():
        expected = re.compile(f"error: .*(?:{text})")
        if any(map(expected.search, errors.get(case, []))):
            continue
        code, said = compile_with(command, f"-D{case}", str(source))
        if code == 0 or not expected.search(said):
            return f"{source} with {case} is not refused with \"{text}\": {said}"
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
