# SPDX-License-Identifier: BSD-3-Clause
import os
import tempfile
import unittest

import tidy


def entry(target, file):
    return {"directory": "/b", "file": f"/b/{file}", "command": f"c++ -O1 -o {target}.dir/{file}.o -c /b/{file}"}


class Merged(unittest.TestCase):
    entries = [entry("src/CMakeFiles/windrow", f"u{n}.cxx") for n in range(5)] + [
        entry("src/CMakeFiles/windrow", "fiber.cpp"), entry("tools/CMakeFiles/command", "u0.cxx"), entry("tests/CMakeFiles/t", "t.cpp")]

    def test_each_source_of_the_library_and_the_tools_is_compiled_once(self):
        found = [source for one in tidy.merged(self.entries, 2) for source in one["sources"]]
        self.assertEqual(sorted(found), sorted(["/b/u0.cxx"] + [one["file"] for one in self.entries[:6]]))

    def test_no_target_is_more_files_than_asked_for(self):
        names = [one["file"] for one in tidy.merged(self.entries, 2)]
        self.assertEqual(names, ["tools-command-0.cxx", "src-windrow-0.cxx", "src-windrow-1.cxx", "src-windrow-0.cpp"])

    def test_files_include_their_sources_and_are_what_is_compiled(self):
        with tempfile.TemporaryDirectory() as folder:
            first = tidy.merged(self.entries, 2)[:1]
            tidy.write(first, folder)
            path = os.path.join(folder, "tools-command-0.cxx")
            with open(path, encoding="utf-8") as file:
                self.assertEqual(file.read(), '#include "/b/u0.cxx"\n')
            self.assertTrue(first[0]["command"].endswith(f" -c {path}"))


if __name__ == "__main__":
    unittest.main()
