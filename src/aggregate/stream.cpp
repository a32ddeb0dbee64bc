// SPDX-License-Identifier: BSD-3-Clause
#include "windrow/stream.hpp"

#include "aggregate/engine.hpp"

namespace windrow::detail {

namespace {

void apply_batch(aggregation::run_header& run, const aggregation::work& w, void* stream) {
  static_cast<stream_base*>(stream)->handle(run.items(), run.count, w.from);
}

aggregation::kind_entry entry_of(stream_base* stream, std::size_t item_bytes) {
  return {.apply = apply_batch, .object = stream, .item_bytes = static_cast<std::uint32_t>(item_bytes)};
}

} // namespace

stream_base::stream_base(job& j, std::size_t item_bytes)
    : job_(j),
      lanes_(j.engine()),
      kind_(j.engine().add_kind(entry_of(this, item_bytes))),
      number_(j.engine().next_number()) {}

// Nobody may send before everybody can handle.
void stream_base::open() {
  job_.barrier();
}

void stream_base::close() {
  complete();
  job_.engine().remove_kind(kind_);
}

void stream_base::complete() {
  job_.engine().quiesce(job_.world(), {transport::wait_kind::quiet_stream, -1, number_});
}

} // namespace windrow::detail
