# SPDX-License-Identifier: BSD-3-Clause
"""Jobs on hosts that have nothing in common but a network, made of name spaces."""
import json
import pathlib
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "launch"))
# pylint: disable=wrong-import-position
from cluster import Cluster, why_no_delay, why_not
from mpi import FLAVOUR, WITH_MODULE, MpiTest
from support import LIFE, WINDROW, main

PROGRAMS = pathlib.Path(LIFE).parent
NO_MODULE = "" if WITH_MODULE else "no MPI was there when the modules were built"
OBSTACLE = why_not() or NO_MODULE
DELAY_OBSTACLE = why_no_delay() or NO_MODULE

ANSWER = """
import socket
with socket.create_server(("", 5000)) as server:
    print("listening", flush=True)
    asker = server.accept()[0]
    while asker.recv(1):
        asker.send(b"x")
"""
ASK = """
import socket, time
def round_trip():
    begin = time.monotonic()
    answerer.send(b"x")
    answerer.recv(1)
    return time.monotonic() - begin
with socket.create_connection(("node2", 5000)) as answerer:
    print(min(round_trip() for _ in range(10)) * 1e3)
"""


class HostsTest(MpiTest):
    def check(self, cluster, launcher, pes_per_host, name, *words):
        with self.subTest(f"{launcher} {name}"):
            done = self.run_command(*cluster.launch(launcher, pes_per_host, str(PROGRAMS / name), *words))
            self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr[-2000:])

    def check_cut(self, cluster, launcher):
        job = self.start(*cluster.launch(launcher, 1, LIFE, "report", "meet", "hang"), env={"WINDROW_LOST_SECONDS": "4"})
        for _ in range(cluster.count):
            job.stdout.readline()
        cluster.cut(2)
        begin = time.monotonic()
        self.assertIn("host node2 (PE 1 and those beside it) has not been heard", self.first_sentence(job))
        self.assertLess(time.monotonic() - begin, 10)
        job.kill()  # the launcher itself would wait for the cut host
        job.wait()

    def first_sentence(self, job):
        for line in job.stderr:
            if line.startswith("windrow: "):
                return line
        return ""


@unittest.skipIf(OBSTACLE, f"skipped: {OBSTACLE}")
class Hosts(HostsTest):
    def test_core(self):
        with Cluster(2) as cluster:
            for launcher in WITH_MODULE:
                self.check(cluster, launcher, 2, "one_sided_test")
                self.check(cluster, launcher, 2, "shmem_addresses")
                self.check(cluster, launcher, 1, "aggregate_engine_test", "--gtest_filter=-atomicity*")

    def test_four_hosts(self):
        with Cluster(4) as cluster:
            for launcher in WITH_MODULE:
                self.check(cluster, launcher, 1, "one_sided_test")

    def test_windrow_run_on_hosts(self):
        with Cluster(2) as cluster:
            for launcher in WITH_MODULE:
                with self.subTest(launcher):
                    done = self.run_command(
                        *cluster.command_at("login", WINDROW, "run", "--hosts", "node1,node2:1", "--mpi",
                                            FLAVOUR[launcher], "-n", "2", LIFE, "meet", "1:report", "meet"),
                        env={**cluster.environment(), "WINDROW_LOST_SECONDS": "5"})
                    self.assertEqual(done.returncode, 0, done.stderr)
                    self.assertIn("PE 1 of 2 is", done.stdout)

    def bench_hosts(self, cluster, launcher, *words):
        return self.run_command(
            *cluster.command_at("login", WINDROW, "bench", "hosts", "--hosts", "node1,node2", "--mpi", FLAVOUR[launcher],
                                "--json", *words), env=cluster.environment())

    def test_bench_takes_turns_with_plain_mpi(self):
        with Cluster(2, bound=True) as cluster:
            for launcher in WITH_MODULE:
                with self.subTest(launcher):
                    done = self.bench_hosts(cluster, launcher, "--only", "busy")
                    self.assertEqual(done.returncode, 0, done.stderr)
                    figures = {f["figure"]: f for f in map(json.loads, done.stdout.splitlines())}
                    self.assertEqual({len(f["values"]) for f in figures.values()}, {7})
                    low, median, high = figures["fetch_add, target computes"]["of"]["MPI_Fetch_and_op, target computes"]
                    self.assertTrue(0 < low <= median <= high)

    def test_bench_ends_both_jobs_when_one_fails(self):
        with Cluster(2) as cluster:
            for launcher in WITH_MODULE:
                with self.subTest(launcher):
                    done = self.bench_hosts(cluster, launcher, "--nonsense")
                    self.assertNotEqual(done.returncode, 0)
                    self.assertIn("bench: a program has failed", done.stderr)

    def test_cut_link_ends_the_job(self):
        for launcher in WITH_MODULE:
            with self.subTest(launcher), Cluster(2) as cluster:
                self.check_cut(cluster, launcher)


@unittest.skipIf(DELAY_OBSTACLE, f"skipped: {DELAY_OBSTACLE}")
class DistantHosts(HostsTest):
    """What one host tells another arrives 2 ms later."""

    def distant(self, count):
        return Cluster(count, switch=(PROGRAMS / "hosts_switch", 2000))

    def test_the_delay_is_there(self):
        with self.distant(2) as cluster:
            self.assertGreaterEqual(self.round_trip_ms(cluster), 4)

    def round_trip_ms(self, cluster):
        """The shortest of some between the first two hosts."""
        answer = self.start(*cluster.command_at("node2", sys.executable, "-c", ANSWER))
        self.assertEqual(answer.stdout.readline(), "listening\n")
        done = self.run_command(*cluster.command_at("node1", sys.executable, "-c", ASK))
        answer.kill()
        answer.wait()
        self.assertEqual(done.returncode, 0, done.stderr)
        return float(done.stdout)

    def check_core(self, cluster, launcher):
        # Not those that make hundreds of round trips one after another.
        self.check(cluster, launcher, 1, "one_sided_test", "--gtest_filter=atomics/3*:one_sided*:symmetric*")
        self.check(cluster, launcher, 1, "aggregate_engine_test",
                   "--gtest_filter=-atomicity*:stream.quiet_waits_for_what_handlers_send")

    def test_two_hosts(self):
        with self.distant(2) as cluster:
            self.check_core(cluster, WITH_MODULE[0])

    def test_four_hosts(self):
        with self.distant(4) as cluster:
            self.check_core(cluster, WITH_MODULE[-1])

    def test_cut_link_ends_the_job(self):
        with self.distant(2) as cluster:
            self.check_cut(cluster, WITH_MODULE[-1])


if __name__ == "__main__":
    main()
