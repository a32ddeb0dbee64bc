#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""`windrow bench bale`, `windrow bench latency-sweep` and `windrow demo` as their users start them, on small graphs.

Numbers are not judged here, only what must hold on any machine: results, counts, files, exit codes. Usage:
bale_test.py WINDROW."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

import jsonschema

WINDROW = sys.argv[1]
SCHEMA = json.loads((pathlib.Path(__file__).parent / "results.schema.json").read_text(encoding="utf-8"))


def windrow(*arguments, **environment):
    return subprocess.run([WINDROW, *arguments], capture_output=True, text=True, timeout=240, check=False,
                          env={**os.environ, **environment})


class Scratch(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def results(self, name):
        content = json.loads((self.folder / name).read_text(encoding="utf-8"))
        jsonschema.validate(content, SCHEMA)
        return content


class Bale(Scratch):
    def test_table_file_and_charts(self):
        for chart in ("a chart.svg", "chart.png"):
            done = windrow("bench", "bale", "-n", "2", "--scale", "6", "--repeats", "2", "--kernels",
                           "histogram,index_gather", "--styles", "blocking,aggregated,mailbox,deferred", "--json", self.folder / "it.json", "--chart",
                           self.folder / chart)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertIn("All 7 results equal those of the sequential programs.", done.stdout)
            self.assertLessEqual(max(map(len, done.stdout.splitlines())), 100)
        content = self.results("it.json")
        self.assertTrue(content["all_right"])
        self.assertEqual({r["kernel"] for r in content["results"]}, {"histogram", "index_gather"})
        self.assertEqual([len(r["seconds"]) for r in content["results"]], [2] * 7)
        if not content["energy"]["counted"]:
            self.assertIn("A model instead, not a measurement", done.stdout)
            self.assertTrue(all(r["joules"] == {} for r in content["results"]))
        text = xml.etree.ElementTree.parse(self.folder / "a chart.svg").getroot().itertext()
        self.assertTrue({"histogram", "index_gather", "aggregated", "mailbox", "deferred"} <= {t.strip() for t in text})
        self.assertEqual((self.folder / "chart.png").read_bytes()[:8], b"\x89PNG\r\n\x1a\n")

    def test_what_is_wrong_is_one_sentence(self):
        for arguments, sentence in [(["--chart", "chart.jpeg"], "let it end in .svg or .png"),
                                    (["--kernels", "sort"], "--kernels"),
                                    (["--graph", "/nowhere"], "cannot open the graph file /nowhere"),
                                    (["-n", "none"], "cannot start 'none' PEs")]:
            done = windrow("bench", "bale", *arguments)
            self.assertNotEqual(done.returncode, 0, arguments)
            self.assertEqual(done.stdout, "")
            self.assertEqual(done.stderr.count(sentence), 1, done.stderr)

    # Before, all was measured, and then lost.
    def test_files_that_cannot_be_written_are_told_first(self):
        for command in ("bale", "latency-sweep", "optimiser", "predict"):
            done = windrow("bench", command, "--json", self.folder / "none/it.json")
            self.assertEqual((done.returncode, done.stdout, done.stderr),
                             (1, "", f"windrow: cannot write the file {self.folder}/none/it.json: No such file or directory\n"))
            if command != "optimiser":
                self.assertIn("cannot write the file", windrow("bench", command, "--chart", self.folder / "none/it.svg").stderr)
        kept = self.folder / "kept.json"
        kept.write_text("before", encoding="ascii")
        self.assertNotEqual(windrow("bench", "bale", "--kernels", "sort", "--json", kept).returncode, 0)
        self.assertEqual([file.name for file in self.folder.iterdir()], ["kept.json"])
        self.assertEqual(kept.read_text(encoding="ascii"), "before")

    # Before, that was read and forgotten, and two PEs ran.
    def test_pes_may_be_said_in_front_of_the_name(self):
        small = ["--scale", "4", "--kernels", "histogram", "--repeats", "1", "--json", self.folder / "it.json"]
        for before, behind, pes in ((["-n", "3"], [], 3), (["-n", "3"], ["-n", "1"], 1)):
            done = windrow("bench", *before, "bale", *behind, *small)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(self.results("it.json")["pes"], pes)
        for command in ("optimiser", "predict"):
            done = windrow("bench", "-n", "3", command)
            self.assertEqual((done.returncode, done.stdout, done.stderr),
                             (1, "", f"windrow: bench: {command} takes numbers of PEs by --pes, not by -n\n"))

    def test_lists_are_looked_through_before_anything_is_measured(self):
        for command, option, value, sentence in (("latency-sweep", "--delays", "0us,soon", "'soon' is not a duration"),
                                                 ("optimiser", "--pes", "2,many", "cannot start 'many' PEs"),
                                                 ("predict", "--pes", "1,0", "cannot start '0' PEs")):
            done = windrow("bench", command, option, value)
            self.assertNotEqual(done.returncode, 0)
            self.assertEqual(done.stdout, "")
            self.assertRegex(done.stderr, f"^{option}: {sentence}")

    def test_names_that_are_not_utf_8(self):
        graph = os.fsencode(self.folder) + b"/\xff.el"
        pathlib.Path(os.fsdecode(graph)).write_text("0 1\n1 2\n", encoding="ascii")
        done = subprocess.run([WINDROW, "bench", "bale", "--graph", graph, "--kernels", "triangles", "--repeats", "1", "--json",
                               self.folder / "it.json"], capture_output=True, check=False, timeout=240)
        self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertEqual(self.results("it.json")["graph"], "\ufffd")

    def test_a_chart_of_nothing_is_one_sentence(self):
        done = windrow("bench", "bale", "--scale", "4", "--kernels", "histogram", "--styles", "aggregated", "--repeats", "1", "--chart",
                       self.folder / "it.svg")
        self.assertEqual((done.returncode, done.stderr),
                         (1, f"windrow: {self.folder}/it.svg is not drawn: without the blocking style there are no speed-ups\n"))
        self.assertIn("All 1 results", done.stdout)

    def test_without_gnuplot_the_package_is_named(self):
        done = windrow("bench", "bale", "--chart", "it.svg", PATH="/nowhere")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("apt-get install gnuplot-nox", done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1)


class LatencySweep(Scratch):
    def test_same_results_and_counts_at_every_delay(self):
        done = windrow("bench", "latency-sweep", "-n", "2", "--scale", "4", "--edges-per-vertex", "4", "--operations",
                       "100", "--repeats", "1", "--kernels", "histogram,index_gather", "--delays", "0us,10us,100us", "--json",
                       self.folder / "it.json", "--chart", self.folder / "it.svg")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("All results are right and the same at every delay.", done.stdout)
        self.assertLessEqual(max(map(len, done.stdout.splitlines())), 100)
        content = self.results("it.json")
        self.assertTrue(content["all_right"])
        self.assertEqual([step["delay"] for step in content["steps"]], ["0us", "10us", "100us"])
        for results in zip(*(step["results"] for step in content["steps"])):
            self.assertEqual(len({r["checksum"] for r in results}), 1)
            self.assertEqual(len({r["moved"]["round_trips"] for r in results}), 1)
            self.assertEqual(len({r["moved"]["items"] for r in results}), 1)
            self.assertEqual(results[0]["moved"]["round_trips"] > 0, results[0]["style"] == "blocking")
        self.assertTrue((self.folder / "it.svg").read_text(encoding="utf-8").startswith("<?xml"))


@unittest.skipUnless((pathlib.Path(WINDROW).parents[1] / "libexec/windrow/bench_updates").exists(), "WINDROW_BENCHMARKS is off")
class Updates(Scratch):
    small = ("--operations", "10", "--repetitions", "1")

    def test_lists_have_commas(self):
        done = windrow("bench", "updates", *self.small, "--entries", "8,9", "--kernels", "gather,histogram", "--only", "aggregated", "--json")
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        self.assertEqual([(row["entries_per_pe"], row["kernel"]) for row in rows],
                         [(8, "gather"), (8, "histogram"), (9, "gather"), (9, "histogram")])

    # Before, the first was a division by zero, and the second an empty table.
    def test_what_cannot_be_measured(self):
        done = windrow("bench", "updates", *self.small, "--entries", "0")
        self.assertEqual(done.stderr.count("--entries: Value 0 is not more than 0"), 1, done.stderr)
        done = windrow("bench", "updates", *self.small, "--only", "aggregate")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(done.stderr.splitlines()[0], "bench: there is no variant 'aggregate'; without --only all are run")

    def test_one_pe_answers_for_help(self):
        self.assertEqual(windrow("bench", "updates", "--help").stdout.count("Usage:"), 1)


class Demo(Scratch):
    def test_everything_is_right(self):
        picture = self.folder / "demo.svg"
        done = windrow("demo", "--scale", "10", "--picture", picture)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.count("All 9 results equal those of the sequential programs."), 4)
        in_order = ["The graphs", "triangles   1,612,010", "On this host", "triangles 1,612,010", "imitated hosts, 5 us apart, a PE on each: R-MAT scale 10",
                    "imitated hosts, 50 us apart, a PE on each: R-MAT scale 10", str(picture), "#pragma shmem defer", "What to conclude"]
        places = [done.stdout.index(text) for text in in_order]
        self.assertEqual(places, sorted(places))
        # What an error would say is as long as it is.
        self.assertLessEqual(max(len(line) for line in done.stdout.splitlines() if not line.startswith("-fdefer")), 120)
        self.assertNotIn("WRONG", done.stdout)
        for place in done.stdout.split("On this host")[1:]:
            self.assert_slower_has_its_reason(place.split("Between")[0])
        drawn = xml.etree.ElementTree.parse(picture).getroot()
        self.assertEqual(len(drawn.findall(".//{*}rect")), 1 + 6 + 4 * 6)  # background, legend, bars
        self.assertLessEqual({"this host, facebook_combined", "50 us apart, R-MAT scale 10"}, {t.strip() for t in drawn.itertext()})

    def assert_slower_has_its_reason(self, place):
        rows = re.findall(r"^(histogram|index_gather|triangles) .* ([0-9.]+) x .* ([0-9.]+) x$", place, re.MULTILINE)
        self.assertEqual(len(rows), 3)
        slower = sum(float(times) < 0.9 for _, *both in rows for times in both)
        self.assertGreaterEqual(len(re.findall(r"^  \w+, \w+: .*\.$", place, re.MULTILINE)), slower)

    def test_json(self):
        done = windrow("demo", "--scale", "5", "--json", "--picture", self.folder / "demo.svg")
        self.assertEqual(done.returncode, 0, done.stderr)
        content = json.loads(done.stdout)
        self.assertTrue(content["all_right"])
        self.assertEqual([len(place["results"]) for place in content["places"]], [9] * 4)
        triangles = {r["checksum"] for place in content["places"] for r in place["results"]
                     if (r["kernel"], r["graph"]) == ("triangles", "facebook_combined")}
        self.assertEqual(triangles, {1612010})

    def test_a_pipe_is_refused(self):
        done = windrow("demo", "--graph", "/dev/null")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("a pipe can be read only once", done.stderr)

    def test_a_picture_that_cannot_be_drawn_is_told_first(self):
        for options in ([], ["--json"]):
            done = windrow("demo", *options, "--picture", self.folder / "none/demo.svg")
            self.assertEqual((done.returncode, done.stdout, done.stderr),
                             (1, "", f"windrow: cannot write the file {self.folder}/none/demo.svg: No such file or directory; "
                                     "--picture names another file\n"))
        full = self.folder / "full.svg"
        full.symlink_to("/dev/full")
        done = windrow("demo", "--only-kernels", "--scale", "5", "--json", "--picture", full)
        self.assertEqual((done.returncode, len(json.loads(done.stdout)["places"])), (1, 4))
        self.assertIn("No space left on device", done.stderr)

    def test_a_bad_graph_file_is_one_sentence(self):
        done = windrow("demo", "--graph", "/nowhere/graph.txt")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("cannot open the graph file /nowhere/graph.txt: No such file or directory", done.stderr)
        self.assertEqual(len(done.stderr.splitlines()), 1)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
