// SPDX-License-Identifier: BSD-3-Clause
#include "apps/kernels/kernel.hpp"

#include "windrow/error.hpp"

namespace windrow::apps {

namespace {

[[noreturn]] void refuse() {
  throw error("this kernel does not have this style: the kernels' table says which it has");
}

} // namespace

void kernel::in_style(kernel_style s) {
  switch (s) {
    case kernel_style::blocking:
      return run_blocking();
    case kernel_style::aggregated:
      return run_aggregated();
    case kernel_style::mailbox:
      return run_mailbox();
    case kernel_style::deferred:
      return run_deferred();
    case kernel_style::annotated:
      return run_annotated();
  }
}

void kernel::run_one_sided(windrow::style) {
  refuse();
}
void kernel::run_mailbox() {
  refuse();
}
void kernel::run_deferred() {
  refuse();
}
void kernel::run_annotated() {
  refuse();
}

} // namespace windrow::apps
