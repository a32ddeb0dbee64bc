# SPDX-License-Identifier: BSD-3-Clause
"""Jobs that Slurm's srun starts, on hosts made of name spaces."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "launch"))
# pylint: disable=wrong-import-position
import cluster
import slurm
from mpi import FLAVOUR, WITH_MODULE, MpiTest
from support import LIFE, WINDROW, main

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAMS = pathlib.Path(LIFE).parent
OBSTACLE = cluster.why_not() or slurm.why_not()
KIND = {"openmpi": "pmix", "mpich": "pmi2"}  # what srun must be asked for


@unittest.skipIf(OBSTACLE, f"skipped: {OBSTACLE}")
class Srun(MpiTest):
    @classmethod
    def setUpClass(cls):
        cls.cluster = cls.enterClassContext(cluster.Cluster(2))
        cls.slurm = cls.enterClassContext(slurm.Slurm(cls.cluster))

    def srun(self, *words, **variables):
        return self.run_command(*self.slurm.srun(*words), env={**self.slurm.environment(), **variables})

    def kinds(self):
        for launcher in self.each(WITH_MODULE):
            yield f"--mpi={KIND[FLAVOUR[launcher]]}"

    def succeeded(self, done):
        self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr[-2000:] + self.slurm.complaints())

    def test_tasks_of_several_hosts_are_pes(self):
        for kind in self.kinds():
            done = self.srun(kind, "-N2", "-n4", LIFE, "meet", "report")
            self.succeeded(done)
            self.assertEqual(sorted(line.rsplit(" ", 1)[0] for line in done.stdout.splitlines()),
                             [f"PE {pe} of 4 is" for pe in range(4)])

    def test_operations_between_hosts(self):
        for kind in self.kinds():
            self.succeeded(self.srun(kind, "-N2", "-n4", str(PROGRAMS / "one_sided_test")))

    def test_one_host_needs_no_mpi(self):
        for kind in self.each(("--mpi=none", "--mpi=pmi2", "--mpi=pmix")):
            done = self.srun(kind, "-N1", "-n3", LIFE, "meet", "report", WINDROW_TRANSPORT="shm")
            self.succeeded(done)
            self.assertEqual(len(done.stdout.splitlines()), 3)

    def test_several_hosts_need_one(self):
        done = self.srun("--mpi=none", "-N2", "-n2", LIFE)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("start it with srun --mpi=pmix (Open MPI) or --mpi=pmi2 (MPICH)", done.stderr)

    def test_the_tutorial(self):
        tutorials = ROOT / "docs" / "tutorials"
        if "openmpi" not in [FLAVOUR[launcher] for launcher in WITH_MODULE]:
            self.skipTest("skipped: the tutorial is for Open MPI")
        follow = self.slurm.at_login(ROOT / "tests" / "documents" / "run_tutorials.py", tutorials, pathlib.Path(WINDROW).parent, "--slurm", "slurm.md")
        done = self.run_command(*follow, env=self.slurm.environment())
        self.succeeded(done)
        self.assertIn("slurm.md: 6 commands", done.stdout)

    def test_pe_that_leaves_ends_the_job(self):
        for kind in self.kinds():
            done = self.srun(kind, "-N2", "-n3", LIFE, "meet", "1:exit0", "hang")
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("has ended without finalizing the job", done.stderr)


if __name__ == "__main__":
    main()
