// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <random>
#include <vector>

#include "transport/forwarding.hpp"
#include "transport/remote_memory.hpp"

namespace windrow::transport {

/// Carries out direct operations as late as may be: what need not be complete when its call returns is held
/// back until it must be, and then carried out in random order (README.md). For tests of programs.
class adverse_memory final : public remote_memory {
 public:
  adverse_memory(std::unique_ptr<remote_memory> inner, std::uint64_t seed)
      : inner_(std::move(inner)), random_(seed) {}

  bool put(pe_t, std::uint64_t offset, const void* from, std::size_t bytes, until) override;
  bool get(pe_t, std::uint64_t offset, void* to, std::size_t bytes, until) override;
  std::uint64_t change(pe_t, std::uint64_t offset, const detail::atomic_change&) override;
  bool begin_change(pe_t, std::uint64_t offset, const detail::atomic_change&, void* before,
                    std::size_t bytes) override;
  bool change_many(pe_t, std::span<const detail::placed_change>) override;
  bool keeps_order() const override { return false; }
  void fence() override;
  bool complete() override;
  bool progress() override;

 private:
  enum class kind : std::uint8_t { put, get, change, changes };
  struct held {
    kind what;
    pe_t pe;
    std::uint64_t offset;
    const void* from;            ///< of a put whose source has yet to be read
    std::vector<std::byte> copy; ///< of any other put: its source; of changes: they
    void* to;                    ///< of a get or change, unless that is null
    std::size_t bytes;
    detail::atomic_change change;
  };

  void hold(held);
  void carry_out(const held&);
  void carry_out_all(pe_t, std::span<const std::byte> changes);
  void carry_out_one();
  void carry_out_fenced();
  void next_group();
  void disturb();

  std::unique_ptr<remote_memory> inner_;
  std::recursive_mutex mutex_;
  std::mt19937_64 random_;
  std::vector<held> held_;               ///< what may happen now
  std::vector<std::vector<held>> later_; ///< for each fence behind that, what may happen after it
  std::size_t held_bytes_ = 0;
  std::uint32_t looks_ = 0;
};

/// Another transport whose direct operations are those of `adverse_memory`.
class adverse_transport final : public forwarding_transport {
 public:
  adverse_transport(std::unique_ptr<transport> inner, std::uint64_t seed)
      : forwarding_transport(std::move(inner)), seed_(seed) {}

  bool is_plain() const override { return false; }
  bool shares_addresses() const override { return false; }
  std::unique_ptr<remote_memory> make_remote() override;

 private:
  std::uint64_t seed_;
};

/// `inner`, or what WINDROW_ADVERSARY makes of it.
std::unique_ptr<transport> with_adversary(std::unique_ptr<transport> inner);

} // namespace windrow::transport
