// SPDX-License-Identifier: BSD-3-Clause
// Which units of a scope are deferred: the smallest set that holds every unit which
//  - uses a fetched value, or a value computed by a deferred unit;
//  - touches a variable that deferred code writes;
//  - stands behind deferred code and may conflict with it in other memory;
// and the reads that only deferred code uses: statements are deferred as a whole, or a[i] = a[i] + fetched
// would lose updates.
#include "compiler/common/analysis/footprints.hpp"
#include "compiler/common/api/calls.hpp"
#include "compiler/defer/plan/context.hpp"
#include "compiler/defer/plan/hazards.hpp"
#include "compiler/defer/plan/plan.hpp"

namespace windrow::compiler::defer {

namespace {

constexpr unsigned deepest_computation = 8;

class slicer {
 public:
  slicer(plan& scope, const code& body, const memory_oracle& memory, reading reads)
      : units_(scope.scope.units),
        body_(body),
        memory_(memory),
        reads_(reads),
        compared_(units_.size()),
        first_late_(units_.size()) {
    for (size_t at = 0; at < units_.size(); ++at) {
      if (units_[at].fetch) late_.insert(units_[at].instruction);
      if (units_[at].deferred) deferred_.push_back(at);
      if (units_[at].fetch || units_[at].deferred) first_late_ = std::min(first_late_, at);
    }
    written_.insert(scope.seeds.begin(), scope.seeds.end());
    for (const auto& part : units_)
      part.for_each([&, &found = updates_.emplace_back()](const Instruction& instruction) {
        if (is_unordered_update(callee_name(instruction))) found.push_back(&instruction);
      });
    for (const auto& handle : body.writers)
      if (const auto* writer = dyn_cast_or_null<Instruction>(static_cast<Value*>(handle)))
        writers_.push_back(writer);
  }

  void run() {
    while (defer_dependent() || (reads_ == reading::late && defer_reads_of_deferred())) {
    }
  }

 private:
  bool defer_dependent() {
    bool changed = false;
    for (size_t at = 0; at < units_.size(); ++at)
      if (!units_[at].deferred && depends(at)) {
        defer(at);
        changed = true;
      }
    return changed;
  }

  void defer(size_t at) {
    auto& part = units_[at];
    mark(at);
    part.for_each([&](Instruction& instruction) { late_.insert(&instruction); });
    if (body_.switches->hold("written-locals"))
      written_.insert(part.touched.writes.begin(), part.touched.writes.end());
  }

  void mark(size_t at) {
    units_[at].deferred = true;
    deferred_.push_back(at);
    first_late_ = std::min(first_late_, at);
  }

  bool depends(size_t at) {
    const auto& part = units_[at];
    return uses_late_value(part) || touches_written(part) || conflicts(at);
  }

  bool uses_late_value(const unit& part) const {
    bool result = false;
    part.for_each([&](const Instruction& instruction) {
      result |=
          any_of(instruction.operands(), [&](const Use& operand) { return late_.contains(operand.get()); });
    });
    return result;
  }

  bool touches_written(const unit& part) const {
    return any_of(written_, [&](variable* var) { return part.touched.touch(var); });
  }

  // In other memory. Each two units are compared once, but for what the first deferred unit changes.
  bool conflicts(size_t at) {
    auto& [compared, out_of_order] = compared_[at];
    if (!out_of_order && fetches_out_of_order(at)) compared = 0, out_of_order = true;
    while (compared < deferred_.size())
      if (conflicts(deferred_[compared++], at, out_of_order)) return true;
    return false;
  }

  // Deferred code further down meets this unit in the next round of a loop: that they do not touch the same
  // is the programmer's promise, and only what is provable is seen here.
  bool conflicts(size_t deferred, size_t at, bool out_of_order) const {
    const auto &first = units_[deferred].touched, &second = units_[at].touched;
    if ((deferred < at || out_of_order) &&
        (memory_.may_conflict(first, second) || update_in_order(deferred, at)))
      return true;
    return deferred > at && must_alias_ && memory_.must_conflict(first, second);
  }

  // Updates of one place, where nothing else keeps them in order: on a context that does not aggregate.
  bool update_in_order(size_t one, size_t other) const {
    return any_of(updates_[one], [&](const Instruction* first) {
      return any_of(updates_[other],
                    [&](const Instruction* second) { return keep_order(*first, *second, *body_.known); });
    });
  }

  // A condition or loop with fetches of its own that stands behind the first fetch opens its records after
  // ours, so that they run after ours, and ours hold code that stands behind it.
  bool fetches_out_of_order(size_t at) const {
    return units_[at].compound() && units_[at].fetches && first_late_ < at;
  }

