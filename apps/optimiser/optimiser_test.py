#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""`windrow bench optimiser` as its users start it: all versions of all programs have the same checksum. Usage: optimiser_test.py WINDROW."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import jsonschema

WINDROW = sys.argv[1]
SCHEMA = json.loads((pathlib.Path(__file__).parents[2] / "bench/results.schema.json").read_text(encoding="utf-8"))


class Optimiser(unittest.TestCase):
    def test_results_and_their_file(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "it.json")
            done = subprocess.run([WINDROW, "bench", "optimiser", "--pes", "1,3", "--size", "30", "--json", file], capture_output=True,
                                  text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            content = json.loads(file.read_text(encoding="utf-8"))
        jsonschema.validate(content, SCHEMA)
        # By hand and by -fcomm it takes no time at all on one PE: before, that was a speed of 0.
        self.assertRegex(done.stdout, r"(?m)^sobel +1 \|.* 0\.0 .* 0\.0 .* 1\.00$")
        self.assertEqual([row["pes"] for row in content["rows"]], [1, 3] * 14)
        self.assertTrue(content["all_right"])

    # Before, two of them wrote behind their tables, and the others said nothing.
    def test_more_pes_than_a_program_has_room_for_are_refused(self):
        programs = pathlib.Path(WINDROW).parent.parent / "libexec/windrow"
        for name, most in (("fourier", 64), ("transpose", 64), ("integer_sort", 256), ("tree_search", 256)):
            done = subprocess.run([WINDROW, "run", "-n", str(most + 1), programs / f"optimiser_{name}_plain", "plain", "1"], capture_output=True,
                                  text=True, check=False, env={**os.environ, "WINDROW_SYMMETRIC_SIZE": "4M"})
            self.assertEqual(done.returncode, 2, name)
            self.assertEqual(done.stderr.count(f"the program is for {most} PEs at most"), 1, done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
