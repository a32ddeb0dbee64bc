// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/pass/calls.hpp"
#include "compiler/pass/context.hpp"
#include "compiler/pass/fusion.hpp"

namespace windrow::defer {

namespace {

constexpr size_t most_captures = 16; // of at most 16 bytes: no more may travel

class examiner {
 public:
  examiner(const plan& scope, const plan& deferred, const code& body, const memory_oracle& memory)
      : scope_(scope), placed_(deferred), body_(body), memory_(memory) {}

  bool fits() const {
    if (scope_.fetches.size() != 1 || !touches_private_only() || captures() > most_captures) return false;
    bool updates = false;
    for (const auto& part : scope_.scope.units) {
      if (!part.deferred) continue;
      if (part.compound() || !fits(*part.instruction)) return false;
      updates |= isa<CallInst>(part.instruction);
    }
    return updates;
  }

 private:
  const CallInst& fetch() const { return *scope_.fetches.front(); }

  size_t captures() const {
    SmallPtrSet<const Value*, 16> captured;
    for (const auto* instruction : scope_.deferred)
      for (const auto* operand : instruction->operand_values())
        if (isa<Argument, Instruction>(operand) && !scope_.deferred.contains(dyn_cast<Instruction>(operand)))
          captured.insert(operand);
    return captured.size();
  }

  bool touches_private_only() const {
    auto is_private = [&](variable* var) { return placed_.in_private.contains(var); };
    return all_of(scope_.reads, is_private) && all_of(scope_.writes, is_private);
  }

  bool fits(const Instruction& instruction) const {
    if (const auto* call = dyn_cast<CallInst>(&instruction)) return fits_update(*call);
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
    return !type->isPointerTy() && body_.vars.of_address(getLoadStorePointerOperand(&instruction));
  }

  // The base of an address computation on a symmetric object (or on one of our own variables).
  static bool is_base(const Use& operand) {
    const auto* address = dyn_cast<GetElementPtrInst>(operand.getUser());
    if (!address || operand.getOperandNo() != 0) return false;
    const auto* global = dyn_cast<GlobalVariable>(operand.get());
    return global ? !global->isThreadLocal() : !isa<Constant>(operand.get());
  }

  bool fits_update(const CallInst& call) const {
    if (!is_scalar_update(call) || isa<Constant>(call.getArgOperand(1))) return false;
    const auto* pe = call.getArgOperand(call.arg_size() - 1);
    return is_same(call.getArgOperand(0), fetch().getArgOperand(0)) &&
           is_same(pe, fetch().getArgOperand(fetch().arg_size() - 1));
  }

  // The same value in both places: computed alike, and nothing that it is computed from changes in between.
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
    auto is_load = [&](const unit& part) { return is_contained(loads, part.instruction); };
    if (count_if(units, is_load) !=
        static_cast<std::ptrdiff_t>(SmallPtrSet<const LoadInst*, 8>(loads.begin(), loads.end()).size()))
      return false; // one is outside of this scope
    const auto first = find_if(units, is_load);
    const auto last = std::find_if(units.rbegin(), units.rend(), is_load).base();
    const auto own = find_if(units, [&](const unit& part) { return part.instruction == &load; });
    return std::none_of(first, last, [&](const unit& between) {
      const auto* var = body_.vars.of_address(load.getPointerOperand());
      return (var && between.touched.writes.contains(const_cast<variable*>(var))) ||
             memory_.may_conflict(between.touched, own->touched);
    });
  }

  const plan& scope_;
  const plan& placed_;
  const code& body_;
  const memory_oracle& memory_;
};

} // namespace

std::optional<owner_part> find_owner_part(const plan& deferred, const code& body,
                                          const SetVector<BasicBlock*>& region, const shape& structure,
                                          const memory_oracle& memory) {
  // Deferred code of other scopes may have moved since the plan was made, but none of this scope: no
  // outlining is repeated for a scope, so that its chain can be built again.
  owner_part part;
  part.scope.start = deferred.start;
  part.scope.scope = units_of_scope(deferred.start, region, structure, body.vars);
  find_deferred(part.scope, body, memory, reading::early);
  if (!examiner(part.scope, deferred, body, memory).fits()) return std::nullopt;
  return part;
}

} // namespace windrow::defer
