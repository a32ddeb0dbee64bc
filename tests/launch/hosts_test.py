# SPDX-License-Identifier: BSD-3-Clause
"""Jobs on several hosts, over MPI. WINDROW_HOST lets processes of this machine pretend to be on different ones: they share
no memory then."""
import os
import pathlib
import signal
import tempfile
import time
import unittest

from mpi import RANK, WITH_MODULE, MpiTest, one_says_info
from support import LIFE, WINDROW, processes_with

PROGRAMS = pathlib.Path(LIFE).parent

NEIGHBOURS = """
#include <shmem.h>
#include <stdio.h>
static long seen = -1, sum, lock, guarded;
int main(int argc, char** argv) {
  shmem_init();
  const int me = shmem_my_pe(), pes = shmem_n_pes();
  shmem_long_p(&seen, me, (me + 1) % pes);
  shmem_long_atomic_add(&sum, me + 1, 0);
  for (int i = 0; i < 20; ++i) {
    shmem_set_lock(&lock);
    shmem_long_p(&guarded, shmem_long_g(&guarded, 0) + 1, 0);
    shmem_clear_lock(&lock);
  }
  shmem_barrier_all();
  /* Not on the standard output, whose pieces mpiexec may mix. */
  char name[4096];
  snprintf(name, sizeof name, "%s/%d", argv[argc - 1], me);
  FILE* file = fopen(name, "w");
  static long one = 1, here;
  shmem_sum_reduce(SHMEM_TEAM_SHARED, &here, &one, 1);
  fprintf(file, "saw %ld, sum %ld, guarded %ld, ptr %d, %ld of %d here", seen, shmem_long_g(&sum, 0), shmem_long_g(&guarded, 0),
          shmem_ptr(&sum, (me + 1) % pes) != NULL, here, shmem_team_n_pes(SHMEM_TEAM_SHARED));
  fclose(file);
  shmem_finalize();
}
"""

ENDS_ALL = """
#include <shmem.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char** argv) {
  shmem_init();
  if (shmem_my_pe() == atoi(argv[argc - 2])) shmem_global_exit(atoi(argv[argc - 1]));
  if (shmem_my_pe() == 0) for (;;) pause(); /* it never comes back to the library */
  shmem_barrier_all();
}
"""

# Each PE has a thread that calls the library all the time, so that the agents have no processor now and then.
ENDS_ALL_AMONG_THREADS = """
#include <pthread.h>
#include <shmem.h>
#include <unistd.h>
static void* call(void* nothing) {
  for (;;) shmem_quiet();
  return nothing;
}
int main(void) {
  int provided;
  pthread_t thread;
  shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
  pthread_create(&thread, 0, call, 0);
  shmem_barrier_all();
  if (shmem_my_pe() == 0) shmem_global_exit(0);
  for (;;) pause();
}
"""


# What -fcomm makes of loops that write to computed places: in the order of the loop at each PE, and atomic.
LATE_WRITES = """
#include <shmem.h>
#include <stdio.h>
#include <windrow/detail/comm_calls.h>
enum { most = 40000, table = 512 };
static long counts[table], last[4][table];
static unsigned char bytes[4][table];
static const struct windrow_comm_routine add = {"shmem_long_atomic_add", windrow_comm_add, 3}, put = {"shmem_long_p", windrow_comm_put, 3},
                                         put_byte = {"shmem_uchar_p", windrow_comm_put, 0};
int main(void) {
  shmem_init();
  const int me = shmem_my_pe(), pes = shmem_n_pes();
  struct windrow_comm_writes* late = windrow_comm_begin_writes();
  for (int i = 0; i < most; i++) {
    windrow_comm_write(late, &add, &counts[i * 7 % table], (i + me) % pes, 2);
    windrow_comm_write(late, &put, &last[me][i % table], (me + i / table) % pes, i);
    windrow_comm_write(late, &put_byte, &bytes[me][i % table], (me + i / table) % pes, (unsigned char)i);
  }
  windrow_comm_end_writes(late);
  shmem_barrier_all();
  long sum = 0, wrong = 0;
  for (int i = 0; i < table; i++) sum += counts[i];
  for (int from = 0; from < pes; from++)
    for (int i = 0; i < most; i++)
      if ((from + i / table) % pes == me && i + table * pes >= most && (last[from][i % table] != i || bytes[from][i % table] != (unsigned char)i)) wrong++;
  shmem_barrier_all();
  if (sum != 2l * most || wrong != 0) {
    fprintf(stderr, "PE %d: sum %ld, %ld wrong\\n", me, sum, wrong);
    shmem_global_exit(1);
  }
  shmem_finalize();
}
"""

