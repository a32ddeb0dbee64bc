#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""run_programs.py SOURCE COMMAND: builds and runs each whole program that README.md and docs/ show."""
import pathlib
import re
import subprocess
import sys
import tempfile

PROGRAM = re.compile(r"^```cpp\n(.*?)^```", re.MULTILINE | re.DOTALL)


def programs(root):
    for page in [root / "README.md", *sorted((root / "docs").rglob("*.md"))]:
        for text in PROGRAM.findall(page.read_text(encoding="utf-8")):
            if "int main(" in text:
                yield page.relative_to(root), text


def main(root, command):
    found = list(programs(pathlib.Path(root)))
    with tempfile.TemporaryDirectory() as folder:
        for number, (page, text) in enumerate(found):
            source = pathlib.Path(folder, f"program{number}.cpp")
            source.write_text(text, encoding="utf-8")
            print(f"program {number}, of {page}", flush=True)
            subprocess.run([command, "c++", "-O2", "-Wall", "-Werror", source, "-o", source.stem], cwd=folder, check=True)
            subprocess.run([command, "run", "-n", "4", f"./{source.stem}"], cwd=folder, check=True)
    return 0 if found else "README.md shows no program"


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
