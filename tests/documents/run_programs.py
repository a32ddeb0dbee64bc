#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""run_programs.py SOURCE COMMAND [--plug-in]: builds and runs each whole program that README.md and docs/ show; those in C with
the directive too, if there is a plug-in for it. Those of README.md are files of examples/, too. What a page has behind "windrow run -n 4 ./NAME  # " is what its programs print, in
their order."""
import pathlib
import re
import subprocess
import sys
import tempfile

PROGRAM = re.compile(r"^```(cpp|c)\n(.*?)^```", re.MULTILINE | re.DOTALL)
PRINTED = re.compile(r"^.*windrow run -n 4 \./\w+ +# (.*)$", re.MULTILINE)
WARNINGS = ["-O2", "-Wall", "-Werror"]
CPP = [["c++", *WARNINGS]]
C = [["cc", *WARNINGS, "-Wno-unknown-pragmas"]]
DIRECTIVE = [["cc", "-fdefer", *WARNINGS]]


def programs(root):
    for page in [root / "README.md", *sorted((root / "docs").rglob("*.md"))]:
        content = page.read_text(encoding="utf-8")
        printed = iter(PRINTED.findall(content))
        for language, text in PROGRAM.findall(content):
            if "int main(" in text:
                yield page.relative_to(root), language, text, next(printed, None)


def without_file(root, page, text):
    """Whether README.md shows a program that its commands, which name a file of examples/, would not compile."""
    files = [file.read_text(encoding="utf-8").partition("\n")[2] for file in (root / "examples").glob("keys.*")]
    return page.name == "README.md" and page.parent == pathlib.Path() and text not in files


def main(root, command, *options):
    compilers = {"cpp": CPP, "c": C + (DIRECTIVE if "--plug-in" in options else [])}
    found = list(programs(pathlib.Path(root)))
    with tempfile.TemporaryDirectory() as folder:
        for number, (page, language, text, printed) in enumerate(found):
            if without_file(pathlib.Path(root), page, text):
                return f"{page}: program {number} is in no file examples/keys.*"
            source = pathlib.Path(folder, f"program{number}.{language}")
            source.write_text(text, encoding="utf-8")
            for compiler in compilers[language]:
                print(f"program {number}, of {page}, by {' '.join(compiler)}", flush=True)
                subprocess.run([command, *compiler, source, "-o", source.stem], cwd=folder, check=True)
                done = subprocess.run([command, "run", "-n", "4", f"./{source.stem}"], cwd=folder, check=True, text=True, stdout=subprocess.PIPE)
                print(done.stdout, end="", flush=True)
                if printed is not None and done.stdout != f"{printed}\n":
                    return f"{page}: the program prints {done.stdout!r}, not {printed!r}"
    return 0 if found else "README.md shows no program"


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
