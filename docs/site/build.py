#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""build.py FOLDER: the documents as a site, with the C++ reference, in FOLDER/html. Needs mkdocs and doxygen.

Pages keep their places in the source tree, so that links between them, and to the sources that they name, are the same there and
here. Afterwards every link of every page is followed.
"""
import html.parser
import os
import pathlib
import re
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
LINK = re.compile(r"\]\(([^)#\s]+)(?:#[^)]*)?\)")


def pages_and_what_they_link(first):
    """The files of the tree that can be reached from these by links."""
    found, waiting = set(), [ROOT / name for name in first]
    while waiting:
        path = waiting.pop().resolve()
        if path in found or not path.is_file() or ROOT not in path.parents:
            continue
        found.add(path)
        if path.suffix == ".md":
            waiting += [path.parent / target for target in LINK.findall(path.read_text(encoding="utf-8")) if "://" not in target]
    return found


def pages_of(navigation):
    """What mkdocs.yml names; `reference` is doxygen's."""
    return re.findall(r": (\S+\.md)$", navigation, re.MULTILINE)


def as_page(text):
    """The tutorials say which file a listing is (tests/documents/run_tutorials.py); on the site that is its title."""
    return re.sub(r"^( *```\w+)(?: file=(\S+)| needs=\S+)$", lambda found: found[1] + (f' title="{found[2]}"' if found[2] else ""), text, flags=re.MULTILINE)


def titled(text):
    """mkdocs takes the title of a page that is in no menu from its first line as it is written, with the marks of code."""
    first = text.partition("\n")[0]
    return f'---\ntitle: "{first.lstrip("# ").replace("`", "")}"\n---\n{text}' if first.startswith("# ") and "`" in first else text


def make_reference(folder):
    configuration = (HERE / "Doxyfile").read_text(encoding="utf-8") + f'OUTPUT_DIRECTORY = "{folder}"\nHTML_OUTPUT = reference\n'
    subprocess.run(["doxygen", "-"], cwd=ROOT, input=configuration, text=True, check=True)


def make_pages(folder):
    navigation = (HERE / "mkdocs.yml").read_text(encoding="utf-8")
    for path in pages_and_what_they_link(pages_of(navigation)):
        place = folder / "pages" / path.relative_to(ROOT)
        place.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".md":
            place.write_text(titled(as_page(path.read_text(encoding="utf-8"))), encoding="utf-8")
        else:
            shutil.copyfile(path, place)
    shutil.copy(HERE / "site.css", folder / "pages")
    make_reference(folder / "pages")
    (folder / "mkdocs.yml").write_text(navigation, encoding="utf-8")
    subprocess.run(["mkdocs", "build", "--quiet", "--config-file", folder / "mkdocs.yml"], check=True)


class Page(html.parser.HTMLParser):
    def __init__(self, path):
        super().__init__()
        self.links, self.anchors = [], set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name in ("id", "name"):
                self.anchors.add(value)
            if name in ("href", "src") and value and not re.match(r"[a-z]+:|//", value):
                self.links.append(value)


def broken_links(site):
    pages = {path: Page(path) for path in site.rglob("*.html") if "reference" not in path.relative_to(site).parts and path.name != "404.html"}
    for path, page in pages.items():
        for link in page.links:
            file, _, anchor = link.partition("#")
            target = pathlib.Path(os.path.normpath(path.parent / file)) if file else path
            if not target.exists():
                yield f"{path.relative_to(site)}: {link} leads nowhere"
            elif anchor and target in pages and anchor not in pages[target].anchors:
                yield f"{path.relative_to(site)}: {link} has no such place"


def pages_without_a_place():
    """Of docs/ each page is in the menu, since nobody finds it there otherwise."""
    navigation = pages_of((HERE / "mkdocs.yml").read_text(encoding="utf-8"))
    for path in sorted((ROOT / "docs").rglob("*.md")):
        if str(path.relative_to(ROOT)) not in navigation:
            yield f"{path.relative_to(ROOT)} is not in the menu of docs/site/mkdocs.yml"


def lost_tabs(site):
    """A makefile that is copied from a page works only with them."""
    for path in (ROOT / "docs").rglob("*.md"):
        page = (site / path.relative_to(ROOT)).with_suffix(".html") if path.name != "README.md" else site / path.relative_to(ROOT).parent / "index.html"
        if "\n\t" in path.read_text(encoding="utf-8") and "\t" not in page.read_text(encoding="utf-8"):
            yield f"{path.relative_to(ROOT)}: its tabs are blanks on the page"


def main(folder):
    folder = pathlib.Path(folder).resolve()
    shutil.rmtree(folder, ignore_errors=True)
    make_pages(folder)
    broken = [*broken_links(folder / "html"), *pages_without_a_place(), *lost_tabs(folder / "html")]
    if broken:
        sys.exit("\n".join(broken))
    print(f"{sum(1 for _ in folder.glob('html/**/*.html'))} pages in {folder / 'html'}: `python3 -m http.server -d {folder / 'html'}` shows them, with the search")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
