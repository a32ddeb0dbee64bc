# SPDX-License-Identifier: BSD-3-Clause
import unittest

import prose

LONG = "word " * 30


class prose_test(unittest.TestCase):
    def assert_stays(self, text):
        self.assertEqual(prose.wrapped(text), text)
        self.assertEqual(list(prose.too_long(text)), [])

    def test_paragraphs_are_filled(self):
        self.assertEqual(prose.wrapped("a\nb\n\nc\n"), "a b\n\nc\n")
        self.assertEqual(list(prose.too_long("a\n\n" + LONG)), [3])
        self.assertEqual([len(line) for line in prose.wrapped(LONG).split("\n")], [99, 49])

    def test_items_of_lists_are_indented(self):
        lines = prose.wrapped(f"1. {LONG}\n   more\n2. other").split("\n")
        self.assertEqual([line[:4] for line in lines], ["1. w", "   w", "2. o"])
        self.assertTrue(lines[1].endswith("word more"))

    def test_quotations_keep_their_mark_in_each_line(self):
        lines = prose.wrapped(f"text\n> {LONG}\n> more\n\ntext").split("\n")
        self.assertEqual([line[:6] for line in lines], ["text", "> word", "> word", "", "text"])
        self.assertTrue(lines[2].endswith("word more"))
        self.assert_stays("> a\n\n> b\n")

    def test_tables_code_headings_and_links_stay(self):
        self.assert_stays(f"| {LONG} |\n")
        self.assert_stays(f"```sh\n{LONG}\n\nb\nc\n```\n")
        self.assert_stays(f"text\n\n    {LONG}\n    b\n")
        self.assert_stays(f"# {LONG}\n## b\n")
        self.assert_stays(f"[a]: {LONG}\n[b]: c\n")

    def test_code_is_one_word(self):
        code = "`" + LONG.strip() + "`"
        self.assert_stays(code)
        self.assertEqual(prose.wrapped(f"a {code} b"), f"a\n{code}\nb")

    def test_no_line_begins_with_what_looks_like_a_list(self):
        for sign in "-", "*", "12.", "#", ">":
            self.assertNotIn(f"\n{sign}", prose.wrapped("x" * 96 + f" ab {sign} " + LONG))

    def test_wrapping_twice_changes_nothing(self):
        text = prose.wrapped(f"{LONG}\n* {LONG}\n  * {LONG}\n\n{LONG}")
        self.assert_stays(text)

    def test_comments_that_cannot_be_read_alone_are_found(self):
        text = "\n".join(["// Who waits.", "  /// The same for all.", "/// Of who waits.", "  // For who waits.",
                          "int a = 0; ///< looked in vain", "// a sentence in which", "// the same thing is said of",
                          "// one who waits: Whose", "std::string in = vain, s = \"in vain\";"])
        self.assertEqual(list(prose.odd_comments(text)),
                         [(1, "Who"), (2, "The same"), (3, "Of who"), (4, "For who"), (5, "in vain")])


if __name__ == "__main__":
    unittest.main()
