// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/pass.hpp"

#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/IRBuilder.h>

#include "compiler/common/analysis/footprints.hpp"
#include "compiler/common/api/calls.hpp"
#include "compiler/common/api/marker.hpp"
#include "compiler/common/runtime/inline_library.hpp"
#include "compiler/common/transform/debug_info.hpp"
#include "compiler/common/transform/transaction.hpp"
#include "compiler/defer/lower/batches.hpp"
#include "compiler/defer/lower/block_opener.hpp"
#include "compiler/defer/lower/owner_routes.hpp"
#include "compiler/defer/lower/ranges.hpp"
#include "compiler/defer/lower/strips.hpp"
#include "compiler/defer/lower/update_in_place.hpp"
#include "compiler/defer/outline/exceptions.hpp"
#include "compiler/defer/outline/fields.hpp"
#include "compiler/defer/outline/hooks.hpp"
#include "compiler/defer/outline/promise.hpp"
#include "compiler/defer/outline/versions.hpp"
#include "compiler/defer/prepare/assembly.hpp"
#include "compiler/defer/prepare/conditional_fetches.hpp"
#include "compiler/defer/prepare/gets.hpp"
#include "compiler/defer/prepare/normalise.hpp"
#include "compiler/defer/refusals.hpp"
#include "compiler/defer/region.hpp"

namespace windrow::compiler::defer {

namespace {

constexpr uint64_t largest_record_bytes = 65'000; // what the runtime can name a slot in

std::string describe(const code& callback) {
  if (!callback.open)
    return "fused at owner: " + std::to_string(callback.told.statements) + " statement(s) behind " +
           (callback.told.fetches == 1 ? "1 fetch"
                                       : std::to_string(callback.told.fetches) + " fetches of one PE") +
           ", " + std::to_string(callback.layout.bytes) + " bytes travel with it" +
           (callback.at_owner.operands ? ", its operands are made there" : "");
  const auto behind = callback.layout.bulk ? "behind 1 vectorised fetch"
                      : callback.told.fetches > 0
                          ? "behind " + std::to_string(callback.told.fetches) + " fetch(es)"
                          : std::string("in the order of other deferred code");
  auto text = "deferred " + std::to_string(callback.told.statements) + " statement(s) " + behind +
              ", captured " + std::to_string(callback.layout.bytes) + " bytes by value";
  if (!callback.told.captured.empty()) text += " [" + callback.told.captured + "]";
  if (!callback.told.shared.empty()) text += ", shared by reference [" + callback.told.shared + "]";
  if (callback.level > 1) text += ", nesting level " + std::to_string(callback.level);
  return text;
}

// How a function is brought into shape. Which way is the best shows in the end.
struct ways {
  bool vectorise = active_rules().vectorise;
  bool spare_places = true;  ///< fetches on a condition are made in any case
  bool separate_ends = true; ///< arms have what uses their values for themselves
  bool operator==(const ways&) const = default;
};
constexpr ways as_written{false, false, false};

// One function with directives.
class function_worker {
 public:
  function_worker(Function& function, FunctionAnalysisManager& analyses, const rules& switches,
                  footprints& known)
      : function_(function),
        analyses_(analyses),
        switches_(switches),
        known_(known),
        told_(pass_name, function) {}

  void run() {
    ask_for_hooks_later(function_);
    transaction change(function_);
    // With computed gotos nothing is deferred, and nothing may have to be undone: labels would not point into
    // the function again.
    transform(change, has_computed_gotos(function_) ? as_written : ways{});
    try_other_ways(change);
    leave_conditions(change);
    if (const auto wrong = what_is_wrong(change); !wrong.empty())
      give_up(change, wrong);
    else if (!made_.empty())
      make_versions(change.take_original(), checks_->take());
    told_.emit();
  }

 private:
  void make_versions(Function& written, Function* checked) {
    choose_version(function_, written, checked, context_, gets_, gain_near(), switches_);
    for (auto* one : added())
      if (auto* part = dyn_cast<Function>(one)) drop_hooks(*part);
  }

  void transform(transaction& change, const ways& which) {
    ways_ = which;
    transform();
    if (!left_bulk_fetch()) return; // none can be, for there is no such function: without them, then
    ways_.vectorise = false;
    begin_anew(change, ways_);
  }

  void begin_anew(transaction& change, const ways& which) {
    undo(change);
    told_.forget();
    transform(change, which);
  }

