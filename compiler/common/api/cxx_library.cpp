// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/common/api/cxx_library.hpp"

#include <llvm/ADT/StringSet.h>

namespace windrow::compiler {

namespace {

const StringSet<> about_exceptions{"__cxa_begin_catch",        "__cxa_end_catch",
                                   "__cxa_allocate_exception", "__cxa_free_exception",
                                   "__cxa_get_exception_ptr",  "_ZSt18uncaught_exceptionv"};

// Allocators, members of strings, nodes of trees and lists, sizes of hash tables, hashes, what().
constexpr StringRef on_arguments[] = {"_ZNSaI",
                                      "_ZNSt7__cxx1112basic_stringI",
                                      "_ZNKSt7__cxx1112basic_stringI",
                                      "_ZSt18_Rb_tree_increment",
                                      "_ZSt18_Rb_tree_decrement",
                                      "_ZSt29_Rb_tree_insert_and_rebalance",
                                      "_ZSt28_Rb_tree_rebalance_for_erase",
                                      "_ZNSt8__detail15_List_node_base",
                                      "_ZNKSt8__detail20_Prime_rehash_policy",
                                      "_ZNSt8__detail20_Prime_rehash_policy",
                                      "_ZSt11_Hash_bytes",
                                      "_ZNSt13runtime_error",
                                      "_ZNSt11logic_error",
                                      "_ZNSt12out_of_range",
                                      "_ZNSt16invalid_argument",
                                      "_ZNSt12domain_error",
                                      "_ZNSt12length_error",
                                      "_ZNSt11range_error",
                                      "_ZNSt14overflow_error",
                                      "_ZNKSt9exception"};

} // namespace

cxx_effect effect_of_cxx_function(StringRef name) {
  if (about_exceptions.contains(name)) return cxx_effect::none;
  const bool known = any_of(on_arguments, [&](StringRef begin) { return name.starts_with(begin); });
  return known ? cxx_effect::arguments : cxx_effect::unknown;
}

} // namespace windrow::compiler
