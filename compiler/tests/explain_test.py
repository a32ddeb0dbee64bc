#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""explain_test.py WINDROW: `windrow explain` shows every remark of the compiler beside its line, and nothing else."""
import html
import html.parser
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

WINDROW = sys.argv.pop(1)
SOURCE = """#include <shmem.h>
#include <shmemx.h>
#include <stdio.h>
static long table[100];
long sum(shmem_ctx_t ctx) {
  long all = 0;
#pragma shmem defer
  for (long i = 0; i < 100; i++) {
    long v = shmem_ctx_long_g(ctx, &table[i], (int)(i & 1));
    if (v < 7) all += v;
  }
  shmem_ctx_quiet(ctx);
  return all;
}
long first(shmem_ctx_t ctx) {
  long v = 0;
#pragma shmem defer
  while (v < 3) v = shmem_ctx_long_g(ctx, &table[v], 0);
  return v;
}
"""


class Page(html.parser.HTMLParser):
    """The lines of code of the page, and what is said behind each."""

    def __init__(self, text):
        super().__init__()
        self.lines, self.said, self.place = [], {}, ""
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        kind = dict(attrs).get("class", "")
        if tag in ("td", "div"):
            self.place = kind
        if kind == "code":
            self.lines.append("")
        elif tag == "div":
            self.said.setdefault(len(self.lines), []).append("")

    def handle_endtag(self, tag):
        if tag in ("td", "div"):
            self.place = ""

    def handle_data(self, data):
        if self.place == "code":
            self.lines[-1] += data
        elif self.place:
            self.said.get(len(self.lines), [""])[-1:] = [self.said.get(len(self.lines), [""])[-1] + data]


