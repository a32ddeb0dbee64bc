#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Mobile objects seen from outside: checkpoints and their faults, floods, misuse, and the end of a PE while objects move."""
import glob
import os
import pathlib
import re
import resource
import signal
import subprocess
import sys
import tempfile
import unittest

WINDROW, LIFE = sys.argv[1], sys.argv[2]


def fingerprint(data):
    value = 0xcbf29ce484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001b3 % 2**64
    return value.to_bytes(8, "little")


class Life(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.directory = pathlib.Path(scratch.name) / "checkpoint"

    def run_job(self, pes, *arguments, **environment):
        return subprocess.run([WINDROW, "run", "-n", str(pes), LIFE, *map(str, arguments)], capture_output=True, text=True, timeout=200,
                              check=False, env=os.environ | environment)

    def right(self, pes, *arguments, **environment):
        done = self.run_job(pes, *arguments, **environment)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def refused(self, sentence, pes, *arguments, **environment):
        done = self.run_job(pes, *arguments, **environment)
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stderr, sentence)

    @staticmethod
    def part(checkpoint, pe):
        """The file of a PE."""
        (found,) = pathlib.Path(checkpoint).glob(f"objects.*.{pe}")
        return found

    # 101 nodes of 0 … 100, each with 3 times 10 more; the node that is in no collection is in the ring, or it would not come round.
    def test_objects_come_back_on_other_numbers_of_pes(self):
        wanted = f"sum {5050 + 3030}, last 130, others 7000, fresh 2\n"
        self.right(3, "save", self.directory)
        for pes in (1, 2, 3, 4):
            self.assertEqual(self.right(pes, "restore", self.directory), wanted)
        for pes, workers in ((1, "1"), (2, "1"), (3, "2")):
            self.assertEqual(self.right(pes, "restore_on_workers", self.directory, WINDROW_WORKERS=workers), wanted)
        # What the last of them has saved in turn is whole, too.
        self.assertIn("last 160", self.right(2, "restore", f"{self.directory}.again"))

    def test_a_checkpoint_that_few_pes_have_passed_on(self):
        """New objects of the PEs that were not there are others than the old ones; collections that were not made yet are passed on, too."""
        self.right(4, "save", self.directory)
        self.right(2, "pass_on", self.directory)
        self.assertEqual(self.right(4, "restore_and_make", self.directory), "sum 5050\n")

    def test_a_checkpoint_takes_the_place_of_another_at_once(self):
        """What a job that was killed has written of the next one is in nobody's way, and goes with it."""
        self.right(3, "save", self.directory)
        first = sorted(os.listdir(self.directory))
        left_over = self.directory / "objects.17.2"
        left_over.write_bytes(b"half of it")
        others = [self.directory / name for name in ("objects.csv", "objects.17.2.txt", "objects.old.2", "objects.17.", "notes")]
        for other in others:
            other.write_text("the user's", encoding="utf-8")
        self.assertIn("sum 8080, ", self.right(2, "restore", self.directory))
        self.right(3, "save", self.directory)
        for other in others:
            other.unlink()
        second = sorted(os.listdir(self.directory))
        self.assertEqual([len(first), len(second)], [4, 4])
        self.assertEqual(set(first) & set(second), {"job"})

    def test_an_object_that_ends_before_its_collection_is_there(self):
        for pes in (1, 3):
            left = self.right(pes, "end_between_restore_and_make", self.directory)
            self.assertEqual(left, f"100 left, without it, sum {5050 - 5 + pes * 100}\n")

    def test_what_serialize_throws_all_pes_hear(self):
        for how in ("save", "restore"):
            told = self.right(3, f"{how}_throws", self.directory)
            self.assertEqual(told, "PE 0: not this one, sum 3\nPE 1: not this one, sum 3\nPE 2: not this one, sum 3\n")
            # What others have written of it takes no room.
            self.assertEqual(len(list(pathlib.Path(self.directory).iterdir())), 4)

    def test_a_class_that_has_changed_is_refused_on_all_pes(self):
        self.right(2, "save_throws", self.directory)
        sentence = (r"PE {0}: \S*objects.\d+.{0}: an object of class .*choosy: a mobile object or argument was written in 8 bytes, and is read as 16: "
                    r"its serialize does not read what it writes, sum 2\n")
        self.assertRegex(self.right(2, "restore_grown", self.directory), f"^{sentence.format(0)}{sentence.format(1)}$")

    def test_classes_of_one_name_are_refused(self):
        sentence = "a checkpoint cannot tell the classes .*twin of several files apart; give them different names, sum 2"
        self.assertRegex(self.right(2, "save_twins", self.directory), f"^PE 0: {sentence}\nPE 1: {sentence}\n$")

    def test_restoring_again_and_again(self):
        self.right(2, "save", self.directory)
        for pes in (2, 4):
            self.right(pes, "restore_often", self.directory)

    def test_restoring_needs_the_memory_of_a_file_and_its_objects(self):
        """Of 61 MiB, a quarter of which are this PE's."""
        self.right(1, "save_large", self.directory)
        self.assertLess(int(self.right(4, "restore_large", self.directory)), 100)

    def test_a_refused_checkpoint_leaves_nothing(self):
        bad = f"{self.directory}.bad"
        self.right(3, "save", bad)
        self.part(bad, 2).unlink()
        self.right(3, "save", self.directory)
        self.assertRegex(self.right(3, "restore_after_a_refusal", self.directory), "^cannot read .*objects.[0-9]*.2\nsum 8080, last 130, ")

    def test_bad_checkpoints_are_a_sentence(self):
        self.refused("cannot read .*/job", 2, "restore", self.directory)
        self.right(2, "save", self.directory)
        job, part = self.directory / "job", self.part(self.directory, 1)
        whole = part.read_bytes()
        part.write_bytes(whole[:-20])
        self.refused("objects.[0-9]*.1 is not whole, or was changed", 2, "restore", self.directory)
        part.write_bytes(b"something else, and longer than eight bytes")
        self.refused("objects.[0-9]*.1 is no part of a checkpoint of Windrow", 3, "restore", self.directory)
        other = whole[:-8].replace(b"4nodeE", b"4nodeX")
        part.write_bytes(other + fingerprint(other))
        self.refused("objects.[0-9]*.1 has an object of class .*4nodeX, which this program has not", 2, "restore", self.directory)
        other = whole[:8] + b"\0" * 8 + whole[16:-8]
        part.write_bytes(other + fingerprint(other))
        self.refused("objects.[0-9]*.1 is of another checkpoint than job", 2, "restore", self.directory)
        part.unlink()
        self.refused("cannot read .*objects.[0-9]*.1", 2, "restore", self.directory)
        part.write_bytes(whole)
        self.refused("a collection has 8 objects, and at most 8, and that of the checkpoint 7 and 9", 2, "restore_other_size", self.directory)
        self.refused("a collection of class .*large is made where the checkpoint has one of class .*node: after restore", 2, "restore_other_class",
                     self.directory)
        self.refused("this object_space has restored a checkpoint already", 2, "restore_twice", f"{self.directory}.twice")
        self.refused("this PE has made objects or collections already", 2, "restore_late", self.directory)
        self.refused("this PE has made objects or collections already", 2, "restore_after_a_collection", self.directory)
        job.write_bytes(job.read_bytes()[:-1])
        self.refused("job is not whole", 2, "restore", self.directory)
        self.refused("cannot write /proc/nowhere", 2, "save", "/proc/nowhere")
        self.refused("save: the directory has no name", 2, "save", "")

    def test_a_flood_needs_bounded_memory(self):
        self.assertEqual(self.right(2, "flood"), "sum 1000000\n")
        # The largest of all PEs so far, in KiB; a million messages alone would have 32 MiB.
        self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, 64 * 1024)

    def test_a_flood_on_workers_needs_bounded_memory(self):
        # The address sanitizer keeps what was freed, too.
        little_kept = os.environ.get("ASAN_OPTIONS", "") + ":quarantine_size_mb=1"
        for workers, flood in (("1", "flood_one_on_workers"), ("2", "flood_on_workers"), ("2", "flood_that_is_passed_on"),
                               ("3", "flood_one_on_workers")):
            with self.subTest(flood, workers=workers):
                self.assertEqual(self.right(2, flood, WINDROW_WORKERS=workers, ASAN_OPTIONS=little_kept), "sum 1000000\n")
                self.assertLess(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, 64 * 1024)

    def test_misuse_is_a_sentence(self):
        self.refused(r"a message of PE 0 \(.*counter::add\) reaches object [0-9]+ of PE 1 after its destruction", 2, "send_to_the_dead")
        self.refused("a message is sent through a mobile_ptr that is null", 1, "null")
        self.refused("pointer_to: this is no mobile object that is here", 1, "pointer_to_no_object")
        self.refused("WINDROW_BALANCE=gossip,0: what is behind the comma is no number of seconds above 0", 1, "null", WINDROW_BALANCE="gossip,0")
        self.refused("balance in a visit to an object .*, which may move; balance afterwards", 2, "balance_in_a_visit")
        self.refused("multicast: object 1 of PE 0 is named twice; a handler has each of its objects once", 1, "multicast_twice")
        self.refused(r"a message of PE 0 \(.*\) reaches object 1 of PE [0-9] \(index 1 of collection 1\) after its destruction", 2, "multicast_to_the_dead")
        self.refused("an exception left the handler .*throw_with_both of object 1 of PE 1 .*: no room for both", 2, "multicast_throws")
        for event in ("signal_too_often", "signal_too_late"):
            self.refused("an object_event is signalled more often than its send_after has said", 1, event)
        self.refused("an object_event that is null is signalled: it was not made by send_after, or for 0 signals", 1, "signal_of_null")
        for what in ("cannot_leave", "cannot_arrive"):
            self.refused(r"an exception left serialize of object 1 of PE \d \(class .*stubborn\) on PE \d: will not go; catch it there", 2, what)

    def test_what_was_erased_before_a_checkpoint_is_named(self):
        self.right(2, "save_erased", self.directory)
        self.refused(r"a message of PE 0 \(.*counter::add\) reaches object \d+ of PE 0 \(index 1 of collection 1\) after its destruction",
                     2, "send_to_erased", self.directory)
        self.refused(r"for object 7 of collection 1 \(.*counter::add\), which waits for its insertion, though it was erased",
                     2, "send_to_insertion_erased", self.directory)

    def test_handlers_on_workers_that_cannot_end_are_named(self):
        own = "the handler .*asker::ask of object 1 of PE 1 waits for its own call of .*asker::get, which cannot run before it has ended"
        for workers in ("1", "2"):
            self.refused(own, 2, "wait_for_oneself", WINDROW_WORKERS=workers)
            self.refused("the handler .*ask_with_both of object 1 of PE 0 waits for its own call of .*asker::get", 2,
                         "wait_for_oneself_in_a_multicast", WINDROW_WORKERS=workers)
            self.refused(r"the handler .*asker::ask of object 1 of PE [01] has not ended(.|\n)*asker::get of object 1 of PE [01] waits for its turn",
                         2, "wait_for_each_other", WINDROW_WORKERS=workers, WINDROW_STALL_SECONDS="1", WINDROW_STALL_ABORT="1")
        self.refused("handlers run on all workers of some PEs only", 2, "on_workers_of_some")

    def test_an_object_moves_when_its_own_handler_is_over(self):
        for pes in (1, 2, 3):
            self.assertEqual(self.right(pes, "move_in_own_handler"), "handled 20\n")

    def test_the_end_of_a_pe_while_objects_move(self):
        before = set(glob.glob("/dev/shm/*windrow*"))  # and not what an MPI has there for the tests beside this one
        with subprocess.Popen([WINDROW, "run", "-n", "3", LIFE, "move_for_ever"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as job:
            for _ in range(3):
                self.assertIn("moving", job.stdout.readline())
            pes = [int(p) for p in pathlib.Path(f"/proc/{job.pid}/task/{job.pid}/children").read_text(encoding="utf-8").split()]
            self.assertEqual(len(pes), 3)
            os.kill(pes[1], signal.SIGKILL)
            _, errors = job.communicate(timeout=30)
        self.assertNotEqual(job.returncode, 0)
        self.assertTrue(re.match(r"windrow: PE [0-9] \(pid [0-9]+\) was killed by signal 9", errors), errors)
        self.assertEqual(set(glob.glob("/dev/shm/*windrow*")) - before, set())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
