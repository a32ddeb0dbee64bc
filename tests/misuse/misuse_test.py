#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every misuse ends the job with a non-zero exit code and one sentence that says what is wrong."""
import os
import re
import subprocess
import sys
import unittest

WINDROW, PROGRAM = sys.argv[1:3]

# case: (what must be said, environment)
CASES = {
    "direct_pe": (r"put: PE 2 does not exist; this job has PEs 0 to 1", {}),
    "direct_negative_pe": (r"get: PE -1 does not exist", {}),
    "direct_outside": (r"inc: 4 bytes at offset \d+ are outside the symmetric heap", {}),
    "range_outside": (r"put: 4000 bytes at offset \d+ are outside the symmetric heap", {}),
    "strided_outside": (r"put_strided: 80\d\d bytes at offset \d+ are outside the symmetric heap", {}),
    "strided_below": (r"get_strided: 36 bytes at offset \d+ are outside the symmetric heap", {}),
    "strided_wraps": (r"put_strided: 9 blocks whose beginnings are 2305843009213693952 bytes apart are more than any",
                      {}),
    "stride_wraps": (r"get_strided: a stride of 4611686018427387905 elements of 4 bytes is more than any", {}),
    "aggregated_pe": (r"aggregated operation: PE 99 does not exist", {}),
    "aggregated_outside": (r"aggregated operation: 8 bytes at offset \d+ are outside the symmetric heap", {}),
    "aggregated_misaligned": (r"offset 4 is not a multiple of the value's 8 bytes", {}),
    "deferred_range_outside": (r"get: 4000 bytes at offset \d+ are outside the symmetric heap", {}),
    "deferred_range_too_large": (r"get: \d+ bytes at offset 0 are outside the symmetric heap", {}),
    "deferred_range_pe": (r"get: PE 2 does not exist", {}),
    "deferred_range_misaligned": (r"get: offset 4 is not a multiple of the elements' 8 bytes", {}),
    "deferred_range_outside_by_message": (r"get: 4000 bytes at offset \d+ are outside the symmetric heap",
                                          {"WINDROW_DIRECT_LOADS": "0"}),
    "deferred_range_misaligned_by_message": (r"get: offset 4 is not a multiple of the elements' 8 bytes",
                                             {"WINDROW_DIRECT_LOADS": "0"}),
    "stream_pe": (r"PE 2 does not exist", {}),
    "mailbox_pe": (r"PE -1 does not exist", {}),
    "mailbox_outside_run": (r"mailbox 1: a message is sent outside run; send in its body or in handlers", {}),
    "mailbox_after_run": (r"mailbox 1: a message is sent outside run", {}),
    "mailbox_after_done": (r"mailbox 1: the body sends after it has said done", {}),
    "mailbox_after_complete": (r"mailbox 1: a message is sent after complete, which ended this mailbox's stage", {}),
    "mailbox_done_outside_run": (r"mailbox 1: done outside run; say it in the body", {}),
    "mailbox_complete_outside_run": (r"mailbox 1: complete outside run; call it in the body", {}),
    "mailbox_run_in_its_run": (r"mailbox 1: run inside its own run; use a second selector", {}),
    "mailbox_after_finalize": (r"the job is already finalized", {}),
    "mailbox_run_in_handler": (r"a handler of messages wants to wait for the messages of mailbox 1 and its selector to "
                               r"be handled \(run\); handlers may send, but not wait", {}),
    "mailbox_complete_in_handler": (r"a handler of messages wants to wait for the messages of mailbox 1", {}),
    "mailbox_stage_over": (r"mailbox 1: a message is sent after complete, which ended this mailbox's stage", {}),
    "mailbox_different_selectors": (r"run: PEs run different selectors \(here: that of mailbox \d\)",
                                    {"WINDROW_DEBUG": "1"}),
    "mailbox_handler_throws": (r"the handler cannot go on", {}),
    "mailbox_handler_throws_something_else": (r"an exception left a handler of messages: not in the dictionary", {}),
    "deferred_code_throws": (r"an exception left deferred code: of unknown type", {}),
    "coroutine_throws_before_it_waits": (r"an exception left deferred code, a coroutine: too early; catch it there", {}),
    "coroutine_throws_after_a_wait": (r"an exception left deferred code, a coroutine: of unknown type; catch it there", {}),
    "object_destroyed": (r"a message of PE \d \(.*counter::add\) reaches object 1 of PE 1 after its destruction; destroy objects that nobody", {}),
    "object_destroyed_after_a_move": (r"a message of PE 1 \(.*counter::add\) reaches object 1 of PE 1 after its destruction", {}),
    "object_never_made": (r"reaches object 12345 of PE 0 after its destruction", {}),
    "object_null": (r"a message is sent through a mobile_ptr that is null", {}),
    "object_pe": (r"migrate: PE 2 does not exist; this job has PEs 0 to 1", {}),
    "object_without_space": (r"a mobile object is used on a thread that has no object_space", {}),
    "object_made_in_a_task": (r"a mobile object is used on a thread that has no object_space", {"WINDROW_WORKERS": "2"}),
    "object_inserted_in_a_task": (r"a mobile object is used on a thread that has no object_space", {"WINDROW_WORKERS": "2"}),
    "object_visited_in_a_task": (r"a mobile object is used on a thread that has no object_space", {"WINDROW_WORKERS": "2"}),
    "object_second_space": (r"object_space: this job has one already", {}),
    "object_handler_waits": (r"a handler of messages wants to wait for .*; handlers may send, but not wait", {}),
    "object_handler_throws": (r"an exception left the handler [^ ]*( namespace\))?[^ ]*counter::fail of object 1 of PE 1 "
                              r"\(class .*counter\) on PE 1: no more room; catch it there", {}),
    "object_call_throws": (r"an exception left the handler .*counter::refuse of object 1 of PE 1 .* on PE 1: of unknown type", {}),
    "object_throws_when_its_visit_is_over": (r"an exception left the handler .*counter::fail of object 1 of PE \d", {}),
    "object_throws_after_a_move": (r"an exception left the handler .*counter::fail of object 1 of PE 1 .*: no more room", {}),
    "object_waits_for_itself": (r"what waits beside it here:\n"
                                r"  PE (\d): a call of .*counter::get of object 1 of PE \1 has no answer yet\n"
                                r"  PE \1: a message of PE \1 for object 1 of PE \1 \(.*counter::get\) waits for the end of a visit",
                                {"WINDROW_STALL_SECONDS": "1", "WINDROW_STALL_ABORT": "1"}),
    "index_never_inserted": (r"barrier: what was sent to objects waits for ever: 2 messages, the first of PE 0 for object 7 of collection 1 "
                             r"\(.*counter::add\), which waits for its insertion", {}),
    "index_inserted_twice": (r"index 7 of a collection (was inserted twice; an index is used once|is inserted, and is there already)", {}),
    "index_inserted_again": (r"index [01] of a collection is inserted, and is there already", {}),
    "index_erased_twice": (r"index 1 of a collection was erased; an index is used once", {}),
    "index_used_again": (r"index 5 of a collection was erased; an index is used once", {}),
    "index_too_large": (r"collection: it may get 562949953421313 indices for each PE, and fewer than 549755813888 are left; let `most` be less", {}),
    "index_of_who_throws": (r"an exception left the handler .*counter::fail of object 2 of PE 1 \(index 3 of collection 1, class .*counter\) on PE 1", {}),
    "index_out_of_reach": (r"index 10 is out of range; those of the collection are below 10", {}),
    "object_barrier_in_visit": (r"barrier: what was sent to objects waits for ever: (1 message|\d messages), the first of PE \d for object 1 of PE 0", {}),
    "object_index": (r"index 2 is out of range; those of the collection are below 2", {}),
    "object_policy": (r"balance: the policy moves object 0; there are 0", {}),
    "forall_step": (r"forall: the step is 0, and must be positive", {}),
    "forall_element": (r"forall: in the round with index 0, element 2 \* 0 \+ -4 is out of range; the array has 15 elements", {}),
    "forall_last_element": (r"forall: in the round with index 10, element 1 \* 10 \+ 0 is out of range; the array has 10 elements", {}),
    "forall_nearly_one_size": (r"forall: arrays of 5 and 6 elements in blocks are laid out differently; make them of one size", {}),
    "forall_size_below_none": (r"forall: in the round with index 9223372036854775806, element .* is out of range", {}),
    "forall_two_sizes": (r"forall: arrays of 10 and 1000 elements in blocks are laid out differently; make them of one size", {}),
    "array_index": (r"index 10 is out of range; the array has 10 elements", {}),
    "not_symmetric": (r"address 0x\w+ is not in the symmetric heap of this PE", {}),
    "heap_exhausted": (r"symmetric heap exhausted on PE \d: .* raise WINDROW_SYMMETRIC_SIZE", {}),
    "free_twice": (r"free: offset \d+ of the symmetric heap is not the start of an allocation", {}),
    "direct_after_finalize": (r"put: the job is already finalized", {}),
    "aggregated_after_finalize": (r"aggregated operation: the job is already finalized", {}),
    "barrier_after_finalize": (r"barrier.* finalized", {}),
    "allocate_after_finalize": (r"allocate: the job is already finalized", {}),
    "mismatched_collectives": (r"mismatched collective on team 0", {"WINDROW_DEBUG": "1"}),
    "mismatched_sizes": (r"allocate: PEs asked for different sizes", {"WINDROW_DEBUG": "1"}),
    "drain_outside_team": (r"drain: this PE is not a member of the team", {}),
    "barrier_outside_team": (r"context::barrier: this PE is not a member of the team", {}),
    "broadcast_root": (r"broadcast: .*2", {}),
    "uncaught_error": (r"the file is not there", {}),
    "spill_limit": (r"raise WINDROW_SPILL_LIMIT", {"WINDROW_SPILL_LIMIT": "1M"}),
    "spill_limit_one_item": (r"handlers have produced .* raise WINDROW_SPILL_LIMIT", {"WINDROW_SPILL_LIMIT": "1M"}),
    "quiet_in_handler": (r"a handler of messages wants to wait for the operations of context 1", {}),
    "completion_in_continuation": (r"a continuation wants to wait for the operations of context 1 to be handled; "
                              r"deferred code may issue operations, but not wait", {}),
    "barrier_in_continuation": (r"a continuation wants to wait for the others in a barrier of team 0", {}),
    "wait_in_continuation_of_a_task": (r"a continuation wants to wait for the others in a barrier of team 0", {}),
    "continuation_of_an_exception": (r"there is an exception in place of the result that a continuation \(future::then\) takes: no answer; ", {}),
    "defer_without_end": (r"continuations have deferred \d+ KiB of work, 8 times the limit; raise WINDROW_DEFER_LIMIT",
                          {"WINDROW_DEFER_LIMIT": "16K"}),
    "atomic_at_the_owner": (r"code that was sent to the owner of a place \(then_at_owner\) uses a direct atomic", {}),
    "barrier_in_handler": (r"a handler of messages wants to wait for the others in a barrier of team 0", {}),
    "stall": (r"no progress for 1 s; what each PE waits for:\n"
              r"  PE 0 waits for the operations of context 1 to be handled in context::complete_own, called at "
              r"misuse_program\+0x[0-9a-f]+, since [\d.]+ s; "
              r"lanes open 0, spilled blocks 0, blocks in flight 1 \(most at PE 1\)\n"
              r"  PE 1 waits for nothing \(it is computing\)",
              {"WINDROW_STALL_SECONDS": "1", "WINDROW_STALL_ABORT": "1"}),
    "leave_early": (r"PE 1 (\(pid \d+\) left the job without finalizing it|has failed)", {}),
    "task_defers": (r"a task wants to defer what follows a fetching operation, which only the communication worker may; "
                    r"start it with async_at\(windrow::communication_worker, \.\.\.\)", {"WINDROW_DIRECT_UPDATES": "0"}),
    "task_defers_on_a_worker": (r"a task wants to defer what follows a fetching operation", {"WINDROW_WORKERS": "2"}),
    "task_calls_barrier": (r"a task wants to wait for the operations of context 1 to be handled, which only the "
                         r"communication worker may", {"WINDROW_WORKERS": "2"}),
    "task_of_handler_completes": (r"a handler of messages wants to wait for the operations of context 1",
                                  {"WINDROW_WORKERS": "2"}),
    "task_sends_to_no_pe": (r"message: PE \d+ does not exist", {"WINDROW_WORKERS": "2"}),
    "stream_on_a_foreign_thread": (r"a thread that did not make the job wants to send", {}),
    "stream_with_room_on_a_foreign_thread": (r"a thread that did not make the job wants to send", {}),
    "quiet_on_a_foreign_thread": (r"a thread that did not make the job wants to wait for the operations of context 1", {}),
    "task_waits": (r"a task wants to wait for the others in a barrier of team 0, which only the communication worker may",
                   {}),
    "light_thread_waits_for_pes": (r"a light thread wants to wait for the others in a barrier of team 0, which only the communication "
                                   r"worker may; start it with spawn_at\(windrow::communication_worker, \.\.\.\)", {}),
    "two_light_threads_in_barriers": (r"barrier\(\) on team 0 while other code of this PE is in a collective call "
                                      r"of that team; make such calls one after the other", {}),
    "light_threads_in_a_circle": (r'what waits beside it here:\n(  PE \d: .*\n)*  PE \d: light thread "left" waits for a mutex at 0x',
                                  {"WINDROW_WORKERS": "2", "WINDROW_STALL_SECONDS": "1", "WINDROW_STALL_ABORT": "1"}),
    "stack_without_a_guard": (r'light thread "deep" has used up its stack of 256 KiB; use less of it', {}),
    "large_frame_of_a_light_thread": (r'light thread "deep" has used up its stack of 256 KiB; use less of it', {}),
    "stack_of_a_light_thread": (r'light thread "deep" has used up its stack of 256 KiB; use less of it', {}),
    "larger_stack_of_a_light_thread": (r'light thread "deeper" has used up its stack of 1 MiB; use less of it',
                                       {"WINDROW_STACK_SIZE": "1M"}),
    "stack_size_of_light_threads": (r"WINDROW_STACK_SIZE is 64 KiB; it must be from 256 KiB to 1 GiB", {"WINDROW_STACK_SIZE": "64K"}),
    "killed_while_tasks_are_stolen": (r"PE 1 \(pid \d+\) was killed by signal 9", {}),
    "mutex_in_handler": (r"a handler of messages wants to wait for a mutex; handlers may send, but not wait", {}),
    "wait_until_in_handler": (r"a handler of messages wants to wait for a condition \(wait_until\)", {}),
    "latch_on_a_foreign_thread": (r"a wait on a thread that is no worker of a PE", {}),
    "branch_waits": (r"a branch of fork_join or a step of a parallel loop wants to wait for the others in a barrier of team 0, "
                     r"which only the communication worker may; do it before or after that", {}),
    "branch_waits_after_others_ran": (r"a branch of fork_join or a step of a parallel loop wants to wait for the others", {}),
    "loop_body_waits": (r"a branch of fork_join or a step of a parallel loop wants to wait for the others", {}),
    "fork_in_continuation": (r"a continuation wants to wait for its tasks to end \(finish or future\)", {}),
    "fork_on_a_foreign_thread": (r"fork_join on a thread that is no worker of a PE", {}),
    "task_of_no_worker": (r"async_at: worker 2 does not exist; this PE has workers 0 to 1, set by WINDROW_WORKERS",
                          {"WINDROW_WORKERS": "2"}),
    "finish_on_a_foreign_thread": (r"finish on a thread that is no worker of a PE", {}),
    "run_after_exception": (r"mailbox 1: an exception has left its run; make a new selector", {}),
    "send_on_a_foreign_thread": (r"a thread that did not make the job wants to send", {}),
    "barrier_on_a_foreign_thread": (r"a thread that did not make the job wants to wait for the others in a barrier",
                                    {}),
    "barrier_in_a_forked_child": (r"barrier\(\) on team 0: this process was forked by a PE and is none itself", {}),
    "put_in_a_forked_child": (r"put: this process was forked by a PE", {}),
    "send_in_a_forked_child": (r"aggregated operation: this process was forked by a PE", {}),
    "finish_in_a_forked_child": (r"finish on a thread that is no worker of a PE", {}),
    "finalize_in_a_forked_child": (r"finalize: this process was forked by a PE", {}),
    "future_in_handler": (r"a handler of messages waits for the future of a task that is not its own", {}),
    "call_in_task_of_handler": (r"a handler of messages, or a task that it waits for, waits for the answer to a call or a fetch", {}),
    "fetch_in_task_of_handler": (r"a handler of messages, or a task that it waits for, waits for the answer to a call or a fetch",
                                 {"WINDROW_WORKERS": "2"}),
    "yield_in_continuation": (r"a continuation wants to wait for its turn \(yield\)", {}),
    "empty_future": (r"future: get of a future that refers to nothing \(never assigned, or moved from\)", {}),
    "future_that_was_moved_from": (r"future: then of a future that refers to nothing", {}),
    "promise_with_two_results": (r"promise: set_value of a promise that has a result already, or was moved from", {}),
    "promise_that_was_moved_from": (r"promise: get_future of a promise that has a result already, or was moved from", {}),
    "continuation_of_a_broken_promise": (r"there is an exception in place of the result that a continuation \(future::then\) takes: a future waits for "
                                         r"the result of a promise, which has ended without one; ", {}),
    "empty_future_among_others": (r"future: then of when_all of a future that refers to nothing", {}),
    "future_in_continuation": (r"a continuation wants to wait for a future; deferred code may issue operations, but not wait",
                               {}),
    "finish_in_continuation": (r"a continuation wants to wait for the tasks of a finish; deferred code may", {}),
    "main_code_waits_for_a_mutex": (r"PE 0 waits for a mutex, since .*", {"WINDROW_STALL_SECONDS": "1", "WINDROW_STALL_ABORT": "1"}),
    "wait_beyond_the_simulated_clock": (r"deadlock: no PE can go on, and nothing is under way; what each PE waits for:\n"
                                        r"  PE 0 waits for a semaphore", {"WINDROW_SIM": "hdr"}),
    "main_code_waits_for_a_latch": (r"PE 0 waits for a latch, since .*", {"WINDROW_STALL_SECONDS": "1", "WINDROW_STALL_ABORT": "1"}),
    "main_code_waits_for_an_event": (r"PE 0 waits for an event, since .*", {"WINDROW_STALL_SECONDS": "1", "WINDROW_STALL_ABORT": "1"}),
    "unlock_of_a_free_mutex": (r"mutex: unlock of a mutex that is not locked; lock it first", {}),
    "unlock_of_the_mutex_of_another": (r"mutex: unlock by other code than that which has locked it", {}),
    "condition_without_its_mutex": (r"condition_variable: wait without the mutex; lock it first", {}),
    "condition_with_a_limit_without_its_mutex": (r"condition_variable: wait without the mutex; lock it first", {}),
    "condition_with_two_mutexes": (r"condition_variable: wait with a lock of another mutex than that of those who wait already", {}),
    "coroutine_measures_its_wait": (r"busy_time: it does not end where it was made, or before another one inside it; a coroutine must not", {}),
    "coroutine_measures_around_others": (r"busy_time: it does not end where it was made", {}),
    "two_wait_for_a_group": (r"task_group: wait while another task or light thread waits for the same group",
                             {"WINDROW_WORKERS": "1"}),
    "main_code_and_a_light_thread_wait_for_a_group": (
        r"task_group: wait while another task or light thread waits for the same group", {"WINDROW_WORKERS": "1"}),
    "group_on_another_thread": (r"task_group: wait on a thread that is no worker of a PE; call it on the thread that made the job", {}),
    "task_waits_for_its_group": (r"task_group: a task waits for the group that it belongs to, hence for itself",
                                 {"WINDROW_WORKERS": "1"}),
    "task_waits_for_its_group_in_a_finish": (r"task_group: a task waits for the group that it belongs to, hence for itself",
                                             {"WINDROW_WORKERS": "1"}),
    "group_in_handler": (r"task_group: a handler of messages waits for a group that was made outside it", {}),
    "barrier_in_task_of_handler": (r"a handler of messages wants to wait for the others in a barrier", {}),
    "exception_without_finish": (r"an exception left a task that belongs to no finish: nobody caught me", {}),
    "uncaught_error_of_a_task": (r"the file is gone", {}),
    "index_on_a_worker": (r"PE \d worker 1: array: index 10 is out of range", {"WINDROW_WORKERS": "2"}),
    "crash_on_a_worker": (r"PE \d \(pid \d+\) was killed by signal 6", {"WINDROW_WORKERS": "2"}),
    "tasks_too_deep": (r"\d{4,} tasks wait for each other, each on the stack of the one before, and that is full; "
                       r"raise the limit \(ulimit -s\)", {}),
    "endless_task": (r"PE 0 waits for its tasks to end \(finish or future\), since .*, blocks in flight 0, tasks alive 1\n",
                     {"WINDROW_WORKERS": "2", "WINDROW_STALL_SECONDS": "1", "WINDROW_STALL_ABORT": "1"}),
}


class Misuse(unittest.TestCase):
    def run_case(self, name, said, environment):
        job = subprocess.run([WINDROW, "run", "-n", "2", PROGRAM, name], capture_output=True, text=True, timeout=60,
                             env={**os.environ, **environment})
        self.assertNotEqual(job.returncode, 0, job.stdout + job.stderr)
        self.assertRegex(job.stderr, said)
        self.assertNotIn("nothing was noticed", job.stdout)
        for line in job.stderr.splitlines():
            self.assertTrue(line.startswith("windrow: ") or line.startswith("  PE "), line)

    def test_variable_that_is_misspelt(self):
        self.run_case("direct_pe", r"PE 0: nothing reads WINDROW_DELY, which is set: WINDROW_DELAY is perhaps meant\n", {"WINDROW_DELY": "5us"})


for case, (said, environment) in CASES.items():
    setattr(Misuse, f"test_{case}", lambda self, c=case, s=said, e=environment: self.run_case(c, s, e))

if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