  bool defer_reads_of_deferred() {
    bool changed = false;
    for (size_t at = 0; at < units_.size(); ++at) {
      auto& part = units_[at];
      if (part.deferred || part.compound() || part.fetch || part.instruction->use_empty()) continue;
      if (!can_be_read_later(at) || !only_deferred_code_uses(*part.instruction)) continue;
      mark(at);
      changed = true;
      late_.insert(part.instruction);
    }
    return changed;
  }

  bool can_be_read_later(size_t at) const {
    const auto& instruction = *units_[at].instruction;
    if (isa<CastInst>(instruction)) return true; // the narrower value is captured
    if (computes_from_written(instruction)) return true;
    if (isa<GetElementPtrInst>(instruction)) return body_.vars.of_address(&instruction);
    const auto* load = dyn_cast<LoadInst>(&instruction);
    if (!load || load->isVolatile() || load->isAtomic()) return false;
    if (const auto* var = body_.vars.of_address(load->getPointerOperand()))
      return !var->escapes || written_by_deferred(*load); // others may use it later
    if (!body_.switches->hold("whole-statements")) return false;
    return !body_.switches->hold("early-reads") || !overwritten(*load) || written_by_deferred(*load);
  }

  // What is written is to be read behind what earlier records write: 3 * a[i] in a[i] = 3 * a[i] + fetched.
  bool computes_from_written(const Instruction& instruction, unsigned steps = 0) const {
    if (steps == deepest_computation || !computes(instruction)) return false;
    return any_of(instruction.operand_values(), [&](const Value* operand) {
      const auto* inner = dyn_cast<Instruction>(operand);
      if (!inner || inner->getParent() != instruction.getParent()) return false;
      const auto* load = dyn_cast<LoadInst>(inner);
      return load ? load->isSimple() && !body_.vars.of_address(load->getPointerOperand()) &&
                        written_by_deferred(*load)
                  : computes_from_written(*inner, steps + 1);
    });
  }

  // By code of the region that stays: then it is read as early as it is written.
  bool overwritten(const LoadInst& load) const {
    return any_of(writers_, [&](const Instruction* writer) {
      return !late_.contains(writer) && writes_what_is_read(*writer, load);
    });
  }

  bool writes_what_is_read(const Instruction& writer, const LoadInst& load) const {
    const auto &written = body_.known->of(writer).accesses, &read = body_.known->of(load).accesses;
    return any_of(written, [&](const access& one) {
      return one.writes && any_of(read, [&](const access& other) {
               return may_meet(one.where, one.bytes, other.where, other.bytes);
             });
    });
  }

  // Then reading early would lose what earlier deferred code writes: what overwrites it behind has to be
  // deferred too.
  bool written_by_deferred(const LoadInst& load) const {
    return any_of(writers_, [&](const Instruction* writer) {
      return late_.contains(writer) && writes_what_is_read(*writer, load);
    });
  }

  bool only_deferred_code_uses(const Instruction& instruction) const {
    return all_of(instruction.users(),
                  [&](const User* user) { return late_.contains(user) && !is_issued_fetch(user); });
  }

  bool is_issued_fetch(const User* user) const {
    return any_of(units_,
                  [&](const unit& part) { return part.fetch && !part.deferred && part.instruction == user; });
  }

  struct comparison {
    size_t compared = 0; // with so many of the deferred units
    bool out_of_order = false;
  };

  std::vector<unit>& units_;
  const code& body_;
  const memory_oracle& memory_;
  reading reads_;
  SmallPtrSet<const Value*, 32> late_;                      // values that exist in the callback only
  SmallPtrSet<variable*, 8> written_;                       // by deferred code
  SmallVector<const Instruction*, 16> writers_;             // of memory, in the region
  std::vector<SmallVector<const Instruction*, 2>> updates_; // of each unit
  std::vector<comparison> compared_;                        // each unit
  std::vector<size_t> deferred_;                            // units, in the order in which they were
  size_t first_late_;                                       // unit: a fetch, or deferred
  const bool must_alias_ = body_.switches->hold("must-alias");
};

} // namespace

void find_deferred(plan& scope, const code& body, const memory_oracle& memory, reading reads) {
  slicer(scope, body, memory, reads).run();
  for (auto& part : scope.scope.units) {
    if (part.deferred) {
      part.for_each([&](Instruction& instruction) { scope.deferred.insert(&instruction); });
      scope.reads.insert(part.touched.reads.begin(), part.touched.reads.end());
      scope.writes.insert(part.touched.writes.begin(), part.touched.writes.end());
    } else if (part.fetch)
      scope.fetches.push_back(cast<CallInst>(part.instruction));
  }
}

} // namespace windrow::compiler::defer
