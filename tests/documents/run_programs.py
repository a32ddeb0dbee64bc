#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""run_programs.py SOURCE COMMAND [--plug-in]: builds and runs each whole program that README.md and docs/ show; those in C with
the directive too, if there is a plug-in for it."""
import pathlib
import re
import subprocess
import sys
import tempfile

PROGRAM = re.compile(r"^```(cpp|c)\n(.*?)^```", re.MULTILINE | re.DOTALL)
WARNINGS = ["-O2", "-Wall", "-Werror"]
CPP = [["c++", *WARNINGS]]
C = [["cc", *WARNINGS, "-Wno-unknown-pragmas"]]
DIRECTIVE = [["cc", "-fdefer", *WARNINGS]]


def programs(root):
    for page in [root / "README.md", *sorted((root / "docs").rglob("*.md"))]:
        for language, text in PROGRAM.findall(page.read_text(encoding="utf-8")):
            if "int main(" in text:
                yield page.relative_to(root), language, text


def main(root, command, *options):
    compilers = {"cpp": CPP, "c": C + (DIRECTIVE if "--plug-in" in options else [])}
    found = list(programs(pathlib.Path(root)))
    with tempfile.TemporaryDirectory() as folder:
        for number, (page, language, text) in enumerate(found):
            source = pathlib.Path(folder, f"program{number}.{language}")
            source.write_text(text, encoding="utf-8")
            for compiler in compilers[language]:
                print(f"program {number}, of {page}, by {' '.join(compiler)}", flush=True)
                subprocess.run([command, *compiler, source, "-o", source.stem], cwd=folder, check=True)
                subprocess.run([command, "run", "-n", "4", f"./{source.stem}"], cwd=folder, check=True)
    return 0 if found else "README.md shows no program"


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
