# SPDX-License-Identifier: BSD-3-Clause
"""The launchers of MPI, and what tests that use them share."""
import os
import pathlib
import shutil

from support import WINDROW, JobTest

# The variable in which each tells a process its rank.
RANK = {"mpirun.openmpi": "OMPI_COMM_WORLD_RANK", "mpiexec.mpich": "PMI_RANK"}
FLAVOUR = {"mpirun.openmpi": "openmpi", "mpiexec.mpich": "mpich"}
INSTALLED = [launcher for launcher in RANK if shutil.which(launcher)]
MODULES = pathlib.Path(os.environ["WINDROW_MODULES"])
WITH_MODULE = [launcher for launcher in INSTALLED if (MODULES / f"libwindrow_mpi_{FLAVOUR[launcher]}.so").exists()]
# Open MPI refuses to run as root and more processes than cores unless told otherwise.
CONSENT = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
           "OMPI_MCA_rmaps_base_oversubscribe": "1"}


def one_says_info(launcher):
    """The command that runs `windrow info` in one of two ranks: mpiexec may mix the pieces of several that print."""
    return [launcher, "-n", "2", "sh", "-c", f'if [ "${RANK[launcher]}" = 0 ]; then exec "$0" info; fi', WINDROW]


class MpiTest(JobTest):
    def environment(self, **more):
        return super().environment(**{**CONSENT, **more})

    def each(self, launchers):
        for launcher in launchers:
            with self.subTest(launcher):
                yield launcher

    def refused(self, done, sentence):
        self.assertNotEqual(done.returncode, 0)
        said = [line for line in done.stderr.splitlines() if line.startswith("windrow: ")]
        self.assertEqual([sentence in line for line in said], [True], done.stderr)

    def compiled(self, text, folder, language):
        """The program of this text; `language` is the command of windrow that compiles it."""
        source = pathlib.Path(folder, "program." + {"cc": "c", "c++": "cpp"}[language])
        source.write_text(text, encoding="ascii")
        made = self.run_command(WINDROW, language, str(source), "-o", f"{folder}/program")
        self.assertEqual(made.returncode, 0, made.stderr)
        return f"{folder}/program"
