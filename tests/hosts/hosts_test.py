# SPDX-License-Identifier: BSD-3-Clause
"""Jobs on hosts that have nothing in common but a network, made of name spaces."""
import pathlib
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "launch"))
# pylint: disable=wrong-import-position
from cluster import Cluster, why_not
from mpi import FLAVOUR, WITH_MODULE, MpiTest
from support import LIFE, WINDROW

PROGRAMS = pathlib.Path(LIFE).parent
OBSTACLE = why_not() or ("" if WITH_MODULE else "no MPI was there when the modules were built")


@unittest.skipIf(OBSTACLE, f"skipped: {OBSTACLE}")
class Hosts(MpiTest):
    def check(self, cluster, launcher, pes_per_host, name, *words):
        with self.subTest(f"{launcher} {name}"):
            done = self.run_command(*cluster.launch(launcher, pes_per_host, str(PROGRAMS / name), *words))
            self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr[-2000:])

    def test_core(self):
        with Cluster(2) as cluster:
            for launcher in WITH_MODULE:
                self.check(cluster, launcher, 2, "one_sided_test")
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

    def test_cut_link_ends_the_job(self):
        for launcher in WITH_MODULE:
            with self.subTest(launcher), Cluster(2) as cluster:
                job = self.start(*cluster.launch(launcher, 1, LIFE, "report", "meet", "hang"),
                                 env={"WINDROW_LOST_SECONDS": "4"})
                for _ in range(2):
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


if __name__ == "__main__":
    unittest.main()