  // Fetches that share a record may stand in each other's way, or make others wait for it, and so may the
  // ends of arms.
  void try_other_ways(transaction& change) {
    auto least = loss();
    auto best = ways_;
    SmallVector<ways, 2> others;
    if (least != none_lost && made_alone_ > 0) others.emplace_back(best).spare_places = false;
    if (least.first > 0 && separated_ > 0) others.emplace_back(best).separate_ends = false;
    for (const auto& other : others) {
      begin_anew(change, other);
      if (loss() >= least) continue;
      least = loss();
      best = ways_;
    }
    if (best != ways_) begin_anew(change, best);
  }

  // Where nothing is deferred, a fetch at a spare place only costs what its condition saves.
  void leave_conditions(transaction& change) {
    if (!made_.empty() || made_alone_ == 0) return;
    auto without_spare_places = ways_;
    without_spare_places.spare_places = false;
    begin_anew(change, without_spare_places);
  }

  // Fetches that are not deferred; records that wait for others.
  using lost = std::pair<unsigned, size_t>;
  static constexpr lost none_lost{0, 0};
  lost loss() const {
    return {told_.refusals(), count_if(made_, [](const auto& callback) {
              return callback->level > 1 && callback->told.fetches > 0;
            })};
  }

  void transform() {
    separated_ = normalise(function_, switches_,
                           ways_.separate_ends); // may remove directives, with code that cannot be reached
    auto marks = find_markers(function_);
    fold_nested(function_, marks);
    gets_ = false;
    for (const auto& mark : marks) gets_ |= make_fetches_of_gets(function_, mark, switches_);
    hidden_handlers handlers;
    handlers.hide(function_, marks);
    context_ = find_early_context(function_);
    checks_ = std::make_unique<promise_checks>(function_, handlers);
    made_alone_ = 0;
    for (const auto& mark : marks)
      made_alone_ += make_unconditional(function_, mark, known_, switches_, ways_.spare_places);
    analyses_.invalidate(function_, PreservedAnalyses::none());
    code body;
    body.checks = checks_.get();
    body.function = &function_;
    body.library = &analyses_.getResult<TargetLibraryAnalysis>(function_);
    body.switches = &switches_;
    body.known = &known_;
    body.vectorise = ways_.vectorise;
    body.vars.add_frame(function_);
    for (const auto& mark : marks)
      if (mark.branch) body.vars.note_escapes(*mark.entry(), known_.addresses());
    for (const auto& mark : marks) {
      body.handler = mark.branch ? handlers.of(*mark.entry()) : nullptr;
      transform_region(body, mark, analyses_, made_, told_);
    }
    for (const auto& mark : marks) erase(mark);
    for (const auto& callback : made_) {
      load_fields_first(*callback);
      load_from_range(*callback);
    }
    updates_ = any_of(made_, [](const auto& callback) { return updates_others(*callback); });
    for (const auto& callback : made_) {
      put_in_batches(*callback);
      complete(*callback);
    }
    for (const auto& callback : made_) {
      open_in_strips(*callback);
      keep_owner_route(*callback);
    }
    for (const auto& callback : made_)
      if (callback->keeps_exceptions) keep_exceptions(*callback->function, function_);
    handlers.restore(function_);
    drop_foreign_records(function_);
  }

  void complete(code& callback) {
    if (callback.open && !callback.lowered.in_batches) set_bytes(callback);
    const auto leads_to = [&](const auto& other) { return other->outer == &callback && other->open; };
    if (callback.lowered.in_place) complete_runs(callback, any_of(made_, leads_to));
    update_in_place(callback);
    told_.deferred(callback.told.fetched_at, describe(callback));
  }

  // In batches the callback is given what it keeps from one payload to the next.
  static void update_in_place(code& callback) {
    for (auto& instruction : make_early_inc_range(instructions(*callback.function))) {
      auto* call = dyn_cast<CallInst>(&instruction);
      if (!call || !is_unordered_update(callee_name(*call))) continue;
      const bool along = callback.lowered.in_batches && callback.lowered.routes < most_routes;
      auto* in_place = defer::update_in_place(*call, along);
      if (!in_place) continue;
      if (!along) {
        call->setCalledFunction(in_place);
        continue;
      }
      IRBuilder<> builder(call);
      const bool same = is_in_common(*call->getArgOperand(0), *callback.function);
      SmallVector<Value*, 6> arguments{callback.function->getArg(2),
                                       builder.getInt64(callback.lowered.routes++), builder.getInt1(same)};
      append_range(arguments, call->args());
      builder.CreateCall(in_place, arguments);
      call->eraseFromParent();
    }
  }

  // Whether all payloads of a batch have the value in common.
  static bool is_in_common(const Value& value, const Function& body) {
    const auto* load = dyn_cast<LoadInst>(&value);
    return load && load->getPointerOperand()->stripInBoundsOffsets() == body.getArg(1);
  }

