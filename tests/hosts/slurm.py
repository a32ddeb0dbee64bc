# SPDX-License-Identifier: BSD-3-Clause
"""Slurm on hosts of a Cluster: the controller on the login node, a daemon on each host. Nothing of a Slurm that this machine
may have is used or changed but its programs."""
import os
import shutil
import subprocess

# Who asks is believed (auth/none): the hosts have a network of their own. Hosts take 8 tasks, however many processors this
# machine has. /dev/shm is what each of them has for itself. Daemons do not reap what srun leaves in a batch job, so by process groups
# (proctrack/pgid) such a job would never end.
CONFIGURATION = """
ClusterName=windrow
SlurmctldHost=login
SlurmUser=root
AuthType=auth/none
CredType=cred/none
MailProg=/bin/true
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/linear
SchedulerType=sched/builtin
PropagateResourceLimits=NONE
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool.%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmdParameters=config_overrides
NodeName=node[1-{count}] CPUs=8 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES State=UP
"""
MPI_CONFIGURATION = "PMIxCliTmpDirBase=/dev/shm\n"


def why_not():
    """Why this machine cannot have such a Slurm, or an empty string."""
    absent = [tool for tool in ("slurmctld", "slurmd", "srun") if shutil.which(tool) is None]
    return f"{absent[0]} is not installed" if absent else ""


class Slurm:
    """To be used with `with`, inside that of its cluster."""

    def __init__(self, cluster):
        self.cluster, self.daemons = cluster, []
        self.folder = cluster.folder / "slurm"

    def __enter__(self):
        (self.folder / "state").mkdir(parents=True)
        text = CONFIGURATION.format(folder=self.folder, count=self.cluster.count)
        (self.folder / "slurm.conf").write_text(text, encoding="ascii")
        (self.folder / "mpi.conf").write_text(MPI_CONFIGURATION, encoding="ascii")
        self.start("login", "slurmctld", "-D")
        for i in range(1, self.cluster.count + 1):
            (self.folder / f"spool.node{i}").mkdir()
            self.start(f"node{i}", "slurmd", "-D", "-N", f"node{i}")
        return self

    def __exit__(self, *_):
        for daemon in reversed(self.daemons):
            daemon.terminate()
            daemon.wait()

    def start(self, name, *words):
        with open(self.folder / f"{name}.log", "wb") as log:
            self.daemons.append(subprocess.Popen(self.cluster.command_at(name, *words), stdout=log, stderr=log,
                                                 env={**os.environ, **self.environment()}))

    def environment(self):
        return {"SLURM_CONF": str(self.folder / "slurm.conf")}

    def srun(self, *words):
        """The command; it waits until the hosts are there."""
        return self.at_login("srun", "--quiet", *words)

    def at_login(self, *words):
        return self.cluster.command_at("login", *map(str, words))

    def complaints(self):
        """What the daemons have written, for a failing test."""
        return "".join(path.read_text(errors="replace")[-1500:] for path in sorted(self.folder.glob("*.log")))
