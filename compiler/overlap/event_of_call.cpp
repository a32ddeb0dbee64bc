// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/overlap/event_of_call.hpp"

#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/IR/Constants.h>

#include "compiler/common/api/routines.hpp"

namespace windrow::compiler::overlap {

namespace {

constexpr uint64_t int_bytes = 4, index_bytes = 8, handle_bytes = 8, name_bytes = 64; // as in shmem.h

// The table says nothing of them. What they write is no more than these arguments.
const StringMap<SmallVector<written_argument, 2>> idle{{"query_thread", {{0, int_bytes}}},
                                                       {"query_initialized", {{0, int_bytes}}},
                                                       {"pcontrol", {}},
                                                       {"global_exit", {}},
                                                       {"info_get_version", {{0, int_bytes}, {1, int_bytes}}},
                                                       {"info_get_name", {{0, name_bytes}}},
                                                       {"ctx_create", {{1, handle_bytes}}},
                                                       {"ctx_get_team", {{1, handle_bytes}}},
                                                       {"team_create_ctx", {{2, handle_bytes}}},
                                                       {"team_get_config", {{2, int_bytes}}},
                                                       {"ctx_session_start", {}},
                                                       {"ctx_session_stop", {}}};
const StringSet<> openers{"init", "init_thread", "start_pes"};
const StringSet<> of_symmetric_heap{"malloc", "calloc", "align", "realloc", "free", "malloc_with_hints"};
const StringMap<StringRef> old_names{
    {"shmalloc", "malloc"}, {"shmemalign", "align"}, {"shrealloc", "realloc"}, {"shfree", "free"}};
const StringSet<> team_makers{"team_split_strided", "team_split_2d", "team_destroy"};

Value* argument(const CallBase& call, unsigned at) {
  return at < call.arg_size() ? call.getArgOperand(at) : nullptr;
}

action action_of(const routine& form) {
  switch (form.does) {
    case verb::read:
      return action::get;
    case verb::write:
      return action::put;
    case verb::signal:
      return form.takes(role::remote) ? action::put_signal : action::update;
    default:
      return action::update;
  }
}

// Puts of one value have been read when they return, and nobody waits for updates.
bool is_blocking(const routine& form) {
  if (form.nonblocking) return false;
  return form.does == verb::read || form.does == verb::exchange || form.takes(role::local);
}

bool is_floating(StringRef name) {
  return name.contains("_float_") || name.contains("_double_");
}

bool is_addition(const routine& form) {
  constexpr StringLiteral names[] = {"atomic_add", "atomic_inc", "add", "inc", "signal_add"};
  return is_contained(names, form.operation);
}

library_event transfer_of(const remote_access& access, const named_routine& called) {
  const auto& form = *called.form;
  library_event one{.what = action_of(form)};
  if (is_blocking(form)) one.flags |= blocking;
  if (form.atomic || one.what == action::update) one.flags |= atomic;
  if ((one.flags & atomic) && is_floating(called.name)) one.flags |= floating;
  if (is_addition(form)) one.flags |= adds;
  one.element_bytes = access.element_bytes() ? access.element_bytes() : 8;
  one.context = access.argument(role::context);
  one.remote = access.argument(form.takes(role::remote) ? role::remote : role::signal);
  one.local = access.argument(role::local);
  if (form.takes(role::remote)) one.signal = access.argument(role::signal);
  one.count = access.argument(role::count);
  one.block = access.argument(role::block);
  one.remote_stride = access.argument(role::remote_stride);
  one.local_stride = access.argument(role::local_stride);
  one.pe = access.argument(role::pe);
  return one;
}

// The routines of active sets: (…, PE_start, logPE_stride, PE_size, [pWrk,] pSync).
void take_members(const CallBase& call, StringRef operation, library_event& one) {
  const unsigned last = operation.ends_with("_to_all") ? 2 : 1;
  const auto count = call.arg_size();
  const auto is_number = [&](unsigned at) { return call.getArgOperand(at)->getType()->isIntegerTy(32); };
  if (count >= last + 3 && is_number(count - last - 3) && is_number(count - last - 2) &&
      is_number(count - last - 1) && call.getArgOperand(count - 1)->getType()->isPointerTy()) {
    one.first = argument(call, count - last - 3);
    one.log2_stride = argument(call, count - last - 2);
    one.members = argument(call, count - last - 1);
    one.signal = argument(call, count - 1);
  } else if (count > 0 && call.getArgOperand(0)->getType()->isPointerTy()) {
    one.team = argument(call, 0);
  }
}

// ([team,] dest, source, [strides of both,] elements, [root,] …). How long all together make the destination
// of a collect, its arguments do not say.
void take_buffers(const CallBase& call, const named_routine& called, library_event& one) {
  const auto operation = called.form->operation;
  const unsigned first = one.team ? 1 : 0;
  const bool strided = operation == "alltoalls";
  if (!called.element_bytes || call.arg_size() < first + (strided ? 5 : 3)) return;
  one.element_bytes = called.element_bytes;
  if (operation != "collect") one.remote = argument(call, first);
  one.local = argument(call, first + 1);
  one.count = argument(call, first + (strided ? 4 : 2));
  if (strided) {
    one.remote_stride = argument(call, first + 2);
    one.local_stride = argument(call, first + 3);
  }
  if (operation == "broadcast") one.pe = argument(call, first + 3);
  if (operation == "fcollect" || operation.starts_with("alltoall")) one.flags |= gathers;
  if (operation.starts_with("alltoall")) one.flags |= scatters;
}

library_event wait_of(const CallBase& call, const named_routine& called) {
  const auto operation = called.form->operation;
  library_event one{.what = operation.contains("test") ? action::test : action::wait};
  one.element_bytes = called.element_bytes ? called.element_bytes : 8;
  one.remote = argument(call, 0);
  const bool many = operation.contains("_all") || operation.contains("_any") || operation.contains("_some");
  if (many) one.count = argument(call, 1);
  return one;
}

std::optional<library_event> order_of_call(const CallBase& call, const named_routine& called) {
  const auto& form = *called.form;
  library_event one{.what = action::quiet};
  if (call.arg_size() > 0 && called.name.starts_with("shmem_ctx_")) {
    one.context = argument(call, 0);
    one.flags |= handle;
  }
  switch (form.orders) {
    case order::fence:
      one.what = action::fence;
      return one;
    case order::quiet:
      if (form.operation == "ctx_destroy") one.flags |= implied;
      return one;
    case order::wait:
      return wait_of(call, called);
    case order::barrier:
      one.what = action::barrier;
      if (form.operation == "finalize") one.flags |= last | implied;
      take_members(call, form.operation, one);
      return one;
    case order::collective:
      one.what = action::collective;
      take_members(call, form.operation, one);
      take_buffers(call, called, one);
      return one;
    default:
      return std::nullopt;
  }
}

// What it gives and takes: ([old,] [alignment,] [count,] size).
library_event heap_event(const CallBase& call, StringRef name) {
  library_event one{.what = action::barrier, .flags = implied};
  const bool takes = name == "free" || name == "realloc";
  if (takes) one.local = argument(call, 0);
  one.count = name == "free" ? ConstantInt::get(Type::getInt64Ty(call.getContext()), 0)
                             : argument(call, takes || name == "align" ? 1 : 0);
  if (name == "calloc") one.block = argument(call, 1);
  return one;
}

std::optional<library_event> event_by_name(const CallBase& call, StringRef name) {
  if (openers.contains(name)) return library_event{.what = action::barrier, .flags = implied | opens};
  if (of_symmetric_heap.contains(name)) return heap_event(call, name);
  if (team_makers.contains(name))
    return library_event{.what = action::collective, .flags = handle, .team = argument(call, 0)};
  if (name == "signal_fetch")
    return library_event{.what = action::test, .element_bytes = 8, .remote = argument(call, 0)};
  if (name == "pe_quiet") return library_event{.what = action::quiet};
  if (name == "ctx_pe_quiet")
    return library_event{.what = action::quiet, .flags = handle, .context = argument(call, 0)};
  if (name == "clear_lock")
    return library_event{.what = action::notify, .element_bytes = 8, .remote = argument(call, 0)};
  return std::nullopt;
}

// (context, dest, source, strides of both in bytes, bytes of a block, blocks, PE)
library_event strided_event(const CallBase& call, bool writes) {
  library_event one{.what = writes ? action::put : action::get, .element_bytes = 1};
  one.context = argument(call, 0);
  one.remote = argument(call, writes ? 1 : 2);
  one.local = argument(call, writes ? 2 : 1);
  one.remote_stride = argument(call, writes ? 3 : 4);
  one.local_stride = argument(call, writes ? 4 : 3);
  one.block = argument(call, 5);
  one.count = argument(call, 6);
  one.pe = argument(call, 7);
  return one;
}

} // namespace

ArrayRef<written_argument> written_by(const CallBase& call) {
  auto name = callee_name(call);
  name.consume_front("p");
  name.consume_front("shmem_");
  const auto found = idle.find(name);
  return found == idle.end() ? ArrayRef<written_argument>() : found->second;
}

// (words, count, [indices,] status, comparison, values or one value)
SmallVector<used_array, 3> arrays_beside(const CallBase& call, const library_event& of) {
  SmallVector<used_array, 3> found;
  if ((of.what != action::wait && of.what != action::test) || !of.count) return found;
  unsigned next = 2;
  if (callee_name(call).contains("_some")) found.push_back({argument(call, next++), index_bytes, true});
  found.push_back({argument(call, next), int_bytes, false});
  if (callee_name(call).ends_with("_vector"))
    found.push_back({argument(call, next + 2), of.element_bytes, false});
  return found;
}

library_use event_of_call(const CallBase& call, library_event& to) {
  auto name = callee_name(call);
  if (begins_strided(name)) return to = strided_event(call, name == begin_iput), library_use::event;
  if (name.starts_with("pshmem_")) name = name.drop_front();
  const auto* called = routine_of(name);
  if (name == "_my_pe" || name == "_num_pes") return library_use::silent;
  if (const auto old = old_names.find(name); old != old_names.end())
    return to = heap_event(call, old->second), library_use::event;
  if (name == "shmem_wtime" || name == "shmemx_wtime") return library_use::silent;
  if (name.consume_front("shmem_") || name == "start_pes") {
    if (idle.count(name) != 0 || name.contains("_cache_") || name.starts_with("udcflush"))
      return library_use::silent;
    if (const auto one = event_by_name(call, name)) return to = *one, library_use::event;
  }
  if (!called) return library_use::none;
  if (called->form->does == verb::query) return library_use::silent;
  if (const auto access = access_of(call)) return to = transfer_of(*access, *called), library_use::event;
  if (const auto one = order_of_call(call, *called)) return to = *one, library_use::event;
  return called->form->orders == order::none && called->form->does == verb::none ? library_use::silent
                                                                                 : library_use::none;
}

} // namespace windrow::compiler::overlap
