// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <vector>

#include "shmem/state.hpp"
#include "windrow/team.hpp"

/// What a shmem_team_t points to.
struct shmem_team_object {
  const windrow::team* members = nullptr; ///< of the job (world), or made for this handle
  int num_contexts = 0;
  bool of_shared = false; ///< SHMEM_TEAM_SHARED or split from it: an atomicity domain of its own
  std::vector<shmem_ctx_object*> contexts{}; ///< made by shmem_team_create_ctx and shmem_ctx_create
};

namespace windrow::shmem {

void open_teams(windrow::job&);
/// Destroys all teams and contexts that the program has not destroyed.
void close_teams();

/// Whether the program has made the context, and has destroyed neither it nor its team. The handle may be
/// anything.
bool exists(const shmem_ctx_object*);

/// The team behind a handle; ends the job if it is SHMEM_TEAM_INVALID, or, with SHMEM_DEBUG, is destroyed.
shmem_team_object& valid(shmem_team_object*, const char* routine);

/// The number in the job of a member.
int job_pe(const windrow::team&, int member);

} // namespace windrow::shmem