class Explain(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.write("prog.c", SOURCE)

    def write(self, name, text):
        (self.folder / name).write_text(text, encoding="ascii")

    def explain(self, *words, code=0):
        done = subprocess.run([WINDROW, "explain", *words], cwd=self.folder, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def remarks(self, *words, file="prog.c", code=0):
        found = json.loads(self.explain("--json", *words, code=code).stdout)
        self.assertEqual(found["version"], 1)
        everything = [one for part in found["files"] for one in part["remarks"]]
        for verdict, count in found["counts"].items():
            self.assertEqual(count, sum(one["verdict"] == verdict for one in everything))
        return next(part["remarks"] for part in found["files"] if part["file"] == file)

    def test_json_has_every_remark_once(self):
        remarks = self.remarks("prog.c", "-O2")
        lines = SOURCE.splitlines()
        self.assertIn((9, "done"), {(one["line"], one["verdict"]) for one in remarks})
        self.assertIn((18, "refused"), {(one["line"], one["verdict"]) for one in remarks})
        keys = [(one["line"], one["column"], one["text"]) for one in remarks]
        self.assertEqual(len(keys), len(set(keys)))
        for one in remarks:
            self.assertIn("shmem_ctx_long_g", lines[one["line"] - 1])
            self.assertEqual(lines[one["line"] - 1][one["column"] - 1:][:5], "shmem")

    def test_it_shows_what_becomes_of_loops_with_comm(self):
        self.write("loop.c", """#include <shmem.h>
void fill(long* r, const long* q, int n, int pe) {
  for (int i = 0; i < n; i++)
    shmem_long_p(&r[i], i, pe);
  for (int i = 0; i < n; i++)
    shmem_long_p(&r[i], q[i], i % 3);
}
""")
        found = {(one["line"], one["verdict"], one["by"]) for one in self.remarks("loop.c", "-O2", "-fcomm", file="loop.c")}
        self.assertEqual(found, {(4, "done", "comm"), (6, "missed", "comm")})

    def test_it_says_what_the_compiler_says(self):
        flags = ["-Rpass=windrow-defer", "-Rpass-missed=windrow-defer", "-Rpass-analysis=windrow-defer"]
        said = subprocess.run([WINDROW, "cc", "-fdefer", "-O2", *flags, "-c", "prog.c", "-o", "/dev/null"], cwd=self.folder, capture_output=True,
                              text=True, check=True).stderr
        for one in self.remarks("prog.c", "-O2"):
            self.assertIn(f"prog.c:{one['line']}:{one['column']}: ", said)
            self.assertIn(one["text"], said)

    def test_terminal(self):
        text = self.explain("prog.c").stdout.splitlines()
        self.assertRegex(text[0], r"prog\.c: .*1 refused")
        at = next(i for i, line in enumerate(text) if line.startswith("    9 | "))
        self.assertTrue(text[at + 1].startswith("      | done    deferred "), text[at + 1])
        self.assertIn("  ...", text)
        self.assertNotIn("\033", "".join(text))
        everything = self.explain("--all", "prog.c").stdout.splitlines()
        code = [line for line in everything if line[:5].strip().isdigit()]
        self.assertEqual([line[8:] for line in code], SOURCE.splitlines())

    def test_page(self):
        self.explain("--html", "page.html", "prog.c")
        page = Page((self.folder / "page.html").read_text(encoding="utf-8"))
        self.assertEqual(page.lines, SOURCE.splitlines())
        expected = {}
        for one in self.remarks("prog.c"):
            expected.setdefault(one["line"], []).append(one["text"])
        self.assertEqual(set(page.said), set(expected))

    def test_headers_and_cxx(self):
        self.write("sum.hpp", SOURCE)
        self.write("prog.cpp", '#include "sum.hpp"\n')
        self.assertTrue(self.remarks("prog.cpp", "-I.", file="./sum.hpp"))
        self.assertEqual(self.explain("prog.cpp", "-I.").stderr, "")

    def verdicts(self, *words, file="prog.c"):
        return {(one["line"], one["column"], one["verdict"], one["by"]) for one in self.remarks(*words, file=file)}

    def test_flags_of_the_compiler_change_nothing(self):
        expected = self.verdicts("prog.c")
        for flag in ("-w", "-Wno-everything", "-fno-diagnostics-show-option", "-fno-show-column", "-fdiagnostics-format=msvc",
                     "-fdiagnostics-show-category=name", "-fcolor-diagnostics", "-Werror=unused-command-line-argument"):
            self.assertEqual(self.verdicts("prog.c", flag), expected, flag)

    # Before, the compiler ended before it had said anything, and then the source was told to have no directive.
    def test_flags_with_which_nothing_is_compiled(self):
        expected = self.verdicts("prog.c")
        for flag in ("-E", "-M", "-MM", "-fsyntax-only", "--analyze", "-S"):
            self.assertEqual(self.verdicts("prog.c", flag), expected, flag)

    # Before, there was the error alone, and no page.
    def test_strict_directives(self):
        expected = self.remarks("prog.c")
        self.write("prog.c", SOURCE.replace("shmem defer", "shmem defer strict"))
        self.assertEqual(self.remarks("prog.c", code=1), expected)
        self.assertIn("1 refused", self.explain("--html", "page.html", "prog.c", code=1).stdout + (self.folder / "page.html").read_text(encoding="utf-8"))

    def test_nothing_else_is_written(self):
        self.write("prog.d", "mine")
        before = {file.name for file in self.folder.iterdir()}
        for words in (["-MD"], ["-MMD", "-MF", "prog.d"], ["-o", "prog.o"]):
            self.assertTrue(self.remarks("prog.c", *words))
        self.assertEqual({file.name for file in self.folder.iterdir()}, before)
        self.assertEqual((self.folder / "prog.d").read_text(encoding="ascii"), "mine")
        self.assertFalse(pathlib.Path("/dev/null.d").exists())

    # Before, that ended in an error, or the remarks were lost.
    def test_lines_that_are_not_here(self):
        first, rest = SOURCE.split("static long", 1)
        for place, file in (('500 "gen.y"', "gen.y"), ("500", "prog.c")):
            self.write("prog.c", f"{first}#line {place}\nstatic long{rest}")
            remarks = self.remarks("prog.c", file=file)
            if file == "gen.y":  # of lines behind the end of a file clang only tells that end
                self.assertEqual({one["line"] for one in remarks}, {505, 514})
            done = self.explain("prog.c")
            self.assertEqual(done.stderr, "windrow: gen.y cannot be read: its lines cannot be shown\n" if file == "gen.y" else "")
            self.explain("--html", "page.html", "prog.c")
            page = Page((self.folder / "page.html").read_text(encoding="utf-8"))
            for one in remarks:
                self.assertRegex(done.stdout, rf"\n +{one['line']} \|\n(      \| .*\n)*      \| {one['verdict']} +{re.escape(one['text'])}\n")
                self.assertTrue(any(one["text"] in text for said in page.said.values() for text in said))

    def test_what_other_passes_fail_to_do_is_no_remark(self):
        self.write("loop.c", "int chain(int* a, int n) {\n  int v = 0;\n#pragma clang loop vectorize(enable)\n"
                             "  for (int i = 0; i < n; i++) v = a[v];\n  return v;\n}\n")
        done = self.explain("--json", "loop.c", "-O2")
        self.assertEqual(json.loads(done.stdout)["files"], [])
        self.assertIn("loop not vectorized", done.stderr)

    def test_a_page_is_of_characters_that_pages_may_have(self):
        (self.folder / "prog.c").write_bytes(b"// \xe9\x01 \xc3\xa9 \xed\xa0\x80 \xf0\x9f\x8c\xbe \xf0\x9f\n" + SOURCE.encode("ascii"))
        self.explain("--html", "page.html", "prog.c")
        page = Page((self.folder / "page.html").read_text(encoding="utf-8"))
        self.assertEqual(page.lines[0], "// \ufffd\ufffd \u00e9 \ufffd\ufffd\ufffd \U0001f33e \ufffd\ufffd")

    def test_names_of_files(self):
        for name in ("a: remark: b.c", "a: warning: b <i>&amp;.c", "'\" é.c", "$(touch it); [-Rpass=windrow-defer].c"):
            self.write(name, SOURCE)
            self.assertEqual({one["line"] for one in self.remarks(name, file=name)}, {9, 18})
            self.explain("--html", "page.html", name)
            page = (self.folder / "page.html").read_text(encoding="utf-8")
            self.assertIn(f"<h2>{html.escape(name, quote=False).replace(chr(34), '&quot;')}</h2>", page)
        self.assertFalse((self.folder / "it").exists())

    def test_nothing_to_explain(self):
        self.write("plain.c", "int main(void) { return 0; }\n")
        done = self.explain("plain.c")
        self.assertEqual(done.stdout, "")
        self.assertIn("plain.c has no #pragma shmem defer", done.stderr)
        self.assertEqual(json.loads(self.explain("--json", "plain.c").stdout)["files"], [])

    def test_misuse(self):
        self.write("wrong.c", "int main(void) { return nothing; }\n")
        self.assertIn("undeclared identifier", self.explain("wrong.c", code=1).stderr)
        for words, sentence in ((("prog.f90",), "no C or C++ source by its name"), ((), "name the source"),
                                (("--htlm", "x.html", "prog.c"), "no option --htlm, but --html"),
                                (("-O2", "prog.c"), "the source comes first"),
                                (("--html", "absent/page.html", "prog.c"), "cannot write the file absent/page.html: No such file")):
            self.assertIn(sentence, self.explain(*words, code=1).stderr)


if __name__ == "__main__":
    unittest.main()
