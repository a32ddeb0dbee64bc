// SPDX-License-Identifier: BSD-3-Clause
#include "shmem/polling.hpp"

#include "pgas/core.hpp"
#include "shmem/state.hpp"
#include "shmem/waiting.hpp"

namespace windrow::shmem {

constinit thread_local int fetches_until_look = fetches_between_looks;

namespace {

// Loops that fetch for some other reason look too: what they have sent leaves without company, and a
// processor that PEs share is given up, only if nothing else happens for long.
constexpr int looks_between_waits = 64;
constinit thread_local int looks_until_wait = looks_between_waits;

bool may_make_progress() {
  return cold.now == phase::running && hot.core->runs_program() &&
         (pgas::may_use_job() || hot.core->any_thread());
}

} // namespace

void look_at_inbox() {
  fetches_until_look = fetches_between_looks;
  if (!may_make_progress()) return;
  if (--looks_until_wait > 0) {
    hot.core->progress();
    return;
  }
  looks_until_wait = looks_between_waits;
  after_failed_test();
}

} // namespace windrow::shmem
