// SPDX-License-Identifier: BSD-3-Clause
#include <memory>

#include "apps/kernels/triangles_chunked/parts.hpp"
#include "apps/kernels/triangles_chunked/triangles_chunked.hpp"
#include "windrow/mailbox.hpp"

namespace windrow::apps {

namespace {

constexpr std::size_t probes_per_message = 624; ///< as published: just below 10 kB

} // namespace

void triangles_chunked::run_mailbox() {
  mailbox<probes> messages(job_, [&](probes chunk) {
    if (tasks_ == message_tasks::escape)
      handle_escaping(chunk);
    else
      handle(chunk);
  });
  messages.run([&] {
    std::vector<std::vector<probe>> chunks(static_cast<std::size_t>(job_.pes()));
    const auto send = [&](pe_t to, std::vector<probe>& chunk) {
      messages.send(to, chunk);
      chunk.clear();
    };
    for (const auto& e : outgoing_edges(upper_)) {
      const auto owner = upper_.owner(e.v);
      const auto row = upper_.local_index(e.v);
      auto& chunk = chunks[static_cast<std::size_t>(owner)];
      for (const auto w : e.after_v) {
        chunk.push_back({row, w});
        if (chunk.size() == probes_per_message) send(owner, chunk);
      }
    }
    for (pe_t pe = 0; pe < job_.pes(); ++pe) send(pe, chunks[static_cast<std::size_t>(pe)]);
  });
}

void triangles_chunked::handle(probes chunk) {
  finish([&] { share_among_workers(chunk, [this](probes part) { test(part); }); });
}

// The chunk is only there while it is handled, so its tasks have a copy.
void triangles_chunked::handle_escaping(probes chunk) {
  const auto copy = std::make_shared<const std::vector<probe>>(chunk.begin(), chunk.end());
  share_among_workers(probes(*copy), [this, copy](probes part) { test(part); });
}

void triangles_chunked::test(probes part) {
  found_.fetch_add(found_by(part, upper_), std::memory_order_relaxed);
}

} // namespace windrow::apps
