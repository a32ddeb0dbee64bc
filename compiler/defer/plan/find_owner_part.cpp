// SPDX-License-Identifier: BSD-3-Clause
#include <set>
#include <utility>

#include "compiler/common/api/calls.hpp"
#include "compiler/defer/plan/context.hpp"
#include "compiler/defer/plan/fusion.hpp"

namespace windrow::compiler::defer {

namespace {

constexpr size_t most_captures = 16; // of at most 16 bytes: no more may travel

class examiner {
 public:
  examiner(const plan& scope, const plan& deferred, const code& body, const shape& structure,
           const memory_oracle& memory)
      : scope_(scope), placed_(deferred), body_(body), loops_(structure.loops), memory_(memory) {}

  bool fits() {
    if (scope_.fetches.size() != 1 || is_bulk_fetch(fetch()) || !placed_.by_reference.empty() ||
        !writes_private_only())
      return false;
    bool fit = true, accesses = false;
    for (const auto& part : scope_.scope.units) {
      if (!part.deferred) {
        note_staying(part);
        continue;
      }
      if (part.compound() && !is_condition(part)) return false;
      part.for_each([&](const Instruction& instruction) {
        fit = fit && (fits(instruction) || (part.compound() && fits_in_condition(instruction)));
        accesses |= is_access(instruction);
      });
    }
    return fit && accesses && captures() <= most_captures;
  }

  DenseMap<const Instruction*, owner_part::part_of_variable> read_before, read_straight;

 private:
  void note_staying(const unit& part) {
    if (const auto* load = dyn_cast_or_null<LoadInst>(part.instruction); load && load->isSimple())
      if (const auto what = part_read(*load)) read_straight[load] = *what;
    for (auto* var : part.touched.writes) ++version_[var];
  }

  const CallInst& fetch() const { return *scope_.fetches.front(); }

  static bool is_access(const Instruction& instruction) {
    const auto* call = dyn_cast<CallInst>(&instruction);
    return call && !is_commentary(*call);
  }

  bool is_condition(const unit& part) const {
    const auto* around = loops_.getLoopFor(part.at);
    return !part.header &&
           all_of(part.blocks, [&](const BasicBlock* block) { return loops_.getLoopFor(block) == around; });
  }

  // What is not in straight code.
  bool fits_in_condition(const Instruction& instruction) {
    if (isa<BranchInst, SwitchInst>(instruction)) return true;
    if (const auto* phi = dyn_cast<PHINode>(&instruction)) return !phi->getType()->isPointerTy();
    const auto* load = dyn_cast<LoadInst>(&instruction);
    return load && load->isSimple() && may_be_read_before(*load);
  }

  // Although the condition may not hold; and it has the same value there.
  bool may_be_read_before(const LoadInst& load) {
    const auto what = part_read(load);
    if (what) read_before[&load] = *what;
    return what.has_value();
  }

  // Of a variable that is captured.
  std::optional<owner_part::part_of_variable> part_read(const LoadInst& load) const {
    auto* var = body_.vars.of_address(load.getPointerOperand());
    if (!var || var->escapes || !placed_.by_value.contains(var)) return std::nullopt;
    APInt offset(64, 0);
    const auto& layout = load.getModule()->getDataLayout();
    const auto* address = load.getPointerOperand();
    while (address != var->base) {
      const auto* part = dyn_cast<GEPOperator>(address);
      if (!part || !part->accumulateConstantOffset(layout, offset)) return std::nullopt;
      address = part->getPointerOperand();
    }
    return owner_part::part_of_variable{var, offset.getSExtValue(), version_.lookup(var)};
  }

  size_t captures() const {
    SmallPtrSet<const Value*, 16> captured;
    std::set<std::pair<owner_part::part_of_variable, const Type*>> read;
    for (const auto& [load, what] : read_before) read.insert({what, load->getType()});
    for (const auto* instruction : scope_.deferred)
      if (read_before.count(instruction) == 0)
        for (const auto* operand : instruction->operand_values())
          if (isa<Argument, Instruction>(operand) && !body_.vars.at(operand) &&
              !scope_.deferred.contains(dyn_cast<Instruction>(operand)))
            add_capture(*operand, captured, read);
    return captured.size() + read.size();
  }

  void add_capture(const Value& value, SmallPtrSetImpl<const Value*>& captured,
                   std::set<std::pair<owner_part::part_of_variable, const Type*>>& read) const {
    const auto known = read_straight.find(dyn_cast<Instruction>(&value));
    if (known == read_straight.end())
      captured.insert(&value);
    else
      read.insert({known->second, value.getType()});
  }

  bool writes_private_only() const {
    return all_of(scope_.writes, [&](variable* var) { return placed_.in_private.contains(var); });
  }

