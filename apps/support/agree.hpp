// SPDX-License-Identifier: BSD-3-Clause
// Errors that one PE meets and all must learn of, since the others would wait for it.
#pragma once

#include <new>
#include <stdexcept>
#include <string>
#include <utility>

#include "windrow/error.hpp"
#include "windrow/job.hpp"

namespace windrow::apps {

/// Collective. If any PE has a problem (a sentence; empty: none), throws windrow::error with that of the
/// first such PE, on all of them.
void agree(job&, const std::string& problem);

inline std::string lack_of_memory(const job& j) {
  return "PE " + std::to_string(j.pe()) + " has not enough memory";
}

/// Collective. Does `work`, which is not; if it throws windrow::error on any PE, all get that error, and one
/// that says so if memory does not suffice.
template <class Work>
void all_or_none(job& j, Work&& work) {
  std::string problem;
  try {
    std::forward<Work>(work)();
  } catch (const error& e) {
    problem = e.what();
  } catch (const std::bad_alloc&) {
    problem = lack_of_memory(j);
  } catch (const std::length_error&) { // more than a vector may ever have
    problem = lack_of_memory(j);
  }
  agree(j, problem);
}

} // namespace windrow::apps