  static void set_bytes(const code& callback) {
    IRBuilder<> builder(callback.open);
    if (!callback.layout.bulk)
      return callback.open->setArgOperand(block_bytes, builder.getInt64(callback.layout.bytes));
    auto* fixed = builder.getInt64(alignTo(callback.layout.bytes, 8));
    if (callback.lowered.in_place) return callback.open->setArgOperand(block_bytes, fixed);
    const auto& bulk = *callback.layout.bulk;
    bulk.outside->setOperand(1, fixed);
    bulk.inside->setOperand(1, fixed);
    auto* values = builder.CreateMul(bulk.count, builder.getInt64(bulk.element_bytes));
    callback.open->setArgOperand(block_bytes, builder.CreateAdd(fixed, values));
  }

  // No invalid code leaves this pass: better the slow program than a wrong one.
  std::string what_is_wrong(const transaction& change) const {
    for (const auto& callback : made_)
      if (callback->layout.bytes > largest_record_bytes)
        return "a record would take " + std::to_string(callback->layout.bytes) + " bytes, more than the " +
               std::to_string(largest_record_bytes) + " there are";
    const auto fault = change.fault(added());
    return fault.empty() ? "" : "internal error, please report it: " + fault;
  }

  static bool updates_others(const code& callback) {
    return any_of(instructions(*callback.function),
                  [](const Instruction& one) { return is_unordered_update(callee_name(one)); });
  }

  // Records that take calls to the runtime, or that wait for nothing but their turn, cost more than a load
  // does; and so do those of rounds that fetch nothing. Those that only load cost more than loads from a
  // cache.
  gain gain_near() const {
    const auto costs = [](const auto& callback) {
      return callback->open && (!callback->lowered.in_place || callback->told.fetches == 0);
    };
    const auto only_loads = [](const auto& callback) {
      return callback->open &&
             all_of(callback->layout.slots, [](const slot& one) { return one.may_load_later; });
    };
    if (made_alone_ > 0 || any_of(made_, costs)) return gain::none;
    return !updates_ && all_of(made_, only_loads) ? gain::not_from_cache : gain::always;
  }

  bool left_bulk_fetch() const {
    return any_of(instructions(function_), is_bulk_fetch) || any_of(made_, [](const auto& callback) {
             return any_of(instructions(*callback->function), is_bulk_fetch);
           });
  }

  additions added() const {
    additions all;
    for (const auto& callback : made_) {
      if (callback->at_owner.site) all.push_back(callback->at_owner.site);
      append_range(all, callback->helpers);
      all.push_back(callback->function);
    }
    return all;
  }

  void undo(transaction& change) {
    change.restore(added());
    made_.clear();
  }

  void give_up(transaction& change, const std::string& why) {
    undo(change);
    told_.withdraw();
    const auto marks = find_markers(function_);
    told_.refused(marks.front().annotation->getDebugLoc(), "region not deferred: " + why,
                  any_of(marks, [](const marker& mark) { return mark.strict; }));
    for (const auto& mark : marks) erase(mark);
  }

  Function& function_;
  FunctionAnalysisManager& analyses_;
  const rules& switches_;
  footprints& known_;
  diagnostics told_;
  callbacks made_;
  std::unique_ptr<promise_checks> checks_;
  std::optional<early_context> context_;
  ways ways_;
  unsigned made_alone_ = 0; // fetches at spare places
  bool updates_ = false;    // deferred code updates memory of other PEs
  bool gets_ = false;       // there were some that are fetches
  unsigned separated_ = 0;  // joins whose arms have ends of their own
};

} // namespace

PreservedAnalyses defer_pass::run(Module& module, ModuleAnalysisManager& analyses) {
  auto& functions = analyses.getResult<FunctionAnalysisManagerModuleProxy>(module).getManager();
  SmallVector<Function*, 8> marked;
  for (auto& function : module)
    if (any_of(instructions(function), is_marker)) marked.push_back(&function);
  for (auto* function : marked) open_ways_around(*function);
  if (!marked.empty()) keep_definitions_single(module);
  footprints known(module, !active_rules().hold("allocators"));
  for (auto* function : marked) {
    known.pointers().begin_function();
    known.look_at_callees(*function);
  }
  for (auto* function : marked) {
    known.pointers().begin_function();
    function_worker(*function, functions, active_rules(), known).run();
  }
  link_inlined_calls(module);
  return marked.empty() ? PreservedAnalyses::all() : PreservedAnalyses::none();
}

rules& active_rules() {
  static rules active;
  return active;
}

} // namespace windrow::compiler::defer
