#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""trace_test.py WINDROW PROGRAM: what WINDROW_TRACE writes, event by event. PROGRAM is made from traced.cpp."""
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

WINDROW, PROGRAM = sys.argv[1:3]
WORD = 8


def run(trace, *arguments, **environment):
    return subprocess.run([WINDROW, "run", "-n", "2", PROGRAM, *arguments], capture_output=True, text=True, timeout=60, check=False,
                          env={**os.environ, "WINDROW_TRACE": str(trace), "WINDROW_STALL_SECONDS": "20", "WINDROW_STALL_ABORT": "1",
                               **environment})


def function_of(site):
    """The function that a site is in, inlined ones first."""
    name, address = site.rsplit("+", 1)
    assert name == pathlib.Path(PROGRAM).name, site
    lines = subprocess.run(["addr2line", "-Cfie", PROGRAM, address], capture_output=True, text=True, check=True).stdout.splitlines()
    return lines[::2]


class Trace(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.file = pathlib.Path(self.folder.name) / "trace.json"

    def tearDown(self):
        self.folder.cleanup()

    def traced(self, *arguments, **environment):
        done = run(self.file, *arguments, **environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done, json.loads(self.file.read_text())

    def test_events(self):
        done, events = self.traced()
        base = int(re.search(r"offset (\d+)", done.stdout).group(1))
        self.check_fields(events)
        self.check_direct(events, base)
        self.check_synchronization(events)
        self.check_handlers(events)
        tasks = [e for e in events if e.get("cat") == "task"]
        self.assertEqual(collections.Counter(e["pid"] for e in tasks), {0: 3, 1: 3})

    def check_fields(self, events):
        """Every event has all of its fields, and nothing is missing of what a PE has recorded."""
        arguments = {"direct": {"pe", "offset", "bytes", "site"}, "synchronization": {"object", "site"},
                     "handler": {"pe", "kind", "items"}, "task": set(),
                     "object": {"pe", "object", "bytes"}}
        spans = [e for e in events if e["ph"] == "X"]
        for e in spans:
            self.assertEqual(set(e), {"name", "cat", "ph", "ts", "dur", "pid", "tid", "args"})
            self.assertEqual(set(e["args"]) | {"site"}, arguments[e["cat"]] | {"site"}, e)
            self.assertIn(e["pid"], (0, 1))
            self.assertGreaterEqual(e["dur"], 0)
        ends = {e["pid"]: e for e in events if e["name"] == "end of trace"}
        for pe in (0, 1):
            own = [e for e in spans if e["pid"] == pe]
            self.assertEqual(ends[pe]["args"]["events"], len(own))
            self.assertLessEqual(max(e["ts"] + e["dur"] for e in own), ends[pe]["ts"] + 0.001)
            names = [e["args"]["name"] for e in events if e["ph"] == "M" and e["name"] == "process_name" and e["pid"] == pe]
            self.assertEqual(names, [f"PE {pe}"])

    def check_direct(self, events, base):
        """Each direct operation of PE 0, in order, with its place, its size and the function that calls it."""
        expected = [("shmem_long_p", 1, 1), ("shmem_long_put", 2, 3), ("shmem_long_put_nbi", 2, 2), ("shmem_long_g", 0, 1),
                    ("shmem_getmem", 0, 3), ("shmem_long_iput", 0, 3), ("shmem_long_atomic_inc", 1, 1),
                    ("shmem_long_atomic_fetch_add", 1, 1),
                    ("put", 3, 1), ("get", 3, 1), ("put", 0, 4), ("fetch_add", 1, 1), ("get_strided", 0, 2), ("put", 5, 1)]
        found = []
        for e in events:
            if e.get("cat") != "direct" or e["pid"] != 0 or e["args"]["pe"] != 1:
                continue
            functions = function_of(e["args"]["site"])
            if any("use_openshmem" in f or "use_cpp" in f for f in functions):
                self.assertEqual(e["name"].startswith("shmem_"), any("use_openshmem" in f for f in functions), e)
                found.append((e["name"], (e["args"]["offset"] - base) // WORD, e["args"]["bytes"] // WORD))
        self.assertEqual(found, expected)

    def check_synchronization(self, events):
        for pe in (0, 1):
            own = [e for e in events if e.get("cat") == "synchronization" and e["pid"] == pe]
            names = [e["name"] for e in own]
            for name in ("shmem_set_lock", "shmem_clear_lock", "shmem_barrier_all", "shmem_long_sum_reduce", "context::barrier"):
                self.assertEqual(names.count(name), 1, (pe, name, names))
            self.assertEqual(names.count("shmem_long_wait_until"), 1 - pe)
            self.assertEqual(names.count("shmem_quiet"), 1 - pe)
            self.assertEqual(names.count("shmem_fence"), 1 - pe)
            for e in own:
                if e["name"] in ("shmem_set_lock", "shmem_barrier_all"):
                    self.assertTrue(any("synchronize" in f for f in function_of(e["args"]["site"])), e)

    def check_handlers(self, events):
        """Aggregated operations and messages are seen where they are handled; none of them has an event of its own."""
        handled = [e for e in events if e.get("cat") == "handler" and e["pid"] == 1 and e["args"]["pe"] == 0]
        items = [e for e in handled if e["name"] == "items"]
        messages = [e for e in handled if e["name"] == "handler"]
        self.assertEqual(sum(e["args"]["items"] for e in items), 100)
        self.assertEqual(sum(e["args"]["items"] for e in messages), 50)
        self.assertEqual({e["args"]["kind"] for e in items}, {0})
        self.assertEqual({e["args"]["kind"] for e in messages}, {1})
        self.assertLess(len(handled), 20)

    def test_mobile_objects(self):
        """Each message to an object, each object made and ended, and both ends of a move are events."""
        done, events = self.traced("objects", WINDROW_STATS="1")
        self.check_fields(events)
        objects = [e for e in events if e.get("cat") == "object"]
        handled = [e for e in objects if e["name"].endswith("counter::add")]
        self.assertEqual({e["args"]["pe"] for e in handled}, {0, 1})
        found = collections.Counter((e["name"], e["pid"], e["args"]["pe"]) for e in objects if e not in handled)
        self.assertEqual(found, {("create", 0, 0): 1, ("create", 1, 1): 1, ("move", 0, 1): 1, ("arrive", 1, 0): 1,
                                 ("destroy", 1, 1): 1})
        self.assertEqual(len({e["args"]["object"] for e in objects}), 2)
        header, *rows = re.search(r"counters\n(.*\n.*\n.*)", done.stderr).group(1).split("\n")
        self.assertRegex(header, r" obj msgs +forwarded +parked +moves +moved$")
        self.assertEqual(len(rows), 2)

    def test_light_threads(self):
        """What a call that synchronizes makes in turn is a part of it also where it suspends."""
        _, events = self.traced("light")
        self.check_fields(events)
        for pe in (0, 1):
            calls = [e for e in events if e.get("cat") == "synchronization" and e["pid"] == pe]
            barrier, = (e for e in calls if e["name"] == "context::barrier")
            end = barrier["ts"] + barrier["dur"]
            self.assertEqual([e["name"] for e in calls if barrier["ts"] < e["ts"] < end], [])

    def test_nothing_is_dropped(self):
        """More than are kept in memory."""
        _, events = self.traced("many")
        for pe in (0, 1):
            self.assertEqual(sum(e["name"] == "shmem_long_p" and e["pid"] == pe for e in events), 10_000)

    def test_aborted_job_keeps_what_it_did(self):
        """The array of such a file is not closed, and readers of the format do without."""
        done = run(self.file, "abort")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("PE 17 does not exist", done.stderr)
        events = json.loads(self.file.read_text() + "]")
        self.assertEqual([e["name"] for e in events if e.get("cat") == "direct" and e["pid"] == 0], ["shmem_long_p"])
        self.assertFalse(any(e["name"] == "end of trace" for e in events))

    def test_simulated_clock(self):
        """In a simulated network the times are simulated, hence the same in every run."""
        def times():
            _, events = self.traced(WINDROW_SIM="hdr")
            return [(e["pid"], e["name"], e["ts"], e["dur"]) for e in events if e["ph"] == "X" and e["pid"] == 0]
        self.assertEqual(times(), times())

    def test_full_disk_is_said(self):
        done = run("/dev/full")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stderr, r"WINDROW_TRACE: cannot write to /dev/full: No space left on device")
        self.assertRegex(done.stderr, r"WINDROW_TRACE: \d+ events are not in /dev/full")

    def test_file_that_cannot_be(self):
        done = run(self.file / "below")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("WINDROW_TRACE: cannot write", done.stderr)


unittest.main(argv=sys.argv[:1])
