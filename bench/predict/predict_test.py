#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""`windrow bench predict` as its users start it. What it predicts is the same on every machine, so it is judged.

Usage: predict_test.py WINDROW."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

import jsonschema

WINDROW = sys.argv[1]
SCHEMA = json.loads((pathlib.Path(__file__).parent.parent / "results.schema.json").read_text(encoding="utf-8"))
MEASURED = ("bytes_per_pe", "real_seconds")  # the only numbers that are not the same in every run


def predict(*arguments):
    return subprocess.run([WINDROW, "bench", "predict", *arguments], capture_output=True, text=True, timeout=120, check=False)


class Predict(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_small(self, name, *arguments):
        done = predict("--pes", "1,2,16", "--operations", "512", "--blocking-operations", "16", "--json", self.folder / name,
                       *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        content = json.loads((self.folder / name).read_text(encoding="utf-8"))
        jsonschema.validate(content, SCHEMA)
        return done.stdout, content

    def test_every_run_says_the_same(self):
        def reckoned(content):
            return [{key: value for key, value in point.items() if key not in MEASURED} for point in content["points"]]
        shown, first = self.run_small("first.json", "--model", "hdr", "--chart", self.folder / "it.svg")
        _, second = self.run_small("second.json", "--model", "hdr")
        self.assertEqual(reckoned(first), reckoned(second))
        self.assertEqual(len(first["points"]), 3 * (3 + 4))  # nothing is deferred in histogram
        self.assertIn("All 21 results equal those of the sequential programs.", shown)
        self.assertIn("0.2106", shown)  # 10^6 operations in 4.7478 s, as published for 16 PEs
        self.assertLessEqual(max(map(len, shown.splitlines())), 100)
        self.assertTrue((self.folder / "it.svg").read_text(encoding="utf-8").startswith("<?xml"))

    def test_a_slow_network_makes_aggregation_worth_more(self):
        def speed_up(content):
            speed = {p["style"]: p["operations"] / p["seconds"] for p in content["points"]
                     if (p["kernel"], p["pes"]) == ("histogram", 16)}
            return speed["aggregated"] / speed["blocking"]
        near = speed_up(self.run_small("near.json", "--model", "hdr")[1])
        far = speed_up(self.run_small("far.json", "--model", "cloud")[1])
        self.assertGreater(near, 2)
        self.assertGreater(far, near)

    # Before, a table without rows was all that was shown.
    def test_of_the_deferred_style_counts_are_shown(self):
        done = predict("--pes", "2", "--operations", "64", "--kernels", "index_gather", "--styles", "deferred")
        self.assertRegex(done.stdout, r"(?m)^ +2 \| .*\d+ K \|")

    def test_what_is_wrong_is_one_sentence(self):
        for arguments, sentence in [(["--model", "nonsense"], "there is no model 'nonsense'"),
                                    (["--kernels", "sort"], "--kernels"),
                                    (["--pes", "none"], "--pes")]:
            done = predict("--pes", "1", *arguments)
            self.assertNotEqual(done.returncode, 0, arguments)
            self.assertEqual(done.stderr.count(sentence), 1, done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
