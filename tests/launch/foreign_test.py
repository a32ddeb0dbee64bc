# SPDX-License-Identifier: BSD-3-Clause
"""Jobs that other launchers start: mpirun of Open MPI, mpiexec of MPICH, srun (imitated), all on one host."""
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

from mpi import INSTALLED, MpiTest, one_says_info
from support import LIFE, LIMIT_SECONDS

SANITIZED = os.environ.get("WINDROW_SANITIZED") == "1"
SYMMETRIC_GLOBAL = """
#include <shmem.h>
#include <stdio.h>
long seen = -1;
int main(void) {
  shmem_init();
  shmem_long_p(&seen, shmem_my_pe(), (shmem_my_pe() + 1) % shmem_n_pes());
  shmem_barrier_all();
  for (int pe = 0; shmem_my_pe() == 0 && pe < shmem_n_pes(); ++pe) printf("%d saw %ld\\n", pe, shmem_long_g(&seen, pe));
  shmem_finalize();
}
"""

BEGIN_AGAIN = """
#include <shmem.h>
#include <stdio.h>
#include <unistd.h>
static long met = 0;
int main(void) {
  int first = 0;
  for (int time = 0; time < 3; ++time) {
    shmem_init();
    if (time == 0) first = shmem_my_pe() == 0;
    shmem_long_atomic_add(&met, 2, (shmem_my_pe() + 1) % shmem_n_pes());
    shmem_barrier_all();
    if (time == 2 && first) printf("%ld %ld %ld\\n", met, shmem_long_g(&met, 1), shmem_long_g(&met, 2));
    shmem_finalize();
  }
  if (first) usleep(100000);  // the others have ended by then
  return 0;
}
"""


@unittest.skipUnless(INSTALLED, "skipped: neither mpirun.openmpi nor mpiexec.mpich is installed")
class Launchers(MpiTest):
    def test_ranks_are_pes(self):
        for command in self.each(INSTALLED):
            done = self.run_command(command, "-n", "4", LIFE, "meet", "report")
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stdout.count("\n"), 4)  # whose pieces mpiexec may mix

    def test_one_rank_is_a_bare_program(self):
        for command in self.each(INSTALLED):
            done = self.run_command(command, "-n", "1", LIFE, "report", env={"WINDROW_TRANSPORT": "auto"})
            self.assertRegex(done.stdout, r"^PE 0 of 1 is \d+\r?\n$")

    def test_a_pe_that_leaves_ends_the_job(self):
        for command in self.each(INSTALLED):
            done = self.run_command(command, "-n", "3", LIFE, "meet", "1:exit0", "hang")
            self.refused(done, "PE 1 (pid ")
            self.assertIn("has ended without finalizing the job", done.stderr)

    def test_a_pe_0_that_leaves_ends_the_job(self):
        for command in self.each(INSTALLED):
            done = self.run_command(command, "-n", "3", LIFE, "meet", "0:exit0", "hang")
            self.refused(done, "PE 0 (pid ")

    def test_killed_launcher_leaves_nothing(self):
        for command in self.each(INSTALLED):
            launcher = self.start(command, "-n", "2", LIFE, "report", "meet", "hang")
            for _ in range(2):
                launcher.stdout.readline()
            launcher.kill()
            launcher.wait(LIMIT_SECONDS)  # the rest: check_nothing_is_left

    def test_program_that_a_pe_starts_is_no_pe(self):
        for command in self.each(INSTALLED):
            done = self.run_command(command, "-n", "2", LIFE, "meet", "0:start_child", "meet",
                                    env={"LIFE_CHILD": f"{LIFE} report"})
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertRegex(done.stdout, r"^PE 0 of 1 is \d+\r?\n$")

    def test_symmetric_global_variables(self):
        with tempfile.TemporaryDirectory() as folder:
            # As C++, because a library with sanitizers needs their part for C++.
            program = self.compiled(SYMMETRIC_GLOBAL, folder, "c++")
            for command in self.each(INSTALLED):
                done = self.run_command(command, "-n", "3", program)
                self.assertEqual(done.stdout.split("\n"), ["0 saw 2", "1 saw 0", "2 saw 1", ""], done.stderr)

    def test_openshmem_once_more(self):
        with tempfile.TemporaryDirectory() as folder:
            program = self.compiled(BEGIN_AGAIN, folder, "c++")
            for command in self.each(INSTALLED):
                done = self.run_command(command, "-n", "3", program)
                self.assertEqual((done.returncode, done.stdout.strip()), (0, "6 6 6"), done.stderr)

    def test_info_says_what_a_job_would_be(self):
        for command in self.each(INSTALLED):
            done = self.run_command(*one_says_info(command))
            self.assertRegex(done.stdout, r"a job here +2 PEs over shm, started by mpi(run|exec) ")