  bool fits(const Instruction& instruction) const {
    if (is_commentary(instruction)) return true;
    if (const auto* call = dyn_cast<CallInst>(&instruction)) return fits_access(*call);
    if (isa<LoadInst, StoreInst>(instruction)) return is_private_access(instruction);
    if (!isa<BinaryOperator, CastInst, CmpInst, SelectInst, GetElementPtrInst, UnaryOperator>(instruction))
      return false;
    if (isa<PtrToIntInst, IntToPtrInst, AddrSpaceCastInst>(instruction)) return false;
    return none_of(instruction.operands(), [&](const Use& operand) {
      return operand->getType()->isPointerTy() && !is_base(operand);
    });
  }

  // Pointers stay with their PE: what is kept in a variable is a number.
  bool is_private_access(const Instruction& instruction) const {
    const auto* store = dyn_cast<StoreInst>(&instruction);
    const auto* type = store ? store->getValueOperand()->getType() : instruction.getType();
    auto* var = body_.vars.of_address(getLoadStorePointerOperand(&instruction));
    return !type->isPointerTy() && var && placed_.in_private.contains(var);
  }

  // The base of an address computation on a symmetric object (or on one of our own variables).
  static bool is_base(const Use& operand) {
    const auto* address = dyn_cast<GetElementPtrInst>(operand.getUser());
    if (!address || operand.getOperandNo() != 0) return false;
    const auto* global = dyn_cast<GlobalVariable>(operand.get());
    return global ? !global->isThreadLocal() : !isa<Constant>(operand.get());
  }

  // An update or a further fetch on the very PE.
  bool fits_access(const CallInst& call) const {
    if (!is_scalar_update(call) && !is_scalar_fetch(call)) return false;
    if (isa<Constant>(call.getArgOperand(1))) return false;
    const auto* pe = call.getArgOperand(call.arg_size() - 1);
    return is_same(call.getArgOperand(0), fetch().getArgOperand(0)) &&
           is_same(pe, fetch().getArgOperand(fetch().arg_size() - 1));
  }

  // Whether both have the same value: computed alike, and nothing that it is computed from changes in
  // between.
  bool is_same(const Value* one, const Value* other) const {
    if (!same_expression(one, other)) return false;
    if (one == other) return true;
    SmallVector<const LoadInst*, 8> loads;
    collect_loads(one, loads);
    collect_loads(other, loads);
    return all_of(loads, [&](const LoadInst* load) { return is_unchanged(*load, loads); });
  }

  static void collect_loads(const Value* value, SmallVectorImpl<const LoadInst*>& loads) {
    const auto* instruction = dyn_cast<Instruction>(value);
    if (!instruction || isa<AllocaInst>(instruction)) return;
    if (const auto* load = dyn_cast<LoadInst>(instruction)) loads.push_back(load);
    for (const auto& operand : instruction->operands()) collect_loads(operand.get(), loads);
  }

  // Between the first and the last of the loads.
  bool is_unchanged(const LoadInst& load, ArrayRef<const LoadInst*> loads) const {
    const auto& units = scope_.scope.units;
    auto holds = [](const unit& part, const LoadInst* one) {
      return part.compound() ? part.blocks.contains(const_cast<BasicBlock*>(one->getParent()))
                             : part.instruction == one;
    };
    auto holds_load = [&](const unit& part) {
      return any_of(loads, [&](const LoadInst* one) { return holds(part, one); });
    };
    if (!all_of(loads, [&](const LoadInst* one) {
          return any_of(units, [&](const unit& part) { return holds(part, one); });
        }))
      return false; // one is outside of this scope
    const auto first = find_if(units, holds_load);
    const auto last = std::find_if(units.rbegin(), units.rend(), holds_load).base();
    const auto own = find_if(units, [&](const unit& part) { return holds(part, &load); });
    return std::none_of(first, last, [&](const unit& between) {
      const auto* var = body_.vars.of_address(load.getPointerOperand());
      return (var && between.touched.writes.contains(const_cast<variable*>(var))) ||
             memory_.may_conflict(between.touched, own->touched);
    });
  }

  const plan& scope_;
  const plan& placed_;
  const code& body_;
  const LoopInfo& loops_;
  const memory_oracle& memory_;
  DenseMap<const variable*, unsigned> version_; // how often code that stays has written it so far
};

// All fetches of the scope go to the owner with the first one, also those that could be issued beside it.
void defer_further_fetches(plan& scope) {
  bool first = true;
  for (auto& part : scope.scope.units)
    if (part.fetch && !std::exchange(first, false)) part.deferred = true;
}

} // namespace

std::optional<owner_part> find_owner_part(const plan& deferred, const code& body,
                                          const SetVector<BasicBlock*>& region, const shape& structure,
                                          const memory_oracle& memory) {
  // Deferred code of other scopes may have moved since the plan was made, but none of this scope: no
  // outlining is repeated for a scope, so that its chain can be built again.
  owner_part part;
  part.scope.start = deferred.start;
  part.scope.scope = units_of_scope(deferred.start, region, structure, body.vars);
  defer_further_fetches(part.scope);
  find_deferred(part.scope, body, memory, reading::early);
  examiner found(part.scope, deferred, body, structure, memory);
  if (!found.fits()) return std::nullopt;
  part.read_before = std::move(found.read_before);
  part.read_straight = std::move(found.read_straight);
  return part;
}

} // namespace windrow::compiler::defer
