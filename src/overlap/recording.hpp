// SPDX-License-Identifier: BSD-3-Clause
// What a run did, as far as it matters for overlap: the events of each PE, in the order of its program.
// README.md has the format of the file.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace windrow::overlap {

/// What an event is. The numbers are those of the file.
enum class action : std::uint8_t {
  put,        ///< reads `local`, writes `remote` of `peer`
  get,        ///< reads `remote` of `peer`, writes `local`
  update,     ///< changes `remote` of `peer` as one step; writes `local` if it has bytes
  put_signal, ///< a put that also changes the word `word` of `peer`, in this order
  fence,
  quiet,      ///< completes what its context has begun
  barrier,    ///< the same, and waits for the members
  collective, ///< waits for the members and completes nothing; reads `local`, writes `remote`, both this PE's
  notify,     ///< tells others by the word `remote` after all that was before is complete: a lock is freed
  wait,       ///< waits until others have written `remote`, which is this PE's, or holds a lock
  test,       ///< looks whether they have
  load,       ///< of `local`; store: likewise; `peer` may have it
  store,
  end_of_life, ///< `local` is freed, or its function returns
  unknown_code ///< may use all memory and make any call
};
inline constexpr int actions = static_cast<int>(action::unknown_code) + 1;
const char* name_of(action);

/// Memory of one PE. A symmetric object has the same `begin` in all of them, `first_symmetric` + its offset;
/// other memory is at its address. With a stride it is blocks, the first one at `begin` and the last one up
/// to `end`, and not what lies between them.
struct range {
  std::uint64_t begin = 0, bytes = 0;
  std::uint64_t block = 0, stride = 0; ///< in bytes, block < stride; both 0: all bytes from `begin` to `end`

  std::uint64_t end() const { return begin + bytes; }
  bool has_gaps() const { return stride != 0; }
  std::uint64_t block_bytes() const { return has_gaps() ? block : bytes; }
  std::uint64_t blocks() const { return has_gaps() ? (bytes - block) / stride + 1 : 1; }
  /// Without the gaps.
  std::uint64_t bytes_used() const { return blocks() * block_bytes(); }
  /// Whether some byte is in both.
  bool meets(const range& other) const {
    if (begin >= other.end() || other.begin >= end()) return false;
    if (!has_gaps()) return other.has_block_in(begin, end());
    if (other.blocks() < blocks()) return other.meets(*this);
    for (auto at = begin; at < end(); at += stride)
      if (other.has_block_in(at, at + block)) return true;
    return false;
  }
  bool operator==(const range&) const = default;

 private:
  bool has_block_in(std::uint64_t from, std::uint64_t to) const {
    if (begin >= to || from >= end()) return false;
    if (!has_gaps() || begin + block > from) return true;
    const auto behind = (from - begin - block) / stride + 1; // the first block that ends behind `from`
    return behind < blocks() && begin + behind * stride < to;
  }
};
inline constexpr std::uint64_t first_symmetric = std::uint64_t{1} << 63;
inline bool is_symmetric(const range& memory) {
  return memory.begin >= first_symmetric;
}

/// What PEs can wait for is no longer, in bytes.
inline constexpr std::uint64_t longest_word = 16;

/// Stands for every PE, and for the owner of a lock, which is no PE.
inline constexpr int all_pes = -1;

struct event {
  action what = action::load;
  bool blocking = false;  ///< the call returns when its local memory may be used again
  bool atomic = false;    ///< as are all updates
  bool implied = false;   ///< a barrier or quiet that is part of a routine which does more
  bool floating = false;  ///< an atomic operation on a floating-point number: those of another type are not
                          ///< atomic to it
  bool adds = false;      ///< and returns nothing: what several do is the same in any order
  bool of_shared = false; ///< its context is of SHMEM_TEAM_SHARED or a part of that: the same
  bool shared = false;    ///< a store that is volatile or atomic: others may wait for it
  std::uint32_t site = 0;
  int peer = all_pes; ///< of a load or store: whose memory a pointer has reached, if it is another PE's; of
                      ///< unknown code: this PE itself if it uses no symmetric memory
  std::uint32_t context = 0; ///< 0: the default one
  std::uint32_t team = 0;    ///< of barriers and collectives: index of recording::teams
  range local, remote;
  range word; ///< of a put with signal; of a wait for several words, or a test of them, the first one; of a
              ///< barrier of an active set the first one of its work array
  std::uint64_t begin_ns = 0, end_ns = 0;
  std::uint64_t recorder_ns = 0; ///< of the time since the event before: what the recorder took behind that
};

/// One place in the source, and the function that it stands in.
struct frame {
  std::string file, function;
  int line = 0, column = 0;
  std::uint64_t hash = 0; ///< of the function's text; 0 if it is not known
  auto operator<=>(const frame&) const = default;
};
/// The innermost frame first: what follows is what it was inlined into.
using site = std::vector<frame>;
/// "app.c:14:5", "app.c:main()" for code that the optimiser has made of several places, or "unknown" for code
/// without debug information.
std::string place_of(const site&);

struct pe_events {
  std::vector<event> events;
  bool ended = false; ///< the PE has recorded its end; else it was killed, or the recording is cut off
};

struct recording {
  bool all_accesses = false;           ///< loads and stores of symmetric memory too, not just first conflicts
  std::vector<site> sites;             ///< the first one is unknown
  std::vector<std::vector<int>> teams; ///< members; the first one has all PEs
  std::vector<pe_events> pes;
};

/// Reads a file that a recorded run has written. Throws windrow::error with one sentence for a file that is
/// none, that another version has written, or that is damaged. A file that is cut off is read as far as it
/// goes: the PEs concerned have not `ended`.
recording read_recording(const std::string& file);

} // namespace windrow::overlap