NEVER_MEET = """
#include <shmem.h>
static long flag;
int main(void) {
  shmem_init();
  if (shmem_my_pe() == 1) shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
  shmem_barrier_all();
}
"""


@unittest.skipUnless(WITH_MODULE, "skipped: no MPI was there when the modules were built")
class Hosts(MpiTest):
    def setUp(self):
        super().setUp()
        self.addCleanup(remove_segments_of_open_mpi, set(os.listdir("/dev/shm")))

    def environment(self, **more):
        return super().environment(**{"WINDROW_TRANSPORT": "mpi", **more})

    def spread(self, launcher, pes, hosts, *words):
        """The command that starts PE p as if on host p % hosts."""
        script = f'export WINDROW_HOST=host$(({RANK[launcher]} % {hosts})); exec "$0" "$@"'
        return [launcher, "-n", str(pes), "sh", "-c", script, *map(str, words)]

    def test_ranks_are_pes(self):
        for launcher in self.each(WITH_MODULE):
            done = self.run_command(*self.spread(launcher, 4, 2, LIFE, "meet", "report", "meet"))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stdout.count("\n"), 4)  # whose pieces mpiexec may mix

    def process_on(self, host):
        """The one PE of the job that pretends to be there."""
        for pid in processes_with(self.mark):
            variables = pathlib.Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
            if f"WINDROW_HOST={host}".encode() in variables:
                return pid
        raise AssertionError(f"no process on {host}")

    def check_program(self, pes, hosts, name, *words, launchers=tuple(WITH_MODULE)):
        for launcher in launchers:
            done = self.run_command(*self.spread(launcher, pes, hosts, PROGRAMS / name, *words),
                                    env={"WINDROW_DEBUG": "1", "WINDROW_STALL_SECONDS": "30"})
            self.assertEqual(done.returncode, 0, done.stdout[-2000:] + done.stderr[-2000:])

    def test_one_sided_operations(self):
        self.check_program(3, 2, "one_sided_test")

    def test_collectives(self):
        self.check_program(3, 3, "team_pe_test", "--gtest_filter=random*", launchers=WITH_MODULE[:1])

    def test_aggregated_operations(self):
        # Not those that make 100,000 round trips.
        self.check_program(2, 2, "aggregate_engine_test", "--gtest_filter=-atomicity*")

    def test_floods_are_held_back(self):
        # One after the other, so that each has the memory of those before it to fall back on.
        self.check_program(3, 2, "hosts_floods", "40", "bytes", "all_to_all", "incast", "large")

    def test_what_a_pe_of_the_host_is_told_of_is_there(self):
        """Also on another host, and where WINDROW_BULK keeps puts."""
        for launcher in self.each(WITH_MODULE):
            for case in ("broadcasts", "tasks"):
                done = self.run_command(*self.spread(launcher, 3, 2, PROGRAMS / "bulk_messages", case), env={"WINDROW_BULK": "overlap"})
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_symmetric_global_variables_and_locks(self):
        with tempfile.TemporaryDirectory() as folder:
            program = self.compiled(NEIGHBOURS, folder, "cc")
            for launcher in self.each(WITH_MODULE):
                done = self.run_command(*self.spread(launcher, 3, 2, program, folder))
                self.assertEqual(done.returncode, 0, done.stderr)
                # PEs 0 and 2 share a host.
                self.assertEqual([pathlib.Path(folder, str(pe)).read_text(encoding="ascii") for pe in range(3)],
                                 ["saw 2, sum 6, guarded 60, ptr 0, 2 of 2 here", "saw 0, sum 6, guarded 60, ptr 0, 1 of 1 here",
                                  "saw 1, sum 6, guarded 60, ptr 1, 2 of 2 here"])

    def test_writes_of_compiled_loops_travel_together(self):
        with tempfile.TemporaryDirectory() as folder:
            program = self.compiled(LATE_WRITES, folder, "cc")
            for launcher in self.each(WITH_MODULE):
                done = self.run_command(*self.spread(launcher, 3, 2, program))
                self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_pe_that_leaves_ends_the_job(self):
        for launcher in self.each(WITH_MODULE):
            done = self.run_command(*self.spread(launcher, 3, 2, LIFE, "meet", "1:exit0", "hang"))
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("windrow: PE 1: left the job without finalizing it (exit called?)", done.stderr)

    def test_a_pe_that_others_wait_for_has_finalized(self):
        """The other host tells it, and who has waited for long ends the job."""
        for launcher in self.each(WITH_MODULE):
            done = self.run_command(*self.spread(launcher, 2, 2, LIFE, "0:meet", "0:meet", "1:finalize"), env={"WINDROW_STALL_SECONDS": "2"})
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("PE 1 (on another host) has finalized the job\n", done.stderr)
            self.assertRegex(done.stderr, "windrow: PE 0: waits for the others in .*, but PE 1 has finalized the job already\n")

    def check_reason(self, reason, *actions, **variables):
        for launcher in self.each(WITH_MODULE):
            done = self.run_command(*self.spread(launcher, 3, 2, LIFE, *actions), env={"LIFE_CATCHES": "300", **variables})
            self.assertNotEqual(done.returncode, 0)
            self.assertIn(f"caught: {reason}", done.stderr)

    def test_reason_of_a_pe_that_others_wait_for(self):
        self.check_reason("this PE has had enough", "meet", "1:throw", "meet")

    def test_reason_that_all_pes_have(self):
        self.check_reason("this PE has had enough", "throw")

    def test_reason_why_there_is_no_job(self):
        self.check_reason("WINDROW_FAULTS: 'hay' is no fault", WINDROW_FAULTS="hay")

    def test_address_at_no_pe(self):
        for launcher in self.each(WITH_MODULE):
            done = self.run_command(*self.spread(launcher, 2, 2, LIFE, "address_at_no_pe"))
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("local: PE 268435456 does not exist; this job has PEs 0 to 1", done.stderr)

    def test_teams_that_outlive_the_job(self):
        for launcher in self.each(WITH_MODULE):
            done = self.run_command(*self.spread(launcher, 3, 2, LIFE, "finalize_before_teams"))
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_default_heap_fits_a_limited_address_space(self):
        for launcher in self.each(WITH_MODULE):
            done = self.run_command(*self.spread(launcher, 3, 3, "sh", "-c", f"ulimit -v 3000000; exec {LIFE} meet"))
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_pe_ends_the_job_with_its_code(self):
        with tempfile.TemporaryDirectory() as folder:
            program = self.compiled(ENDS_ALL, folder, "cc")
            for launcher in self.each(WITH_MODULE):
                for pe, code in ((0, 0), (1, 0), (2, 0), (1, 7)):  # PEs 0 and 2 share a host
                    done = self.run_command(*self.spread(launcher, 3, 2, program, pe, code))
                    self.assertEqual(done.returncode != 0, code != 0, done.stderr)  # mpiexec: that of whoever it killed
                    if code == 0:
                        self.assertEqual(done.stderr, "")

    def test_the_end_of_all_is_told(self):
        """Also where the agent was in the middle of a turn: two of ten such jobs went on for ever."""
        with tempfile.TemporaryDirectory() as folder:
            program = self.compiled(ENDS_ALL_AMONG_THREADS, folder, "cc")
            for launcher in self.each(WITH_MODULE):
                for _ in range(8):
                    done = self.run_command(*self.spread(launcher, 3, 2, program))
                    self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_stall_report_knows_other_hosts(self):
        with tempfile.TemporaryDirectory() as folder:
            program = self.compiled(NEVER_MEET, folder, "cc")
            for launcher in self.each(WITH_MODULE):
                done = self.run_command(*self.spread(launcher, 2, 2, program),
                                        env={"WINDROW_STALL_SECONDS": "3", "WINDROW_STALL_ABORT": "1"})
                self.assertNotEqual(done.returncode, 0)
                here = r"the others in a barrier of team 0 in shmem_barrier_all, called at program\+\w+"
                there = r"a value in its memory to change in shmem_long_wait_until, called at program\+\w+"
                self.assertRegex(done.stderr, rf"PE 0 waits for {here}, .*\n  PE 1 \(on another host\) waits for {there}, since|"
                                              rf"PE 0 \(on another host\) waits for {here}, .*\n  PE 1 waits for {there}, since")

    def test_child_that_exits_is_no_pe(self):
        for launcher in self.each(WITH_MODULE):
            done = self.run_command(*self.spread(launcher, 3, 2, LIFE, "meet", "child_exits", "meet", "1:child_returns"))
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_host_that_stands_still_for_a_while_is_not_lost(self):
        for launcher in self.each(WITH_MODULE):
            job = self.start(*self.spread(launcher, 2, 2, LIFE, "report", "meet", "nap", "meet"),
                             env={"WINDROW_LOST_SECONDS": "2"})
            for _ in range(2):
                job.stdout.readline()
            both = [self.process_on(host) for host in ("host0", "host1")]
            for pid in both:  # nobody's clock may then count against the other
                os.kill(pid, signal.SIGSTOP)
            time.sleep(3)
            for pid in both:
                os.kill(pid, signal.SIGCONT)
            code, _, errors = self.finish(job)
            self.assertEqual(code, 0, errors)

    def test_host_that_is_silent_ends_the_job(self):
        for launcher in self.each(WITH_MODULE):
            command = self.spread(launcher, 3, 2, LIFE, "report", "meet", "hang")
            job = self.start(*command, env={"WINDROW_LOST_SECONDS": "4"})
            for _ in range(3):
                job.stdout.readline()
            os.kill(self.process_on("host1"), signal.SIGSTOP)
            code, _, errors = self.finish(job)
            self.assertNotEqual(code, 0)
            self.assertIn("host host1 (PE 1 and those beside it) has not been heard for 4 s (WINDROW_LOST_SECONDS)",
                          errors)

    def test_job_that_does_not_form(self):
        for launcher in self.each(WITH_MODULE):
            script = f'[ ${RANK[launcher]} = 1 ] && exec sleep 100; exec "$0" "$@"'
            self.refused(self.run_command(launcher, "-n", "2", "sh", "-c", script, LIFE,
                                          env={"WINDROW_START_SECONDS": "2"}),
                         "the job has not formed within 2 s (WINDROW_START_SECONDS)")

    def test_heaps_of_different_size(self):
        for launcher in self.each(WITH_MODULE):
            script = f'export WINDROW_SYMMETRIC_SIZE=$(({RANK[launcher]} + 1))M; exec "$0"'
            self.refused(self.run_command(launcher, "-n", "2", "sh", "-c", script, LIFE),
                         "PE 1 wants a symmetric heap of 2 MiB and PE 0 one of 1 MiB")

    def test_heap_size_that_one_pe_has_chosen(self):
        for launcher in self.each(WITH_MODULE):
            script = f'[ ${RANK[launcher]} = 1 ] && export WINDROW_SYMMETRIC_SIZE=3M; exec "$0"'
            self.refused(self.run_command(launcher, "-n", "2", "sh", "-c", script, LIFE),
                         "PE 1 wants a symmetric heap of 3 MiB and PE 0 one of")

    def test_missing_module(self):
        for launcher in self.each(WITH_MODULE):
            done = self.run_command(launcher, "-n", "2", LIFE, env={"WINDROW_MODULE_DIR": "/nowhere"})
            self.assertRegex(done.stderr, r"WINDROW_MODULE_DIR='/nowhere' has no libwindrow_mpi_\w+\.so: name the folder")
            done = self.run_command(WINDROW, "run", "-n", "2", "--hosts", "a,b", LIFE, env={"WINDROW_MODULE_DIR": "/nowhere"})
            self.assertIn("WINDROW_MODULE_DIR='/nowhere' has no", done.stderr)

    def test_info_says_mpi(self):
        for launcher in self.each(WITH_MODULE):
            done = self.run_command(*one_says_info(launcher))
            self.assertRegex(done.stdout, r"a job here +2 PEs over mpi, started by mpi(run|exec) ")

    @unittest.skipUnless("mpirun.openmpi" in WITH_MODULE, "skipped: Open MPI is not installed")
    def test_another_mpi_than_the_launchers(self):
        claimed = {"OMPI_COMM_WORLD_RANK": "0", "OMPI_COMM_WORLD_SIZE": "2"}
        self.refused(self.run_command(LIFE, env=claimed), "it is another MPI than that of the launcher")

    def test_wrong_launchers(self):
        self.refused(self.run_command(LIFE), "not for a process alone")
        self.assertIn("not for windrow run", self.windrow_run(1, LIFE).stderr)


def remove_segments_of_open_mpi(before):
    """It leaves them where a process of it was killed."""
    for name in set(os.listdir("/dev/shm")) - before:
        if name.startswith("vader_segment."):
            os.unlink(f"/dev/shm/{name}")


if __name__ == "__main__":
    unittest.main()
