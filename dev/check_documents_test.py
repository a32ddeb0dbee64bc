# SPDX-License-Identifier: BSD-3-Clause
import pathlib
import tempfile
import unittest

import check_documents


class check_documents_test(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.write("docs/environment.md", "")

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def test_links_lead_to_files_from_where_they_stand(self):
        self.write("README.md", "[a](docs/environment.md#flags) [b](https://example.org/x.md) [c](environment.md)")
        self.assertEqual(check_documents.check(self.root), ["README.md: environment.md does not exist"])

    def test_variables_are_listed_exactly_when_they_are_read(self):
        self.write("src/a.cpp", 'flag_option("WINDROW_NEW", false)')
        self.write("docs/environment.md", "| `WINDROW_OLD` | 1 |")
        self.assertEqual(check_documents.check(self.root),
                         ["docs/environment.md: WINDROW_NEW is read and not listed",
                          "docs/environment.md: WINDROW_OLD is listed and not read"])

    def test_the_library_knows_the_names_that_are_listed(self):
        self.write("src/a.cpp", 'flag_option("WINDROW_ONE", false)')
        self.write("docs/environment.md", "| `WINDROW_ONE` | 1 |")
        self.write("src/base/option_names.hpp", '{"WINDROW_OTHER"}')
        self.assertEqual(check_documents.check(self.root),
                         ["src/base/option_names.hpp: WINDROW_OTHER is not one of docs/environment.md",
                          "src/base/option_names.hpp: WINDROW_ONE is missing"])

    def test_prose_of_readmes_and_of_docs_is_wrapped(self):
        pages = ["docs/tutorials/page.md", "src/a/README.md"]
        for page in [*pages, "NOTES.md"]:
            self.write(page, "# a\n\n" + "word " * 30 + "\n")
        self.assertEqual(check_documents.check(self.root),
                         [f"{page}:3: longer than 100 columns; dev/check_documents.py --wrap wraps it"
                          for page in pages])
        self.assertEqual(check_documents.main(["--wrap", *(str(self.root / page) for page in pages)]), 0)
        self.assertEqual(check_documents.check(self.root), [])

    def test_comments_of_the_library_can_be_read_alone(self):
        for name in "include/windrow/a.hpp", "src/a/a.cpp", "tests/a.cpp":
            self.write(name, "// Waits.\n// The same for all.\n")
        self.assertEqual(check_documents.check(self.root),
                         [f'{name}:2: "The same" in a comment; name what is meant'
                          for name in ["include/windrow/a.hpp", "src/a/a.cpp"]])

    def test_what_tests_set_is_not_read(self):
        self.write("src/a_test.cpp", 'setenv("WINDROW_TEST", "1", 1)')
        self.assertEqual(check_documents.check(self.root), [])


if __name__ == "__main__":
    unittest.main()
