# SPDX-License-Identifier: BSD-3-Clause
import os
import pathlib
import tempfile
import unittest
from unittest import mock

import tidy


def entry(target, file):
    return {"directory": "/b", "file": f"/b/{file}", "command": f"c++ -O1 -o {target}.dir/{file}.o -c /b/{file}"}


class Merged(unittest.TestCase):
    entries = [entry("src/CMakeFiles/windrow", f"unity_{n}_cxx.cxx") for n in range(5)] + [
        entry("src/CMakeFiles/windrow", "fiber.cpp"), entry("src/CMakeFiles/windrow", "load.cpp"), entry("tools/CMakeFiles/command", "unity_0_cxx.cxx"), entry("tests/CMakeFiles/t", "t.cpp")]

    def test_each_source_of_the_library_and_the_tools_is_compiled_once(self):
        found = [source for one in tidy.merged(self.entries, 2) for source in one["sources"]]
        self.assertEqual(sorted(found), sorted(["/b/unity_0_cxx.cxx"] + [one["file"] for one in self.entries[:7]]))

    def test_no_target_is_more_files_than_asked_for_beside_sources_that_are_compiled_alone(self):
        names = [one["file"] for one in tidy.merged(self.entries, 2)]
        self.assertEqual(names, ["tools-command-0.cxx", "src-windrow-0.cxx", "src-windrow-1.cxx", "src-windrow-2.cpp", "src-windrow-3.cpp"])

    def test_files_include_their_sources_and_are_what_is_compiled(self):
        with tempfile.TemporaryDirectory() as folder:
            first = tidy.merged(self.entries, 2)[:1]
            tidy.write(first, folder)
            path = os.path.join(folder, "tools-command-0.cxx")
            with open(path, encoding="utf-8") as file:
                self.assertEqual(file.read(), '#include "/b/unity_0_cxx.cxx"\n')
            self.assertTrue(first[0]["command"].endswith(f" -c {path}"))


class Look(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        # clang-tidy itself is a script that counts its calls, and dislikes files that say so.
        tool = pathlib.Path(folder.name, "clang-tidy-19")
        tool.write_text(f"#!/bin/sh\nfor file; do :; done\necho >> {folder.name}/calls\n! grep wrong $file\n", encoding="ascii")
        tool.chmod(0o755)
        self.enterContext(mock.patch.dict(os.environ, PATH=f"{folder.name}:{os.environ['PATH']}"))
        self.calls = pathlib.Path(folder.name, "calls")
        self.entries = [{"file": f"{folder.name}/{name}.cxx"} for name in ("right", "wrong")]
        for entry in self.entries:
            pathlib.Path(entry["file"]).write_text(f"{entry['file']}\n", encoding="ascii")

    def complaints(self, run):
        self.calls.unlink(missing_ok=True)
        found = [said for _, said in tidy.look(self.entries, tidy.LEFT_OUT, run)]
        return found, len(self.calls.read_text(encoding="ascii"))

    def test_what_was_clean_in_this_run_is_not_looked_at_again(self):
        found, calls = self.complaints("1")
        self.assertEqual((found[0], calls), ("", 2))
        self.assertIn("wrong", found[1])
        self.assertEqual(self.complaints("1"), (found, 1))
        self.assertEqual(self.complaints("2"), (found, 2))


if __name__ == "__main__":
    unittest.main()
