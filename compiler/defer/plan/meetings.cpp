// SPDX-License-Identifier: BSD-3-Clause
// What instructions do to each other.
#include "compiler/defer/plan/hazards.hpp"

#include "compiler/common/analysis/footprints.hpp"
#include "compiler/defer/plan/addresses.hpp"
#include "compiler/defer/plan/context.hpp"
#include "compiler/defer/plan/later_rounds.hpp"
#include "compiler/defer/plan/rounds.hpp"

namespace windrow::compiler::defer {

namespace {

bool is_plain_access(const Instruction& instruction) {
  return isa<LoadInst, StoreInst, MemIntrinsic>(instruction);
}

bool must_meet(const footprint& one, const footprint& other) {
  if (one.accesses.size() != 1 || other.accesses.size() != 1) return false;
  const auto &first = one.accesses.front().where, &second = other.accesses.front().where;
  return first.object == second.object && first.offset && first.offset == second.offset &&
         is_exact(first.object);
}

// Of a put, it is this PE's memory that it reads.
bool changes_what_is_read(const footprint& writer, const footprint& reader) {
  return any_of(reader.accesses, [&](const access& source) {
    return source.reads && any_of(writer.accesses, [&](const access& one) {
             return one.writes && may_meet(source.where, source.bytes, one.where, one.bytes);
           });
  });
}

// Adds and ands of the same kind may be exchanged.
bool commute(const Instruction& one, const Instruction& other) {
  const auto kind = [](const Instruction& instruction) {
    const auto name = callee_name(instruction);
    for (const char* operation : {"_atomic_and", "_atomic_or", "_atomic_xor"})
      if (name.ends_with(operation)) return StringRef(operation);
    return name.ends_with("_atomic_add") || name.ends_with("_atomic_inc") ? StringRef("add") : StringRef();
  };
  return !kind(one).empty() && kind(one) == kind(other);
}

// The last argument of an operation.
const Value* pe_of(const Instruction& instruction) {
  if (!is_operation(instruction)) return nullptr;
  const auto& call = cast<CallBase>(instruction);
  return call.getArgOperand(call.arg_size() - 1);
}

bool same_pe(const Instruction& one, const Instruction& other) {
  const auto *first = pe_of(one), *second = pe_of(other);
  return first && second && same_expression(first, second);
}

const Value* address_of_access(const Instruction& instruction) {
  if (const auto* load = dyn_cast<LoadInst>(&instruction)) return load->getPointerOperand();
  if (const auto* store = dyn_cast<StoreInst>(&instruction)) return store->getPointerOperand();
  if (const auto* memory = dyn_cast<MemIntrinsic>(&instruction)) return memory->getRawDest();
  if (is_bulk_fetch(instruction)) return cast<CallBase>(instruction).getArgOperand(1);
  const auto access = access_of(instruction);
  return access && is_operation(instruction) ? access->argument(role::remote) : nullptr;
}

// Of an access to one place; none if there are several, or the size is not known.
std::optional<uint64_t> bytes_of_access(const Instruction& instruction, const footprint& print) {
  const bool copies = isa<MemTransferInst>(instruction) || reads_its_source(callee_name(instruction));
  std::optional<uint64_t> bytes;
  if (copies && any_of(print.accesses, [](const access& one) { return one.reads; })) return bytes;
  for (const auto& one : print.accesses) {
    if (!one.bytes || (bytes && bytes != one.bytes)) return std::nullopt;
    bytes = one.bytes;
  }
  return bytes;
}

// A place is fetched and then written: another round may come to it again.
bool is_written_where_fetched(const Instruction& pending, const footprint& mine, const Instruction& fetch,
                              const footprint& its) {
  const auto *one = address_of_access(pending), *other = address_of_access(fetch);
  if (!pending.mayWriteToMemory() || !one || !other) return false;
  if (is_fetch(pending) && only_reads(pending)) return false;
  const auto apart = distance(*one, *other, fetch.getModule()->getDataLayout());
  if (!apart) return false;
  const auto bytes = mine.accesses.front().bytes, its_bytes = its.accesses.front().bytes;
  return (*apart <= 0 || !bytes || *apart < static_cast<int64_t>(*bytes)) &&
         (*apart >= 0 || !its_bytes || -*apart < static_cast<int64_t>(*its_bytes));
}

bool is_put(const Instruction& instruction, const footprint& print) {
  return is_unordered_update(callee_name(instruction)) && !print.default_context;
}

// Of the one and a fetch. Puts and atomics to a place of another PE are other places.
bool provably_meet(const Instruction& one, const footprint& mine, const Instruction& fetch,
                   const footprint& its) {
  return (must_meet(mine, its) && same_pe(one, fetch)) ||
         (!is_put(one, mine) && is_written_where_fetched(one, mine, fetch, its));
}

// Of one access; if there are several, it is not known which of them it is.
std::optional<uint64_t> written_bytes(const footprint& print) {
  std::optional<uint64_t> bytes;
  for (const auto& one : print.accesses) {
    if (!one.writes) continue;
    if (!one.bytes || (bytes && bytes != one.bytes)) return std::nullopt;
    bytes = one.bytes;
  }
  return bytes;
}

// Where it writes, as far as that is a constant distance from an address that it has.
SmallVector<place_of_access, 2> written_places(const Instruction& one, const footprint& mine,
                                               const footprint& its, const Value* pe, footprints& known) {
  if (!one.mayWriteToMemory()) return {};
  if (const auto* address = address_of_access(one)) {
    const auto fetched = its.accesses.front().bytes.value_or(1);
    return {{&one, address, written_bytes(mine).value_or(fetched), pe}};
  }
  SmallVector<place_of_access, 2> found;
  if (const auto* call = dyn_cast<CallBase>(&one); call && !is_operation(one))
    for (const auto& [argument, offset, bytes] : known.writes_at_arguments(*call))
      found.push_back({&one, call->getArgOperand(argument), bytes, nullptr, offset});
  return found;
}

// A stretch whose length nobody knows, of what the other accesses: memset, memcpy, and functions of C.
bool writes_any_length(const footprint& mine, const footprint& its) {
  return any_of(mine.accesses, [&](const access& one) {
    return one.writes && !one.bytes && any_of(its.accesses, [&](const access& other) {
             return may_meet(one.where, one.bytes, other.where, other.bytes);
           });
  });
}

// Loops in a later round of which the fetch comes to what the other one writes.
SmallSetVector<const Loop*, 2> loops_of_meeting(const Instruction& one, const Instruction& fetch,
                                                footprints& known, const later_rounds& rounds) {
  SmallSetVector<const Loop*, 2> found;
  const auto add = [&](const auto& loops) { found.insert(loops.begin(), loops.end()); };
  const auto &mine = known.of(one), &its = known.of(fetch);
  const auto* fetched = address_of_access(fetch);
  if (!fetched) return found;
  const bool put = is_put(one, mine); // what a PE puts it may see later, or not: else nobody asks on which PE
  const auto* call = dyn_cast<CallBase>(&one);
  if ((call && known.writes_somewhere(*call, its)) || (!put && writes_any_length(mine, its)))
    add(rounds.around(one, fetch));
  const auto bytes = its.accesses.front().bytes.value_or(1);
  const place_of_access read{&fetch, fetched, bytes, put ? pe_of(fetch) : nullptr};
  for (const auto& written : written_places(one, mine, its, put ? pe_of(one) : nullptr, known))
    add(rounds.that_fetch(written, read, !put));
  return found;
}

} // namespace

bool is_operation(const Instruction& instruction) {
  const auto name = callee_name(instruction);
  return is_fetch(instruction) || is_fetch_on_default_context(instruction) || is_unordered_update(name);
}

// Whether it is one object for sure, and one part of it.
bool is_exact(const origin* object) {
  for (; object; object = object->parent) {
    if (!object->root || (object->parent && !object->offset)) return false;
    if (isa<PHINode, CallBase>(object->root)) return false; // another one in each round, perhaps
  }
  return true;
}

bool keep_order(const Instruction& one, const Instruction& other, footprints& known) {
  return is_unordered_update(callee_name(one)) && is_unordered_update(callee_name(other)) &&
         !commute(one, other) && conflict(known.of(one), known.of(other));
}

std::shared_ptr<const meetings> find_meetings(const SetVector<BasicBlock*>& region, const code& body) {
  auto& known = *body.known;
  SmallVector<Instruction*, 16> accesses, fetches;
  for (auto* block : region)
    for (auto& instruction : *block) {
      if (!known.of(instruction).accesses.empty()) accesses.push_back(&instruction);
      if (is_fetch(instruction)) fetches.push_back(&instruction);
    }
  const later_rounds rounds(region, body);
  auto found = std::make_shared<meetings>();
  for (auto* fetch : fetches)
    for (auto* one : accesses) {
      const auto &mine = known.of(*one), &its = known.of(*fetch);
      if (one == fetch || !conflict(mine, its)) continue;
      if (provably_meet(*one, mine, *fetch, its))
        found->push_back({one, fetch, nullptr});
      else if (body.switches->hold("rounds"))
        for (const auto* loop : loops_of_meeting(*one, *fetch, known, rounds))
          found->push_back({one, fetch, loop->getHeader()});
    }
  return found;
}

bool hazards::meets(const plan& one, const Instruction& pending, const Instruction& other,
                    position where) const {
  const auto &mine = body_.known->of(pending), &its = body_.known->of(other);
  const auto is_about_errno = [](const access& one) { return is_errno(*one.where.object); };
  if ((mine.sets_errno && any_of(its.accesses, is_about_errno)) ||
      (its.sets_errno && any_of(mine.accesses, is_about_errno)) ||
      (mine.sets_errno && its.sets_errno && body_.known->errno_is_used()))
    return true;
  const bool behind = where == position::behind_region || where == position::come_to_again;
  const auto& moved = behind ? moved_anywhere_ : moved_;
  const bool unpromised =
      where == position::behind_region || moved_.has_stored(mine) || moved_.has_stored(its);
  if (!conflict(mine, its) && !moved.conflict(mine, its) && !(unpromised && may_have_met(pending, other)))
    return false;
  const bool fetched = is_contained(one.fetches, &pending);
  const bool other_is_fetch = is_fetch(other);
  const bool same_routine = callee_name(pending) == callee_name(other);
  if (fetched && other_is_fetch && where == position::other_level) // issued by the same code or by any other
    return !same_routine || !is_issued(other);
  if (fetched && other_is_fetch && same_routine && is_issued(other))
    return false; // in the order of the program
  if (!behind && !fetched) {
    // Unordered until quiet if the context aggregates; if not, dependent code runs at once, but not that of
    // the next level. And a put reads its source when it is called, and changes nothing before.
    const bool updates = is_put(pending, mine);
    if (updates && is_plain_access(other)) return changes_what_is_read(its, mine);
    if (updates && is_unordered_update(callee_name(other)) &&
        ((where != position::other_level && same_context(mine, its)) || commute(pending, other)))
      return false;
    if (other_is_fetch && (where == position::around_loop || where == position::other_level))
      return (!only_reads(other) && (!updates || changes_what_is_read(its, mine))) ||
             must_have_met(pending, other);
  }
  return true;
}

// The other is a fetch.
bool hazards::must_have_met(const Instruction& one, const Instruction& other) const {
  return provably_meet(one, body_.known->of(one), other, body_.known->of(other)) ||
         any_of(meetings_of(one, other), [&](const meeting* found) {
           const auto* head = cast_or_null<BasicBlock>(static_cast<const Value*>(found->around));
           return !head || body_.level > 0 || (reaches(one, head->front()) && reaches(head->front(), other));
         });
}

SmallVector<const meeting*, 2> hazards::meetings_of(const Instruction& one, const Instruction& other) const {
  SmallVector<const meeting*, 2> found;
  if (body_.provable)
    for (const auto& two : *body_.provable)
      if ((two.access == &one && two.fetch == &other) || (two.access == &other && two.fetch == &one))
        found.push_back(&two);
  return found;
}

// If they meet in later rounds of loops around it only.
const Loop* hazards::loop_between_meetings(const Instruction& pending, const Instruction& fetch) const {
  if (!only_reads(fetch) || provably_meet(pending, body_.known->of(pending), fetch, body_.known->of(fetch)))
    return nullptr;
  const Loop* result = nullptr;
  for (const auto* found : meetings_of(pending, fetch)) {
    const auto* head = cast_or_null<BasicBlock>(static_cast<const Value*>(found->around));
    const auto* within = innermost_common_loop(pending, fetch);
    if (!head || !within || within->getHeader() == head) return nullptr;
    while (within->getParentLoop() && within->getParentLoop()->getHeader() != head)
      within = within->getParentLoop();
    if (!within->getParentLoop()) return nullptr;
    if (!result || result->contains(within)) result = within;
  }
  return result;
}

// By the code itself, or by functions that are here to see: the promise is about pointers that stay where
// they are.
void hazards::find_moved() {
  for (auto& block : *body_.function)
    for (auto& instruction : block) {
      const auto* store = dyn_cast<StoreInst>(&instruction);
      const auto* var = store ? body_.vars.of_address(store->getPointerOperand()) : nullptr;
      if (var && !var->escapes) continue;
      const auto& print = body_.known->of(instruction);
      moved_anywhere_.add(print);
      if (region_.contains(&block)) moved_.add(print);
    }
}

// Behind the statement nothing depends on the promise: a pointer that is kept in a structure or a global
// variable may be one to an object of this function, if the object's address is kept anywhere.
bool hazards::may_have_met(const Instruction& pending, const Instruction& other) const {
  if (is_unordered_update(callee_name(pending)) || is_unordered_update(callee_name(other))) return false;
  const auto is_open = [&](const origin& object) {
    if (!object.root) return true;
    const auto* call = dyn_cast<CallBase>(object.root);
    return !isa<Argument>(object.root) &&
           (object.parent || !(isa<AllocaInst, GlobalValue>(object.root) ||
                               (call && body_.known->pointers().allocates(*call))));
  };
  const auto is_kept = [&](const origin& object) { return !object.parent && is_address_kept(*object.root); };
  return any_of(body_.known->of(pending).accesses, [&](const access& first) {
    return any_of(body_.known->of(other).accesses, [&](const access& second) {
      const auto &one = *first.where.object, &its = *second.where.object;
      return (first.writes || second.writes) &&
             ((is_open(one) && is_open(its)) || (is_open(one) && is_kept(its)) ||
              (is_open(its) && is_kept(one)));
    });
  });
}

bool hazards::is_address_kept(const Value& root) const {
  if (isa<GlobalValue>(root)) return true;
  const auto [known, fresh] = kept_.try_emplace(&root, false);
  if (!fresh) return known->second;
  auto& addresses = body_.known->addresses();
  return kept_[&root] =
             isa<AllocaInst>(root) ? addresses.escapes(root) : addresses.follow(root) == fate::kept;
}

// A statement that is come to again around a loop, and whose fetches are issued then.
bool hazards::meets_earlier(const plan& one, const transformed& region) const {
  const auto in_order = [&](const transformed::operation& fetch, const Instruction& pending) {
    return is_contained(one.fetches, &pending) && fetch.routine == callee_name(pending);
  };
  const bool levels =
      region.nested || any_of(one.deferred, [](const Instruction* at) { return is_fetch(*at); });
  const auto meets_it = [&](const Instruction* pending) {
    const auto& mine = body_.known->of(*pending);
    return any_of(region.fetches,
                  [&](const transformed::operation& fetch) {
                    return !in_order(fetch, *pending) && conflict(mine, *fetch.print);
                  }) ||
           (levels && any_of(region.deferred, [&](const transformed::operation& deferred) {
              return conflict(mine, *deferred.print);
            }));
  };
  return any_of(one.fetches, meets_it) || any_of(one.deferred, meets_it);
}

// base[i] of one round only: in another one of this loop it is another place.
const Loop* hazards::loop_of_same_rounds(const Instruction& pending, const Instruction& other) const {
  const auto* loop = innermost_common_loop(pending, other);
  const auto *one = address_of_access(pending), *address = address_of_access(other);
  const auto behind =
      loop && one && address ? distance(*one, *address, other.getModule()->getDataLayout()) : std::nullopt;
  const auto bytes = bytes_of_access(pending, body_.known->of(pending));
  const auto its = bytes_of_access(other, body_.known->of(other));
  if (!behind || !bytes || !its) return nullptr;
  const auto end = std::max<int64_t>(static_cast<int64_t>(*bytes), *behind + static_cast<int64_t>(*its));
  const auto extent = static_cast<uint64_t>(end - std::min<int64_t>(0, *behind));
  const bool apart = differ_in_each_round(*loop, body_, structure_.dominators, *one, *address, extent) &&
                     !reaches(pending, other, loop->getHeader());
  return apart ? loop : nullptr;
}

} // namespace windrow::compiler::defer
