// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "transport/remote_memory.hpp"
#include "windrow/stats.hpp"

namespace windrow::transport {

/// Reads that a program repeats whenever it comes to the same place: those that followed a synchronisation
/// are made when that ends the next time, together, before they are asked for. README.md has the rules.
/// After Iancu's and Barton's prefetching by communication history. One thread at a time.
class reads_ahead {
 public:
  struct place {
    pe_t pe;
    std::uint64_t offset;
    std::size_t bytes;
    friend auto operator<=>(const place&, const place&) = default;
  };

  explicit reads_ahead(remote_memory& inner) : inner_(inner) {}

  /// A phase begins behind the synchronisation that was called at `site`. True: there are reads to make.
  bool begin_phase(const void* site, counters&);
  /// Makes the next of them, at first those that come first.
  void read();
  /// What was there when it was read ahead; false if that was not done, or counts no more.
  bool take(const place&, void* to, counters&);
  /// What a read has given that was made when it was asked for. `again`: it may be made ahead the next time.
  void note(const place&, const void* value, bool again, counters&);
  /// Other PEs may have written since: nothing that was read before counts any more in this phase.
  void end(counters&);
  /// This PE writes here.
  void written(pe_t, std::uint64_t offset, std::size_t bytes);

 private:
  /// One that this phase has made before, and makes ahead now.
  struct planned {
    place where;
    std::size_t at; ///< in `values_`
    bool counts = true;
  };
  /// What was read behind a site, the last time.
  struct phase {
    std::vector<place> reads;
    /// After reads ahead that were of no use, none are made the next `skips` times; `penalty`, the next
    /// number of these, doubles with each failure.
    std::uint32_t skips = 0, penalty = 0;
  };
  struct hash_of_place {
    std::size_t operator()(const place& p) const;
  };

  void remember();
  void judge();
  void plan(const std::vector<place>& places);
  planned* find(const place&);
  void complete(counters&);

  remote_memory& inner_;
  std::unordered_map<const void*, phase> phases_; ///< by site

  const void* site_ = nullptr;
  bool open_ = false; ///< what is read is remembered
  std::vector<place> order_;
  std::size_t bytes_ = 0;                                        ///< of those
  std::unordered_map<place, std::uint64_t, hash_of_place> made_; ///< in this phase; what each gave, as a hash

  std::vector<planned> planned_;        ///< in the order in which they were made
  std::vector<std::uint32_t> by_place_; ///< numbers of those, sorted by place
  std::vector<std::byte> values_;
  std::size_t longest_ = 0;         ///< bytes of one
  std::size_t sent_ = 0, here_ = 0; ///< so many of them
  std::size_t left_ = 0;            ///< that count and were not asked for
  std::size_t taken_ = 0;           ///< that were asked for
  bool under_way_ = false;
};

} // namespace windrow::transport