class ImitatedSlurm(MpiTest):
    """What srun says to its tasks, said to processes that this test starts itself."""

    def task(self, rank, tasks, *words, **variables):
        said = {"SLURM_JOB_ID": str(os.getpid()), "SLURM_STEP_ID": self.mark, "SLURM_PROCID": str(rank),
                "SLURM_STEP_NUM_TASKS": str(tasks), "SLURM_STEP_NUM_NODES": "1", "WINDROW_START_SECONDS": "30"}
        return self.start(*words, env={**said, **variables})

    def finish_all(self, tasks):
        return [self.finish(task) for task in tasks]

    def one_sentence(self, tasks, sentence):
        ends = self.finish_all(tasks)
        self.assertTrue(all(code != 0 for code, _, _ in ends), ends)
        said = "".join(errors for _, _, errors in ends)
        self.assertIn(sentence, said)
        self.assertEqual(len(said.splitlines()), 1, said)

    def test_tasks_are_pes(self):
        ends = self.finish_all([self.task(rank, 3, LIFE, "meet", "report") for rank in (2, 1, 0)])
        self.assertEqual([code for code, _, _ in ends], [0, 0, 0], ends)
        self.assertEqual([output.rsplit(" ", 1)[0] for _, output, _ in ends], [f"PE {pe} of 3 is" for pe in (2, 1, 0)])

    def test_killed_pe(self):
        tasks = [self.task(rank, 3, LIFE, "meet", "report", "hang") for rank in range(3)]
        for task in tasks:
            task.stdout.readline()
        tasks[2].send_signal(signal.SIGKILL)
        self.one_sentence(tasks, f"PE 2 (pid {tasks[2].pid}) has ended without finalizing the job")

    def test_where_processes_cannot_be_watched(self):
        without = [os.environ["WINDROW_WITHOUT_PIDFD"], LIFE]
        ends = self.finish_all([self.task(rank, 3, *without, "meet", "report") for rank in range(3)])
        self.assertEqual([code for code, _, _ in ends], [0, 0, 0], ends)
        for killed in (0, 2):
            tasks = [self.task(rank, 3, *without, "meet", "report", "hang")
                     for rank in range(3)]
            for task in tasks:
                task.stdout.readline()
            tasks[killed].send_signal(signal.SIGKILL)
            self.one_sentence(tasks, f"PE {killed} (pid {tasks[killed].pid}) has ended without finalizing the job")

    def test_where_one_process_cannot_watch_others(self):
        for blind in (0, 2):
            command = [[os.environ["WINDROW_WITHOUT_PIDFD"], LIFE] if rank == blind else [LIFE] for rank in range(3)]
            ends = self.finish_all([self.task(rank, 3, *command[rank], "meet", "report") for rank in range(3)])
            self.assertEqual([code for code, _, _ in ends], [0, 0, 0], ends)
            for killed in (0, 2):
                tasks = [self.task(rank, 3, *command[rank], "meet", "report", "hang") for rank in range(3)]
                for task in tasks:
                    task.stdout.readline()
                tasks[killed].send_signal(signal.SIGKILL)
                self.one_sentence(tasks, f"PE {killed} (pid {tasks[killed].pid}) has ended without finalizing the job")

    @unittest.skipIf(SANITIZED, "what sanitizers run opens files")
    def test_limit_of_open_files(self):
        """One file for each other PE, and some more, are enough."""
        for limit, code in ((36, 0), (20, 1)):
            tasks = [self.task(rank, 24, "sh", "-c", f"ulimit -n {limit}; exec {LIFE} meet", WINDROW_SYMMETRIC_SIZE="1M") for rank in range(24)]
            ends = self.finish_all(tasks)
            self.assertEqual({end[0] for end in ends}, {code}, ends)
            said = "".join(errors for _, _, errors in ends)
            self.assertEqual("raise the limit of open files (ulimit -n)" in said, code != 0, said)

    @unittest.skipIf(SANITIZED, "sanitizers need stacks of their own")
    def test_system_that_allows_no_more_threads(self):
        """None has room for such a stack."""
        script = f"ulimit -s 1000000000 && exec {LIFE}; exit 99"
        ends = self.finish_all([self.task(rank, 2, "sh", "-c", script) for rank in range(2)])
        if 99 in (code for code, _, _ in ends):
            self.skipTest("skipped: the size of stacks is limited")
        self.assertIn("cannot start the thread that watches over the other PEs: Resource temporarily unavailable",
                      "".join(errors for _, _, errors in ends))
        self.assertNotIn("terminate called", "".join(errors for _, _, errors in ends))

    def test_end_of_a_parent_that_cannot_be_watched(self):
        script = f'{os.environ["WINDROW_WITHOUT_PIDFD"]} {LIFE} meet report hang & wait'
        parents = [self.task(rank, 2, "sh", "-c", script) for rank in range(2)]
        for parent in parents:
            parent.stdout.readline()
            parent.kill()
            parent.wait(LIMIT_SECONDS)  # the rest: check_nothing_is_left

    @unittest.skipUnless(os.getuid() == 0, "skipped: needs another user")
    def test_name_that_another_user_has_taken(self):
        first = self.task(0, 2, LIFE, "meet")
        name = local_name_of(first.pid)
        first.kill()
        first.wait(LIMIT_SECONDS)
        script = ("import os, socket, sys; os.setuid(65534); s = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET); "
                  "s.bind(chr(0) + sys.argv[1]); s.listen(); print('taken', flush=True); sys.stdin.read()")
        squatter = self.start(sys.executable, "-c", script, name, stdin=subprocess.PIPE)
        self.assertEqual(squatter.stdout.readline(), "taken\n")
        ends = self.finish_all([self.task(rank, 2, LIFE, "meet") for rank in range(2)])
        self.assertEqual([code for code, _, _ in ends], [0, 0], ends)
        squatter.communicate("")

    def test_two_processes_as_pe_0(self):
        first = self.task(0, 2, LIFE, "meet")
        local_name_of(first.pid)
        self.one_sentence([self.task(0, 2, LIFE, "meet")], "srun has started two processes as PE 0")
        self.assertEqual(self.finish(self.task(1, 2, LIFE, "meet"))[0], 0)
        self.assertEqual(self.finish(first)[0], 0)

    @unittest.skipIf(SANITIZED, "what sanitizers run opens files")
    def test_guard_that_cannot_poll_rests(self):
        tasks = [self.task(rank, 3, LIFE, "meet", "0:no_files", "meet", "finalize", "0:hang") for rank in range(3)]
        self.assertEqual([self.finish(task)[0] for task in tasks[1:]], [0, 0])
        self.assertIn("cannot watch the other PEs for the moment: Invalid argument", tasks[0].stderr.readline())
        before = seconds_of(tasks[0].pid)
        time.sleep(1)
        self.assertLess(seconds_of(tasks[0].pid) - before, 0.5)
        tasks[0].kill()
        tasks[0].wait(LIMIT_SECONDS)

    def test_pe_that_never_comes(self):
        self.one_sentence([self.task(0, 3, LIFE, WINDROW_START_SECONDS="1")],
                          "PE 1, 2 of the 3 PEs that srun started have not come within 1 s (WINDROW_START_SECONDS)")
        self.one_sentence([self.task(1, 3, LIFE, WINDROW_START_SECONDS="1")],
                          "PE 0 of the job that srun started has not accepted this PE within 1 s")

    def test_pe_that_ends_while_the_job_starts(self):
        first, second = (self.task(rank, 3, LIFE, "meet") for rank in (0, 1))
        end_after_greeting(second)
        self.assertIn(f"PE 1 (pid {second.pid}) has ended while the job was starting", self.finish(first)[2])
        self.finish(second)

    def test_heaps_of_different_size(self):
        self.one_sentence([self.task(rank, 2, LIFE, WINDROW_SYMMETRIC_SIZE=f"{rank + 1}M") for rank in range(2)],
                          "PE 1 wants a symmetric heap of 2 MiB and PE 0 one of 1 MiB")

    def test_different_programs(self):
        with tempfile.TemporaryDirectory() as folder:
            other = pathlib.Path(folder, "other")
            other.write_bytes(with_another_build_id(pathlib.Path(LIFE).read_bytes()))
            other.chmod(0o755)
            self.one_sentence([self.task(0, 2, LIFE), self.task(1, 2, str(other))], "runs another program than PE 0")

    def test_same_program_without_build_id(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(["objcopy", "--remove-section=.note.gnu.build-id", LIFE, f"{folder}/life"], check=True)
            ends = self.finish_all([self.task(rank, 2, f"{folder}/life", "meet") for rank in range(2)])
            self.assertEqual([code for code, _, _ in ends], [0, 0], ends)

    def test_two_processes_with_one_rank(self):
        first = self.task(0, 3, LIFE)
        twins = [self.task(1, 3, LIFE) for _ in range(2)]
        self.one_sentence([first, *twins], "srun has started two processes as PE 1")


def local_name_of(pid):
    """Where a PE 0 that is still alone waits for the others."""
    deadline = time.monotonic() + LIMIT_SECONDS
    while time.monotonic() < deadline:
        inodes = {os.readlink(f"/proc/{pid}/fd/{fd}") for fd in os.listdir(f"/proc/{pid}/fd")}
        for line in pathlib.Path("/proc/net/unix").read_text(encoding="utf-8").splitlines()[1:]:
            words = line.split()
            if f"socket:[{words[6]}]" in inodes and len(words) > 7 and words[7].startswith("@windrow."):
                return words[7][1:]
        time.sleep(0.01)
    raise AssertionError("PE 0 has not begun to listen")


def seconds_of(pid):
    """Processor time that a process has used."""
    words = pathlib.Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


class Environment(MpiTest):
    def test_several_hosts(self):
        half = {"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "4", "OMPI_COMM_WORLD_LOCAL_SIZE": "2"}
        self.refused(self.run_command(LIFE, env={**half, "WINDROW_TRANSPORT": "shm"}),
                     "mpirun of Open MPI has started 4 PEs on several: use mpi, or auto")
        tasks = {"SLURM_STEP_ID": "0", "SLURM_PROCID": "0", "SLURM_STEP_NUM_TASKS": "2", "SLURM_STEP_NUM_NODES": "2"}
        self.refused(self.run_command(LIFE, env=tasks), "start it with srun --mpi=pmix (Open MPI) or --mpi=pmi2")

    def test_contradictions(self):
        rank_2_of_2 = {"SLURM_STEP_ID": "0", "SLURM_PROCID": "2", "SLURM_STEP_NUM_TASKS": "2"}
        self.refused(self.run_command(LIFE, env=rank_2_of_2), "SLURM_PROCID='2' is not a whole number from 0 to 1")
        two = {**rank_2_of_2, "SLURM_PROCID": "0"}
        self.refused(self.run_command(LIFE, env={**two, "WINDROW_PES": "4"}), "unset WINDROW_PES")
        self.refused(self.run_command(LIFE, env={**two, "WINDROW_TRANSPORT": "self"}), "use shm")
        self.refused(self.run_command(LIFE, env={"PMI_RANK": "0", "PMI_SIZE": "2"}), "PMI_FD leads to none")
        self.refused(self.run_command(LIFE, env={"PMIX_RANK": "0"}), "does not say how many PEs there are")

    def test_own_launcher_comes_first(self):
        done = self.windrow_run(2, LIFE, "meet", "report",
                                env={"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "4"})
        self.assertEqual((done.returncode, len(done.stdout.splitlines())), (0, 2), done.stderr)


def with_another_build_id(program):
    mark = b"\x14\0\0\0\x03\0\0\0GNU\0"  # a note of 20 bytes, of that type
    at = program.index(mark) + len(mark)
    return program[:at] + bytes([program[at] ^ 1]) + program[at + 1:]


def end_after_greeting(task):
    """Kills a task once it waits for the answer of PE 0: it then has a socket and sleeps in poll(2)."""
    while True:
        with open(f"/proc/{task.pid}/syscall", encoding="ascii") as call:
            number = call.read().split()[0]
        sockets = [name for name in os.listdir(f"/proc/{task.pid}/fd") if is_socket(task.pid, name)]
        if number == "7" and sockets:  # poll on x86-64
            break
    task.kill()


def is_socket(pid, name):
    try:
        return os.readlink(f"/proc/{pid}/fd/{name}").startswith("socket:")
    except OSError:
        return False


if __name__ == "__main__":
    unittest.main()
