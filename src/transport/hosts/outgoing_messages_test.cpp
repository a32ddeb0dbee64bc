// SPDX-License-Identifier: BSD-3-Clause
#include "transport/hosts/outgoing_messages.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace windrow::transport {
namespace {

/// Notes what is sent, and completes it when told to.
class noting_network final : public network {
 public:
  int rank() const override { return 0; }
  int size() const override { return 2; }
  void allgather(const void*, std::size_t, void*) override {}
  void listen(std::size_t, int) override {}
  message receive() override { return {nullptr, 0, 0}; }
  int send(int, const std::byte*, std::size_t bytes) override {
    sent.push_back(bytes);
    return static_cast<int>(sent.size()) - 1;
  }
  bool is_sent(int number) override { return number < completed; }
  void take_leave() override {}

  std::vector<std::size_t> sent; ///< bytes of each message
  int completed = 0;
};

class outgoing : public testing::Test {
 protected:
  static constexpr std::size_t block_payload = 16 * 1024 - 32;

  void append(record_kind kind, std::size_t bytes = 0) {
    auto r = to_pe(kind, 0, 1);
    r.bytes = static_cast<std::uint32_t>(bytes);
    std::fill_n(outgoing_.append(r), bytes, std::byte{0});
  }

  noting_network net_;
  outgoing_messages outgoing_{net_, 1};
};

TEST_F(outgoing, a_message_that_is_full_leaves_without_the_next_block) {
  for (int i = 0; i < 3; ++i) append(record_kind::block, block_payload);
  outgoing_.send(false);
  EXPECT_TRUE(net_.sent.empty());
  append(record_kind::block, block_payload);
  outgoing_.send(false);
  EXPECT_EQ(net_.sent, std::vector<std::size_t>{4 * (block_payload + wire_bytes(record_kind::block))});
}

TEST_F(outgoing, blocks_wait_for_more_unless_all_is_to_leave) {
  append(record_kind::block, 100);
  outgoing_.send(false);
  EXPECT_TRUE(net_.sent.empty());
  outgoing_.send(true);
  EXPECT_EQ(net_.sent.size(), 1U);
}

TEST_F(outgoing, blocks_wait_while_a_message_is_under_way) {
  append(record_kind::get);
  append(record_kind::block, 100);
  outgoing_.send(true);
  append(record_kind::block, 100);
  outgoing_.send(true);
  EXPECT_EQ(net_.sent.size(), 1U);
  net_.completed = 1;
  outgoing_.send(true);
  EXPECT_EQ(net_.sent.size(), 2U);
}

TEST_F(outgoing, a_request_takes_the_blocks_before_it_along) {
  append(record_kind::block, 96);
  append(record_kind::get);
  outgoing_.send(false);
  EXPECT_EQ(net_.sent,
            std::vector<std::size_t>{96 + wire_bytes(record_kind::block) + wire_bytes(record_kind::get)});
}

TEST_F(outgoing, so_many_messages_are_under_way_and_the_next_one_leaves_when_one_has_arrived) {
  for (int i = 0; i < 12; ++i) {
    append(record_kind::get);
    outgoing_.send(false);
  }
  EXPECT_EQ(net_.sent.size(), 8U);
  EXPECT_FALSE(outgoing_.is_empty());
  net_.completed = 1;
  outgoing_.send(false);
  EXPECT_EQ(net_.sent.size(), 9U); // with all four requests that waited
  EXPECT_EQ(net_.sent.back(), 4 * wire_bytes(record_kind::get));
  net_.completed = 9;
  outgoing_.send(false);
  EXPECT_TRUE(outgoing_.is_empty());
}

} // namespace
} // namespace windrow::transport
