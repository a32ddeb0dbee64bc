#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""`windrow bench optimiser` as its users start it: all versions of all programs have the same checksum. Usage: optimiser_test.py WINDROW [CLASS]."""
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


def results_of(*words, **environment):
    """Of `windrow bench optimiser` with these words: what it prints, and its file, which is valid."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder, "it.json")
        done = subprocess.run([WINDROW, "bench", "optimiser", *words, "--json", file], capture_output=True, text=True, check=False,
                              env={**os.environ, **environment})
        if done.returncode != 0:
            raise AssertionError(done.stdout + done.stderr)
        content = json.loads(file.read_text(encoding="utf-8"))
    jsonschema.validate(content, SCHEMA)
    return done.stdout, content


class Simulated(unittest.TestCase):
    def test_results_and_their_file(self):
        said, content = results_of("--pes", "1,3", "--size", "30")
        # By hand and by -fcomm it takes no time at all on one PE: before, that was a speed of 0.
        self.assertRegex(said, r"(?m)^sobel +1 \|.* 0\.0 .* 0\.0 .* 1\.00$")
        self.assertEqual([row["pes"] for row in content["rows"]], [1, 3] * 14)
        self.assertTrue(content["all_right"])

    def test_programs_by_name(self):
        _, content = results_of("--pes", "2", "--only", "sobel,gups")
        self.assertEqual([row["program"] for row in content["rows"]], ["gups", "sobel"])

    # Before, two of them wrote behind their tables, and the others said nothing.
    def test_more_pes_than_a_program_has_room_for_are_refused(self):
        programs = pathlib.Path(WINDROW).parent.parent / "libexec/windrow"
        for name, most in (("fourier", 64), ("transpose", 64), ("integer_sort", 256), ("tree_search", 256)):
            done = subprocess.run([WINDROW, "run", "-n", str(most + 1), programs / f"optimiser_{name}_plain", "plain", "1"], capture_output=True,
                                  text=True, check=False, env={**os.environ, "WINDROW_SYMMETRIC_SIZE": "4M"})
            self.assertEqual(done.returncode, 2, name)
            self.assertEqual(done.stderr.count(f"the program is for {most} PEs at most"), 1, done.stderr)


class OnHosts(unittest.TestCase):
    def test_results_and_their_file(self):
        said, content = results_of("--only", "sobel", "--hosts", "localhost:2", "--pes", "2", OMPI_ALLOW_RUN_AS_ROOT="1",
                                   OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1")
        self.assertIn("All checksums are the same.", said)
        self.assertEqual(content["hosts"], "localhost:2")
        self.assertGreater(content["rows"][0]["plain"]["microseconds"], 0)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[2:]])
