#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""windrow balance replay: its table, JSON and picture, and what it says about nonsense."""
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

WINDROW, OWN_POLICY = sys.argv[1:3]


def record(pes, objects):
    return json.dumps({"pes": pes, "objects": objects})


# Eight objects of equal load, all on PE 0.
ALL_ON_ONE = record(4, [{"pe": 0, "load": 1.5, "bytes": 10}] * 8)


class Replay(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.file = pathlib.Path(scratch.name) / "loads.json"

    def replay(self, text, *options):
        self.file.write_text(text, encoding="utf-8")
        return subprocess.run([WINDROW, "balance", "replay", self.file, *options], capture_output=True, text=True, check=False)

    def result(self, text, *options):
        done = self.replay(text, "--json", *options)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def refused(self, sentence, text, *options):
        done = self.replay(text, *options)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(sentence, done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1, done.stderr)

    def test_refining_gives_every_pe_two(self):
        found = self.result(ALL_ON_ONE)
        self.assertEqual((found["before"], found["after"], found["moves"], found["bytes"]), (4.0, 1.0, 6, 60))

    def test_other_numbers_of_pes_get_blocks(self):
        self.assertEqual(self.result(ALL_ON_ONE, "--pes", "8", "--policy", "none")["after"], 1.0)
        self.assertEqual(self.result(ALL_ON_ONE, "--pes", "1", "--policy", "rotate")["moves"], 0)
        self.assertEqual(self.result(ALL_ON_ONE, "--pes", "1024", "--policy", "greedy")["after"], 128.0)

    def test_the_table_has_both_sides(self):
        lines = self.replay(ALL_ON_ONE, "--policy", "greedy").stdout.splitlines()
        self.assertEqual(lines[0], "8 objects on 4 PEs, policy greedy")
        self.assertEqual(lines[2].split(), ["before", "4.000", "12", "0"])
        self.assertEqual(lines[3].split(), ["after", "1.000", "3", "3"])
        self.assertTrue(lines[4].startswith("moves: 6 objects, 60 bytes"))

    def test_traffic_decides_which_objects_stay_together(self):
        # Pairs that write to each other: 0 and 1, 2 and 3 and so on, of which PE 0 has the first of each.
        objects = [{"pe": i % 2, "load": 1} for i in range(8)]
        traffic = [{"from": i, "to": i ^ 1, "bytes": 50} for i in range(8)]
        text = json.dumps({"pes": 2, "objects": objects, "traffic": traffic})
        found = self.result(text, "--policy", "refine_communication")
        self.assertEqual((found["after"], found["between_pes"]), (1.0, {"before": 400.0, "after": 0.0}))
        self.assertEqual(self.result(text)["between_pes"]["after"], 400.0)
        self.assertEqual(self.result(text, "--pes", "1")["between_pes"]["before"], 0.0)
        self.assertIn("traffic between PEs: 400 bytes before, 0 after",
                      self.replay(text, "--policy", "refine_communication").stdout)
        for wrong in ({"from": 0, "to": 8, "bytes": 1}, {"from": 0, "to": 1, "bytes": -1}):
            self.refused("bytes to object", json.dumps({"pes": 2, "objects": objects, "traffic": [wrong]}))
        self.refused('there is no "to"', json.dumps({"pes": 2, "objects": objects, "traffic": [{"from": 0}]}))
        self.refused('"traffic" is 5, not a list', json.dumps({"pes": 2, "objects": objects, "traffic": 5}))

    def test_a_policy_of_ones_own_is_loaded(self):
        self.assertEqual(self.result(ALL_ON_ONE, "--policy", OWN_POLICY)["after"], 1.0)
        self.refused("cannot load the policy ./nowhere.so: ", ALL_ON_ONE, "--policy", "./nowhere.so")
        other = next(line.split()[-1] for line in pathlib.Path("/proc/self/maps").read_text(encoding="utf-8").splitlines() if "libc.so" in line)
        self.refused("has no policy: put WINDROW_POLICY", ALL_ON_ONE, "--policy", other)

    def test_distributed_policies_negotiate(self):
        for policy in ("gossip", "diffusion", "stealing", "master_worker"):
            self.assertEqual(self.result(ALL_ON_ONE, "--policy", policy)["after"], 1.0)

    @unittest.skipIf(shutil.which("gnuplot") is None, "gnuplot is not installed")
    def test_a_picture(self):
        picture = self.file.with_suffix(".svg")
        self.assertEqual(self.replay(ALL_ON_ONE, "--chart", picture).returncode, 0)
        self.assertIn("before and after refine", picture.read_text(encoding="utf-8"))
        self.refused("cannot write the file", ALL_ON_ONE, "--chart", "/no/such/loads.svg")
        self.assertEqual(self.replay(ALL_ON_ONE, "--chart", "/no/such/loads.svg").stdout, "")

    def test_nonsense_is_a_sentence(self):
        self.refused("there is no policy 'best'; there are none, rotate", ALL_ON_ONE, "--policy", "best")
        self.refused("has no recorded loads: they look like", "[1, 2")
        self.refused("has no recorded loads: they look like", "[]")
        self.refused('there is no "pes"', '{"objects": []}')
        self.refused('object 0: there is no "load"', record(1, [{"pe": 0}]))
        self.refused('object 0: "load" is "much", not a number', record(1, [{"pe": 0, "load": "much"}]))
        # Before, these were other numbers, without a word.
        for pe in (5000000000, -2**40, 1.7, 2**63):
            self.refused(f'object 0: "pe" is {pe}, not a whole number from -2147483648 to 2147483647', record(2, [{"pe": pe, "load": 1}]))
        for size in (-1, 0.5, -2**63):
            self.refused(f'"bytes" is {size}, not a whole number from 0 to 18446744073709551615', record(2, [{"pe": 0, "load": 1, "bytes": size}]))
        self.refused('"pes" is 4294967297, not a whole number', record(2**32 + 1, []))
        self.refused('"pes" is true, not a number', record(True, []))
        self.refused("2000000000 PEs are more than can be replayed: 1048576 at most", record(2000000000, []))
        self.refused("object 0 is 7, not an object of JSON", record(1, [7]))
        self.refused("object 0 has the load -1; loads are finite and not negative", record(1, [{"pe": 0, "load": -1}]))
        for options in (), ("--pes", "5"):
            self.refused("object 0 is on PE 3; there are PEs 0 to 1", record(2, [{"pe": 3, "load": 1}]), *options)
            self.refused("0 PEs; there must be one at least", record(0, []), *options)
        self.refused("let it end in .svg or .png", ALL_ON_ONE, "--chart", "loads.gif")
        missing = subprocess.run([WINDROW, "balance", "replay", "/nowhere/loads.json"], capture_output=True, text=True, check=False)
        self.assertIn("cannot read /nowhere/loads.json", missing.stderr)

    def test_no_objects_are_balanced(self):
        self.assertEqual(self.result(record(3, []))["after"], 1.0)


unittest.main(argv=sys.argv[:1])
