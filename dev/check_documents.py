#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Checks that the documents speak of what is there, and what comments of the library sound like.

  dev/check_documents.py [ROOT]          links lead to files, docs/environment.md lists the variables that are read,
                                         prose of READMEs and of docs/ is wrapped, and comments in include/ and src/
                                         can be read alone (prose.odd_comments)
  dev/check_documents.py --wrap [FILE]   wraps the prose of these files, or of all that are checked
"""
import pathlib
import re
import sys

import prose

HERE = pathlib.Path(__file__).resolve().parent.parent

LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")
VARIABLE = re.compile(r"\bWINDROW_[A-Z_]+\b")
READ = re.compile(r'"(WINDROW_[A-Z_]+)"')  # in sources, the name of a variable is a string of its own


def documents(root):
    return [path for path in sorted(root.rglob("*.md")) if "build" not in path.relative_to(root).parts]


def broken_links(root):
    for path in documents(root):
        for target in LINK.findall(path.read_text(encoding="utf-8")):
            if "://" not in target and not (path.parent / target).exists():
                yield f"{path.relative_to(root)}: {target} does not exist"


def variables_read(root):
    sources = [path for top in ["src", "tools"] for path in (root / top).rglob("*.cpp")
               if not path.stem.endswith("_test")]
    return {name for path in sources for name in READ.findall(path.read_text(encoding="utf-8"))}


def wrong_variables(root):
    page = root / "docs" / "environment.md"
    listed = set(VARIABLE.findall(page.read_text(encoding="utf-8"))) if page.exists() else set()
    read = variables_read(root)
    yield from (f"docs/environment.md: {name} is read and not listed" for name in sorted(read - listed))
    yield from (f"docs/environment.md: {name} is listed and not read" for name in sorted(listed - read))
    names = root / "src/base/option_names.hpp"
    known = set(READ.findall(names.read_text(encoding="utf-8"))) if names.exists() else listed
    yield from (f"{names.relative_to(root)}: {name} is not one of docs/environment.md" for name in sorted(known - listed))
    yield from (f"{names.relative_to(root)}: {name} is missing" for name in sorted(listed - known))


def wrapped_documents(root):
    return [path for path in documents(root) if path.name == "README.md" or root / "docs" in path.parents]


def long_lines(root):
    for path in wrapped_documents(root):
        for number in prose.too_long(path.read_text(encoding="utf-8")):
            yield (f"{path.relative_to(root)}:{number}: longer than {prose.WIDTH} columns; "
                   "dev/check_documents.py --wrap wraps it")


def sources(root):
    return [path for top in ["include", "src"] for path in sorted((root / top).rglob("*"))
            if path.suffix in [".hpp", ".cpp", ".h", ".c"]]


def odd_comments(root):
    for path in sources(root):
        for number, words in prose.odd_comments(path.read_text(encoding="utf-8")):
            yield f'{path.relative_to(root)}:{number}: "{words}" in a comment; name what is meant'


def wrap(paths):
    for path in paths:
        path.write_text(prose.wrapped(path.read_text(encoding="utf-8")), encoding="utf-8")


def check(root):
    """All complaints about the documents under `root`, as lines."""
    return [*broken_links(root), *wrong_variables(root), *long_lines(root), *odd_comments(root)]


def main(arguments):
    if arguments[:1] == ["--wrap"]:
        wrap([pathlib.Path(name) for name in arguments[1:]] or wrapped_documents(HERE))
        return 0
    found = check(pathlib.Path(arguments[0]) if arguments else HERE)
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
