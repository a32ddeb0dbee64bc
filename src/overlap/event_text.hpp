// SPDX-License-Identifier: BSD-3-Clause
// An event as bytes: its action, which fields follow, its site, times, and these fields.
#pragma once

#include <string>

#include "overlap/recording.hpp"
#include "overlap/stream.hpp"

namespace windrow::overlap {

/// Bits of what follows, and of what an event is.
enum field : std::uint64_t {
  is_blocking = 1,
  is_atomic = 2,
  has_gaps = 4, ///< the local or remote memory: both then have blocks and strides
  has_peer = 8,
  has_context = 16,
  has_team = 32,
  has_local = 64,
  has_remote = 128,
  has_word = 256,
  is_implied = 512,
  is_floating = 1024,
  is_of_shared = 2048,
  is_shared = 4096,
  is_added = 8192,
  has_recorder = 16384
};

inline std::uint64_t fields_of(const event& one) {
  const auto bit = [](bool given, field which) { return given ? std::uint64_t{which} : 0; };
  return bit(one.blocking, is_blocking) | bit(one.atomic, is_atomic) |
         bit(one.local.has_gaps() || one.remote.has_gaps(), has_gaps) | bit(one.implied, is_implied) |
         bit(one.floating, is_floating) | bit(one.of_shared, is_of_shared) | bit(one.shared, is_shared) |
         bit(one.adds, is_added) | bit(one.peer != all_pes, has_peer) | bit(one.context != 0, has_context) |
         bit(one.team != 0, has_team) | bit(one.local.bytes != 0, has_local) |
         bit(one.remote.bytes != 0, has_remote) | bit(one.word.bytes != 0, has_word) |
         bit(one.recorder_ns != 0, has_recorder);
}

inline void append(std::string& to, const range& memory, bool with_gaps = false) {
  append(to, folded(memory.begin));
  append(to, memory.bytes);
  if (!with_gaps) return;
  append(to, memory.block);
  append(to, memory.stride);
}
inline range read_range(text_reader& in, bool with_gaps = false) {
  range memory;
  memory.begin = unfolded(in.number());
  memory.bytes = in.number();
  if (!with_gaps) return memory;
  memory.block = in.number();
  memory.stride = in.number();
  const bool whole = memory.block == 0 && memory.stride == 0;
  if (!whole && (memory.block == 0 || memory.block >= memory.stride || memory.bytes < memory.block))
    throw error("it has blocks that are none");
  return memory;
}

/// `last_ns` is the time of the event before, and becomes that of this one.
inline void append(std::string& to, const event& one, std::uint64_t& last_ns) {
  to += static_cast<char>(one.what);
  const auto fields = fields_of(one);
  append(to, fields);
  append(to, std::uint64_t{one.site});
  append(to, one.begin_ns - last_ns);
  append(to, one.end_ns - one.begin_ns);
  last_ns = one.begin_ns;
  if (fields & has_peer) append(to, static_cast<std::uint64_t>(one.peer));
  if (fields & has_context) append(to, std::uint64_t{one.context});
  if (fields & has_team) append(to, std::uint64_t{one.team});
  if (fields & has_local) append(to, one.local, (fields & has_gaps) != 0);
  if (fields & has_remote) append(to, one.remote, (fields & has_gaps) != 0);
  if (fields & has_word) append(to, one.word);
  if (fields & has_recorder) append(to, one.recorder_ns);
}

inline event read_event_text(text_reader& in, action what, std::uint64_t& last_ns) {
  event one;
  one.what = what;
  const auto fields = in.number();
  one.blocking = (fields & is_blocking) != 0;
  one.atomic = (fields & is_atomic) != 0;
  one.implied = (fields & is_implied) != 0;
  one.floating = (fields & is_floating) != 0;
  one.of_shared = (fields & is_of_shared) != 0;
  one.shared = (fields & is_shared) != 0;
  one.adds = (fields & is_added) != 0;
  one.site = static_cast<std::uint32_t>(in.number());
  one.begin_ns = last_ns += in.number();
  one.end_ns = one.begin_ns + in.number();
  if (fields & has_peer) one.peer = static_cast<int>(in.number());
  if (fields & has_context) one.context = static_cast<std::uint32_t>(in.number());
  if (fields & has_team) one.team = static_cast<std::uint32_t>(in.number());
  if (fields & has_local) one.local = read_range(in, (fields & has_gaps) != 0);
  if (fields & has_remote) one.remote = read_range(in, (fields & has_gaps) != 0);
  if (fields & has_word) one.word = read_range(in);
  if (fields & has_recorder) one.recorder_ns = in.number();
  return one;
}

} // namespace windrow::overlap
