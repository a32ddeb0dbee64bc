// SPDX-License-Identifier: BSD-3-Clause
#include "os/fork.hpp"

#include <pthread.h>

#include <mutex>
#include <utility>

namespace windrow::os {

namespace {

// Never destroyed: processes may be forked until the very end. Not a global variable, which an OpenSHMEM
// program shares with its children until they are asked to stop that.
std::mutex& list() {
  static auto& mutex = *new std::mutex;
  return mutex;
}
in_forked_children* first = nullptr; ///< the oldest, which is called first

void lock_list() {
  list().lock();
}
void unlock_list() {
  list().unlock();
}

} // namespace

void call_in_child() {
  for (const auto* each = first; each != nullptr; each = each->next_) each->call_();
  unlock_list();
}

in_forked_children::in_forked_children(std::function<void()> call) : call_(std::move(call)) {
  static const int installed = ::pthread_atfork(lock_list, unlock_list, call_in_child);
  static_cast<void>(installed);
  const std::lock_guard lock(list());
  auto** end = &first;
  while (*end != nullptr) end = &(*end)->next_;
  *end = this;
}

in_forked_children::~in_forked_children() {
  const std::lock_guard lock(list());
  auto** link = &first;
  while (*link != this) link = &(*link)->next_;
  *link = next_;
}

} // namespace windrow::os
