// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/common/analysis/library_memory.hpp"

namespace windrow::compiler {

namespace {

constexpr unsigned most_callers = 4; // one above the other

class given_objects {
 public:
  given_objects(const Function& to_know, origins& pointers) : to_know_(to_know), pointers_(pointers) {}

  void look_at_calls(const Function& function, const keeping_function& kept) {
    for (const auto* user : function.users()) {
      const auto* call = dyn_cast<CallBase>(user);
      if (!call || call->getCalledOperand() != &function)
        found.insert(pointers_.any_object());
      else
        for (unsigned i = kept.first; i < kept.first + kept.number && i < call->arg_size(); ++i)
          look_at_argument(*call, i, kept.behind);
    }
  }

  SmallSetVector<const origin*, 4> found;

 private:
  void look_at_argument(const CallBase& call, unsigned at, bool behind) {
    for (const auto& one : pointers_.of(*call.getArgOperand(at))) {
      add(one, *call.getFunction(), most_callers);
      if (behind) add({pointers_.behind(one), std::nullopt}, *call.getFunction(), most_callers);
    }
  }

  void add(const location& one, const Function& where, unsigned callers) {
    if (&where == &to_know_ || isa_and_nonnull<GlobalValue>(one.object->root)) found.insert(one.object);
    if (callers == 0 || !isa_and_nonnull<Argument>(one.object->root)) return;
    for (const auto* user : where.users())
      if (const auto* call = dyn_cast<CallBase>(user); call && call->getCalledOperand() == &where)
        for (const auto& given : pointers_.in_caller(one, *call))
          add(given, *call->getFunction(), callers - 1);
  }

  const Function& to_know_;
  origins& pointers_;
};

} // namespace

bool library_calls_back(const Module& module) {
  return any_of(module, [](const Function& function) {
    return makes_library_call_back(function.getName()) && !function.use_empty();
  });
}

SmallSetVector<const origin*, 4> library_memory_known_in(const Function& function, origins& pointers) {
  given_objects given(function, pointers);
  for (const auto& kept : keeping_functions())
    if (const auto* keeping = function.getParent()->getFunction(kept.name))
      given.look_at_calls(*keeping, kept);
  return given.found;
}

} // namespace windrow::compiler
