// SPDX-License-Identifier: BSD-3-Clause
// What can see, other than by the same memory, that deferred code has not run yet: other contexts, other PEs,
// readers of the output.
#include "compiler/common/analysis/footprints.hpp"
#include "compiler/defer/plan/context.hpp"
#include "compiler/defer/plan/hazards.hpp"

namespace windrow::compiler::defer {

bool same_context(const footprint& one, const footprint& other) {
  return one.context.size() == 1 && one.context == other.context && is_exact(one.context.front().object) &&
         one.context.front().offset;
}

// What may see any deferred code; empty if it does not.
std::string hazards::seen_by(const plan& one, const Instruction& instruction) const {
  const auto& print = body_.known->of(instruction);
  const auto* call = dyn_cast<CallBase>(&instruction);
  if (print.leaves && body_.switches->hold("calls"))
    return told_callee(instruction) + " may leave by " + print.unknown;
  if (!print.unknown.empty() && body_.switches->hold("calls"))
    return print.unknown + " may see what is deferred";
  if (print.frees && body_.switches->hold("calls")) return "memory is freed";
  if (body_.switches->hold("output") && is_seen_behind(one, print))
    return "output and other effects outside of memory keep their order";
  if (!body_.switches->hold("contexts") || one.fetches.empty() || is_contained(one.fetches, &instruction))
    return "";
  const bool operates =
      call && (body_.switches->hold("strided") ? access_of(*call).has_value() : is_operation(*call));
  if (print.default_context || (operates && is_on_other_context(one, print)))
    return "an operation on another context";
  return "";
}

bool hazards::is_seen_behind(const plan& one, const footprint& print) const {
  return any_of(one.deferred, [&](const Instruction* deferred) {
    return are_seen_in_order(body_.known->of(*deferred), print);
  });
}

// Or perhaps on another one: the other is an operation.
bool hazards::is_on_other_context(const plan& one, const footprint& print) const {
  if (!body_.switches->hold("contexts") || one.fetches.empty()) return false;
  const auto& fetch = *one.fetches.front();
  return !same_context(body_.known->of(fetch), print) || may_change(*print.context.front().object, fetch);
}

// Kept in memory, where the function stores another one behind the fetch.
bool hazards::may_change(const origin& context, const Instruction& fetch) const {
  if (!context.parent) return false;
  const auto [known, fresh] = context_stores_.try_emplace(&context);
  if (fresh) {
    const location holder{context.parent, context.offset};
    for (const auto& one : instructions(*body_.function))
      if (may_store_context(one, holder, body_.known->of(one))) known->second.push_back(&one);
  }
  return any_of(known->second, [&](const Instruction* one) { return reaches(fetch, *one); });
}

// Memory that other PEs may know.
bool hazards::touches_shared(const Instruction& pending) const {
  return !is_operation(pending) && any_of(body_.known->of(pending).accesses, [&](const access& one) {
    const auto& object = *one.where.object;
    const auto* call = dyn_cast_or_null<CallBase>(object.root);
    return object.parent ||
           !(isa_and_nonnull<AllocaInst>(object.root) ||
             (call && body_.known->pointers().allocates(*call) && !callee_name(*call).starts_with("shmem_")));
  });
}

// Any update on the same context may be a flag: what waits for it counts on what this PE has read, or
// written.
bool hazards::tells_others(const plan& one, const Instruction& instruction) const {
  const auto access = access_of(instruction);
  const bool strided = access && (*access)->takes(role::remote_stride);
  const bool updates =
      access && (*access)->does != verb::read && (!strided || body_.switches->hold("strided"));
  return updates && body_.switches->hold("contexts") &&
         (!one.fetches.empty() ||
          any_of(one.deferred, [&](const Instruction* pending) { return touches_shared(*pending); }));
}

std::string hazards::seen_by_earlier(const transformed& region) const {
  const auto any_active = [&](auto test) {
    return any_of(plans_, [&](const plan* one) { return one->active() && test(*one); });
  };
  const auto on_another = [&](const plan& one) {
    return any_of(region.fetches, [&](const transformed::operation& fetch) {
      return is_on_other_context(one, *fetch.print);
    });
  };
  if (any_active(on_another)) return "an earlier statement, on another context, is come to again";
  const auto meets_it = [&](const plan& one) { return meets_earlier(one, region); };
  return body_.switches->hold("origins") && any_active(meets_it)
             ? "an earlier statement with a directive uses the same memory when it is come to again"
             : "";
}

} // namespace windrow::compiler::defer
