// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/pass/hazards.hpp"

#include "compiler/pass/context.hpp"
#include "compiler/pass/exceptions.hpp"
#include "compiler/pass/footprints.hpp"

namespace windrow::defer {

namespace {

bool is_operation(const Instruction& instruction) {
  const auto name = callee_name(instruction);
  return is_fetch(instruction) || is_fetch_on_default_context(instruction) || is_unordered_update(name);
}

bool is_plain_access(const Instruction& instruction) {
  return isa<LoadInst, StoreInst, MemIntrinsic>(instruction);
}

// The same object for sure, and the same part of it.
bool is_exact(const origin* object) {
  for (; object; object = object->parent) {
    if (!object->root || (object->parent && !object->offset)) return false;
    if (isa<PHINode, CallBase>(object->root)) return false; // another one in each round, perhaps
  }
  return true;
}

bool must_meet(const footprint& one, const footprint& other) {
  if (one.accesses.size() != 1 || other.accesses.size() != 1) return false;
  const auto &first = one.accesses.front().where, &second = other.accesses.front().where;
  return first.object == second.object && first.offset && first.offset == second.offset &&
         is_exact(first.object);
}

bool same_context(const footprint& one, const footprint& other) {
  return one.context.size() == 1 && one.context == other.context && is_exact(one.context.front().object) &&
         one.context.front().offset;
}

// What the put reads of this PE's memory.
bool changes_source(const footprint& writer, const footprint& put) {
  return any_of(put.accesses, [&](const access& source) {
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
bool same_pe(const Instruction& one, const Instruction& other) {
  if (!is_operation(one) || !is_operation(other)) return false;
  const auto pe = [](const Instruction& operation) {
    const auto& call = cast<CallBase>(operation);
    return call.getArgOperand(call.arg_size() - 1);
  };
  return same_expression(pe(one), pe(other));
}

bool is_dead_end(const BasicBlock& block) {
  return isa<UnreachableInst>(block.getTerminator());
}

const Value* address_of_access(const Instruction& instruction) {
  if (const auto* load = dyn_cast<LoadInst>(&instruction)) return load->getPointerOperand();
  if (const auto* store = dyn_cast<StoreInst>(&instruction)) return store->getPointerOperand();
  const auto* call = dyn_cast<CallBase>(&instruction);
  if (!call || !is_operation(*call)) return nullptr;
  return call->getArgOperand(callee_name(*call).starts_with("shmem_ctx_") ? 1 : 0);
}

// A place is fetched and then written: another round may come to it again.
bool same_expression_of_place(const Instruction& pending, const Instruction& fetch) {
  const auto *one = address_of_access(pending), *other = address_of_access(fetch);
  return pending.mayWriteToMemory() && !is_fetch(pending) && one && other && same_expression(one, other);
}

std::string at_line(const Instruction& instruction) {
  const auto location = place_of(instruction.getDebugLoc());
  return location ? " at line " + std::to_string(location.getLine()) : "";
}

constexpr unsigned least_counter_bits = 32; // of fewer, the same value may come again while code waits
constexpr uint64_t largest_step = 256;

// One variable of a loop that each round changes by the same, unconditionally.
class counter_search {
 public:
  counter_search(const Loop& loop, const code& body, const DominatorTree& dominators)
      : loop_(loop), body_(body), dominators_(dominators) {}

  // base[counter + something] both: another address in each round, and the same one in a round.
  bool differ_in_each_round(const Value& one, const Value& other) {
    return differs_in_each_round(one) && differs_in_each_round(other) && count_ &&
           all_of(loads_,
                  [&](const LoadInst* load) { return comes_behind(*load) == comes_behind(*loads_.front()); });
  }

 private:
  bool differs_in_each_round(const Value& address) {
    const auto* element = dyn_cast<GetElementPtrInst>(&address);
    if (!element) return false;
    unsigned counting = 0;
    for (const auto& operand : element->operands()) {
      if (is_invariant(*operand.get())) continue;
      if (operand.getOperandNo() == 0) {
        if (!differs_in_each_round(*operand.get())) return false;
      } else if (!counts(*operand.get()))
        return false;
      ++counting;
    }
    return counting == 1;
  }

  // In a round, whether the load reads what the round has counted.
  bool comes_behind(const LoadInst& load) const {
    if (load.getParent() == count_->getParent()) return count_->comesBefore(&load);
    SmallPtrSet<const BasicBlock*, 16> seen{loop_.getHeader()};
    SmallVector<const BasicBlock*, 8> open(successors(count_->getParent()));
    while (!open.empty()) {
      const auto* block = open.pop_back_val();
      if (!loop_.contains(block) || !seen.insert(block).second) continue;
      if (block == load.getParent()) return true;
      append_range(open, successors(block));
    }
    return false;
  }

  bool counts(const Value& value) {
    if (const auto* cast = dyn_cast<CastInst>(&value))
      return isa<SExtInst, ZExtInst>(cast) && counts(*cast->getOperand(0));
    if (const auto* load = dyn_cast<LoadInst>(&value)) {
      loads_.push_back(load);
      return is_counter(load->getPointerOperand());
    }
    const auto* sum = dyn_cast<BinaryOperator>(&value);
    if (!sum) return false;
    const auto code = sum->getOpcode();
    if (code != Instruction::Add && code != Instruction::Sub) return false;
    return (counts(*sum->getOperand(0)) && is_invariant(*sum->getOperand(1))) ||
           (counts(*sum->getOperand(1)) && is_invariant(*sum->getOperand(0)));
  }

  bool is_counter(const Value* address) {
    const auto* var = body_.vars.at(address);
    if (!var || var->escapes) return false;
    const StoreInst* only = nullptr;
    if (!all_stores(*var, [&](const StoreInst& store) { return !std::exchange(only, &store); }) || !only)
      return false;
    count_ = only;
    const auto* sum = dyn_cast<BinaryOperator>(only->getValueOperand());
    if (!sum || (sum->getOpcode() != Instruction::Add && sum->getOpcode() != Instruction::Sub)) return false;
    const auto* load = dyn_cast<LoadInst>(sum->getOperand(0));
    const auto* step = dyn_cast<ConstantInt>(sum->getOperand(1));
    return load && load->getPointerOperand() == address && step && !step->isZero() &&
           step->getBitWidth() >= least_counter_bits && step->getValue().abs().ule(largest_step) &&
           load->getType() == step->getType() && loop_.getLoopLatch() &&
           dominators_.dominates(only->getParent(), loop_.getLoopLatch()) && is_directly_inside(*only);
  }

  // Not in a loop inside of this one.
  bool is_directly_inside(const Instruction& instruction) const {
    return none_of(loop_.getSubLoops(), [&](const Loop* inner) { return inner->contains(&instruction); });
  }

  bool is_invariant(const Value& value) const {
    const auto* instruction = dyn_cast<Instruction>(&value);
    if (!instruction || !loop_.contains(instruction)) return true;
    const auto* load = dyn_cast<LoadInst>(instruction);
    if (!load)
      return isa<GetElementPtrInst, CastInst, BinaryOperator>(instruction) &&
             all_of(instruction->operands(),
                    [&](const Use& operand) { return is_invariant(*operand.get()); });
    const auto* var = body_.vars.at(load->getPointerOperand());
    return var && !var->escapes && all_stores(*var, [](const StoreInst&) { return false; });
  }

  template <class Test>
  bool all_stores(const variable& var, Test test) const {
    for (const auto* block : loop_.blocks())
      for (const auto& instruction : *block) {
        const auto touched = body_.effects_of(const_cast<Instruction&>(instruction));
        if (!touched.writes.contains(const_cast<variable*>(&var))) continue;
        const auto* store = dyn_cast<StoreInst>(&instruction);
        if (!store || store->getPointerOperand() != var.base || !test(*store)) return false;
      }
    return true;
  }

  const Loop& loop_;
  const code& body_;
  const DominatorTree& dominators_;
  SmallVector<const LoadInst*, 2> loads_; // of the counter, for the addresses
  const StoreInst* count_ = nullptr;      // what changes it
};

} // namespace

bool only_aborts(const BasicBlock& block) {
  return all_of(block, [](const Instruction& instruction) {
    const auto* call = dyn_cast<CallBase>(&instruction);
    return !call || aborts(*call) || is_commentary(*call) || is_instrumentation(*call);
  });
}

// ---- what instructions do to each other

// What may see any deferred code; empty if it does not.
std::string hazards::seen_by(const plan& one, const Instruction& instruction) const {
  const auto& print = body_.known->of(instruction);
  const auto* call = dyn_cast<CallBase>(&instruction);
  if (!print.unknown.empty() && body_.switches->hold("calls"))
    return "'" + print.unknown + "' may see what is deferred";
  if (print.frees && body_.switches->hold("calls")) return "memory is freed";
  if (print.output && body_.switches->hold("output") &&
      any_of(one.deferred, [&](const Instruction* deferred) { return body_.known->of(*deferred).output; }))
    return "output and other effects outside of memory keep their order";
  if (!body_.switches->hold("contexts") || one.fetches.empty()) return "";
  const auto& issued = body_.known->of(*one.fetches.front());
  if (is_contained(one.fetches, &instruction)) return "";
  if (print.default_context || (call && is_operation(*call) && !same_context(issued, print)))
    return "an operation on another context";
  return "";
}

bool hazards::meets(const plan& one, const Instruction& pending, const Instruction& other,
                    position where) const {
  const auto &mine = body_.known->of(pending), &its = body_.known->of(other);
  const auto is_about_errno = [](const access& one) { return is_errno(*one.where.object); };
  if ((mine.sets_errno && any_of(its.accesses, is_about_errno)) ||
      (its.sets_errno && any_of(mine.accesses, is_about_errno)))
    return true;
  const bool unpromised = where == position::behind_region || is_moved(mine) || is_moved(its);
  if (!conflict(mine, its) && !(unpromised && may_have_met(pending, other))) return false;
  const bool fetched = is_contained(one.fetches, &pending);
  const bool strict = where == position::behind_region || where == position::come_to_again;
  const bool other_is_fetch = is_fetch(other);
  if (fetched && other_is_fetch && where == position::other_level)
    return must_meet(mine, its) && same_pe(pending, other) && callee_name(pending) != callee_name(other);
  if (fetched && other_is_fetch && callee_name(pending) == callee_name(other) && is_issued(other))
    return false; // in the order of the program
  if (!strict && !fetched) {
    // Unordered until quiet, in any program; but a put reads its source when it is called.
    const bool updates = is_unordered_update(callee_name(pending)) && !mine.default_context;
    if (updates && is_plain_access(other)) return changes_source(its, mine);
    if (updates && is_unordered_update(callee_name(other)) &&
        (same_context(mine, its) || commute(pending, other)))
      return false;
    if (is_unordered_update(callee_name(other)) && is_plain_access(pending) && !its.default_context)
      return changes_source(mine, its);
    if (other_is_fetch &&
        (where == position::around_loop || where == position::other_level)) // the second promise
      return (must_meet(mine, its) && same_pe(pending, other)) ||
             (!updates && same_expression_of_place(pending, other));
  }
  return true;
}

// Memory that other PEs may know.
bool hazards::touches_shared(const Instruction& pending) const {
  return !is_operation(pending) && any_of(body_.known->of(pending).accesses, [](const access& one) {
    const auto& object = *one.where.object;
    const auto* call = dyn_cast_or_null<CallBase>(object.root);
    return object.parent || !(isa_and_nonnull<AllocaInst>(object.root) ||
                              (call && allocates(*call) && !callee_name(*call).starts_with("shmem_")));
  });
}

// A flag on the same context: what waits for it counts on what this PE has written, or has done with.
bool hazards::tells_others(const plan& one, const Instruction& instruction) const {
  return is_operation(instruction) && instruction.mayWriteToMemory() && body_.switches->hold("contexts") &&
         (is_unordered_update(callee_name(instruction)) || is_fetch(instruction)) &&
         !callee_name(instruction).ends_with("_g") &&
         any_of(one.deferred, [&](const Instruction* pending) { return touches_shared(*pending); });
}

// A list that the statement builds, pointers that it swaps: the promise is about pointers that stay where
// they are.
void hazards::find_moved() {
  for (auto* block : region_)
    for (auto& instruction : *block) {
      const auto* store = dyn_cast<StoreInst>(&instruction);
      if (!store || !store->getValueOperand()->getType()->isPointerTy()) continue;
      const auto* var = body_.vars.of_address(store->getPointerOperand());
      if (var && !var->escapes) continue;
      for (const auto& one : body_.known->pointers().of(*store->getValueOperand())) moved_.insert(one.object);
    }
}

bool hazards::is_moved(const footprint& print) const {
  return !moved_.empty() &&
         any_of(print.accesses, [&](const access& one) { return moved_.contains(one.where.object); });
}

// Behind the statement nothing depends on the promise: a pointer that is kept in a structure or a global
// variable may be one to an object of this function, if the object's address is kept anywhere.
bool hazards::may_have_met(const Instruction& pending, const Instruction& other) const {
  if (is_unordered_update(callee_name(pending)) || is_unordered_update(callee_name(other))) return false;
  const auto is_open = [](const origin& object) {
    if (!object.root) return true;
    const auto* call = dyn_cast<CallBase>(object.root);
    return !isa<Argument>(object.root) &&
           (object.parent || !(isa<AllocaInst, GlobalValue>(object.root) || (call && allocates(*call))));
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

transformed hazards::kept(const BasicBlock* entry) const {
  transformed result{entry, {}, {}};
  for (const auto* one : plans_) {
    if (!one->active()) continue;
    for (const auto* fetch : one->fetches)
      result.fetches.push_back({body_.known->kept(*fetch), callee_name(*fetch).str()});
    for (const auto* deferred : one->deferred) {
      result.nested |= is_fetch(*deferred);
      if (!body_.known->of(*deferred).touches_nothing())
        result.deferred.push_back({body_.known->kept(*deferred), ""});
    }
  }
  return result;
}

// base[i] of one round only: in another one of this loop it is another place.
const Loop* hazards::loop_of_same_rounds(const Instruction& pending, const Instruction& other) const {
  const auto* loop = innermost_common_loop(pending, other);
  const auto *one = address_of_access(pending), *address = address_of_access(other);
  if (!loop || !one || !address || !same_expression(one, address)) return nullptr;
  const bool apart =
      counter_search(*loop, body_, structure_.dominators).differ_in_each_round(*one, *address) &&
      !reaches(pending, other, loop->getHeader());
  return apart ? loop : nullptr;
}

// ---- where code stands

bool hazards::is_in_active(const plans_of& plans, const Instruction& instruction) {
  const auto known = plans.find(&instruction);
  return known != plans.end() && any_of(known->second, [](const plan* one) { return one->active(); });
}

bool hazards::stays(const Instruction& instruction) const {
  return !is_in_active(deferring_, instruction);
}

bool hazards::is_issued(const Instruction& instruction) const {
  return is_in_active(issuing_, instruction);
}

const Loop* hazards::innermost_common_loop(const Instruction& one, const Instruction& other) const {
  const auto* loop = structure_.loops.getLoopFor(one.getParent());
  while (loop && !loop->contains(&other)) loop = loop->getParentLoop();
  return loop;
}

// The outermost loop around the plan that the other code is not in.
const Loop* hazards::loop_to_complete(const plan& one, const Instruction& other) const {
  const Loop* outermost = nullptr;
  for (const auto* loop = structure_.loops.getLoopFor(one.start); loop && !loop->contains(&other);
       loop = loop->getParentLoop())
    if (region_.contains(loop->getHeader())) outermost = loop;
  return outermost;
}

// ---- decisions

void hazards::complete_or_refuse(plan& one, const Instruction& other, const std::string& why) const {
  const auto* loop = loop_to_complete(one, other);
  if (!loop || !complete_behind(one, *loop)) one.refuse(&other, why);
}

// False if something is open there.
bool hazards::complete_behind(plan& one, const Loop& loop) const {
  const bool open = any_of(plans_, [&](const plan* around) {
    return around->active() && around != &one && around->surrounds(loop.getHeader());
  });
  if (open || body_.level > 0) return false;
  one.complete_behind.insert(&loop);
  return true;
}

void hazards::check(plan& one) {
  if (body_.level > 0) return check_at_other_levels(one);
  const auto* first = first_of_record(one)->place();
  check_dead_ends(one);
  for (auto* block : region_) {
    if (is_dead_end(*block)) continue;
    for (const auto& other : *block) {
      if (!one.active()) return;
      const auto& print = body_.known->of(other);
      if (print.touches_nothing() || !stays(other) || completes_deferred_code(callee_name(other))) continue;
      const auto* call = dyn_cast<CallBase>(&other);
      if (call && call->doesNotReturn()) continue;
      if (auto why = seen_by(one, other); !why.empty() && reaches(*first, other)) {
        complete_or_refuse(one, other, why);
        continue;
      }
      if (print.accesses.empty()) continue;
      const auto conflicts = [&](const Instruction& pending) {
        const auto* loop = innermost_common_loop(pending, other);
        const bool apart = loop_to_complete(one, other) != nullptr;
        const bool around = loop && !apart && is_fetch(other) && !reaches(pending, other, loop->getHeader());
        if (&pending == &other ||
            !meets(one, pending, other, around ? position::around_loop : position::ahead) ||
            !reaches(pending, other))
          return false;
        const auto* rounds = loop_of_same_rounds(pending, other);
        if (rounds && reach_.is_entered_again(*rounds)) return !complete_behind(one, *rounds);
        return !rounds;
      };
      if (body_.switches->hold("fetch-order") &&
          any_of(one.fetches, [&](const CallInst* fetch) { return conflicts(*fetch); }))
        complete_or_refuse(one, other,
                           "the object that it fetches from is also used by code of the region that "
                           "is not deferred, and one of them changes it");
      else if (body_.switches->hold("origins") &&
               any_of(one.deferred, [&](const Instruction* deferred) { return conflicts(*deferred); }))
        complete_or_refuse(one, other,
                           "memory written by deferred code is accessed by code of the region that is "
                           "not deferred (or the reverse)");
    }
  }
}

// Ways out that do not come back: a throw, exit, longjmp.
void hazards::check_dead_ends(plan& one) const {
  const auto* first = first_of_record(one)->place();
  for (auto* block : region_) {
    if (!is_dead_end(*block) || only_aborts(*block) || !stays(block->front()) ||
        !reaches(*first, block->front()) || !body_.switches->hold("dead-ends"))
      continue;
    if (any_of(plans_, [&](const plan* around) { return around->active() && around->is_open_in(block); }))
      return one.refuse(&block->front(),
                        "code between the fetch and the code that uses it does not come back");
    one.complete_in.insert(block);
  }
}

// Code of other levels runs before and after ours, in any order.
void hazards::check_at_other_levels(plan& one) {
  if (!body_.switches->hold("levels")) return;
  for (const auto& handle : others_) {
    const auto* other = dyn_cast_or_null<Instruction>(static_cast<Value*>(handle));
    if (!other || one.deferred.contains(other) || !stays(*other)) continue;
    const auto& print = body_.known->of(*other);
    const bool output = print.output && any_of(one.deferred, [&](const Instruction* deferred) {
                          return body_.known->of(*deferred).output;
                        });
    const auto meets_it = [&](const Instruction* pending) {
      return meets(one, *pending, *other, position::other_level);
    };
    if (output || any_of(one.fetches, meets_it) || any_of(one.deferred, meets_it))
      return one.refuse(other,
                        output ? "effects outside of memory at two nesting levels of deferred code"
                               : "memory is accessed at two nesting levels of deferred code, and one of them "
                                 "writes it");
  }
}

std::string hazards::behind(const Instruction& instruction) const {
  const auto& print = body_.known->of(instruction);
  const auto* call = dyn_cast<CallBase>(&instruction);
  if (call && call->doesNotReturn() && !aborts(*call) && body_.switches->hold("dead-ends"))
    return "'" + callee_name(*call).str() + "' does not come back" + at_line(instruction);
  if (call && has_hidden_handler(*call) && print.throws)
    return "'" + callee_name(*call).str() + "' may throw" + at_line(instruction);
  for (const auto& region : body_.before)
    if (&region.entry->front() == &instruction && body_.switches->hold("origins") &&
        any_of(plans_, [&](const plan* one) { return one->active() && meets_earlier(*one, region); }))
      return "an earlier statement with a directive uses the same memory when it is come to again";
  if (print.touches_nothing()) return "";
  // Come to again, around a loop: what stays there has been looked at, and what is deferred keeps its order.
  const bool again = region_.contains(const_cast<BasicBlock*>(instruction.getParent()));
  if (again && !is_issued(instruction)) return "";
  for (const auto* one : plans_) {
    if (!one->active()) continue;
    if (auto why = again ? "" : seen_by(*one, instruction); !why.empty()) return why + at_line(instruction);
    if (!again && tells_others(*one, instruction))
      return "another PE may learn by the update" + at_line(instruction) + " that it has run";
    const auto meets_it = [&](const Instruction* pending) {
      const auto where = again ? position::come_to_again : position::behind_region;
      if (!meets(*one, *pending, instruction, where)) return false;
      const auto* rounds = loop_of_same_rounds(*pending, instruction);
      return !rounds || (reach_.is_entered_again(*rounds) && !one->complete_behind.contains(rounds));
    };
    if (body_.switches->hold("origins") &&
        ((!again && any_of(one->fetches, meets_it)) || any_of(one->deferred, meets_it)))
      return "memory that it uses is used" + at_line(instruction) + " before any quiet";
  }
  return "";
}

} // namespace windrow::defer
