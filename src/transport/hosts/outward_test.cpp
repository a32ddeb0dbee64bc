// SPDX-License-Identifier: BSD-3-Clause
#include "transport/hosts/outward.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "transport/host/private_memory.hpp"
#include "transport/hosts/agent_inbox.hpp"
#include "transport/hosts/other_hosts.hpp"
#include "transport/hosts/processor_share.hpp"

namespace windrow::transport {
namespace {

/// Keeps what is sent.
class keeping_network final : public network {
 public:
  int rank() const override { return 0; }
  int size() const override { return 6; }
  void allgather(const void*, std::size_t, void*) override {}
  void listen(std::size_t, int) override {}
  message receive() override { return {nullptr, 0, 0}; }
  int send(int to, const std::byte* data, std::size_t bytes) override {
    messages.push_back({to, {data, data + bytes}});
    return 0;
  }
  bool is_sent(int) override { return true; }
  void take_leave() override {}

  struct message {
    int to;
    std::vector<std::byte> text;
  };
  std::vector<message> messages;
};

/// PEs 0 and 1 on this host, 2 and 3 on the second, 4 and 5 on the third.
class what_leaves_a_host : public testing::Test {
 protected:
  void show(std::size_t i, std::uint32_t team, std::uint32_t step, pe_t size = 6) {
    pes_[i].show(
        {.team = team, .first = 0, .stride = 1, .size = size, .arrived = step, .bounced = 0, .turn = 0});
    outward_.take_entries();
    others_.send(true);
  }
  /// PEs whose parts are in a message.
  static std::vector<pe_t> shown_in(const keeping_network::message& l) {
    std::vector<pe_t> from;
    for (const auto *text = l.text.data(), *end = text + l.text.size(); text < end;) {
      const auto r = read_record(text);
      EXPECT_EQ(r.kind, record_kind::part);
      from.push_back(r.from);
      text += wire_bytes(r.kind) + r.bytes;
    }
    return from;
  }

  std::vector<std::unique_ptr<transport>> links_ = make_private_transports("test", 6);
  host_memory memory_ = links_[0]->host();
  host_map map_{{0, 0, 1, 1, 2, 2}, 0, 3};
  keeping_network net_;
  peer_hosts others_{net_, map_, {"a", "b", "c"}};
  wake_ups woken_{memory_, 0};
  outward outward_{memory_, map_, others_, woken_};
  processor_share processors_{memory_, map_, 1};
  std::array<other_hosts, 2> pes_{other_hosts(memory_, 0, map_, processors_),
                                  other_hosts(memory_, 1, map_, processors_)};
};

TEST_F(what_leaves_a_host, each_host_gets_one_message_when_the_last_pe_here_has_come) {
  for (std::uint32_t step = 1; step <= 3; ++step) {
    net_.messages.clear();
    show(step % 2, 0, step);
    EXPECT_TRUE(net_.messages.empty());
    show((step + 1) % 2, 0, step);
    ASSERT_EQ(net_.messages.size(), 2U);
    EXPECT_EQ(net_.messages[0].to, 2);
    EXPECT_EQ(net_.messages[1].to, 4);
    for (const auto& l : net_.messages) EXPECT_EQ(shown_in(l), (std::vector<pe_t>{0, 1}));
  }
}

TEST_F(what_leaves_a_host, a_pe_may_show_the_next_step_before_another_has_told_of_this_one) {
  show(0, 0, 1);
  show(0, 0, 2);
  EXPECT_TRUE(net_.messages.empty());
  show(1, 0, 1);
  EXPECT_EQ(net_.messages.size(), 2U);
  show(1, 0, 2);
  ASSERT_EQ(net_.messages.size(), 4U);
  EXPECT_EQ(shown_in(net_.messages[0]), (std::vector<pe_t>{0, 1}));
  EXPECT_EQ(shown_in(net_.messages[2]), (std::vector<pe_t>{0, 1}));
}

TEST_F(what_leaves_a_host, waits_for_members_of_the_team_only) {
  pes_[0].show({.team = 1, .first = 0, .stride = 2, .size = 3, .arrived = 1, .bounced = 0, .turn = 0});
  outward_.take_entries();
  others_.send(true);
  EXPECT_EQ(net_.messages.size(), 2U);
}

TEST_F(what_leaves_a_host, of_the_next_team_in_a_slot_waits_for_all_again) {
  show(0, 1, 1);
  show(1, 1, 1);
  for (auto& pe : pes_) pe.reset(1);
  outward_.take_entries();
  others_.send(true);
  net_.messages.clear();
  show(0, 1, 1);
  EXPECT_TRUE(net_.messages.empty());
  show(1, 1, 1);
  EXPECT_EQ(net_.messages.size(), 2U);
}

// A PE that has many requests under way may sleep on one that nobody answers.
TEST_F(what_leaves_a_host, who_sleeps_on_a_request_counts_as_awake_once_it_is_carried_out) {
  pes_[0].ring(3);
  auto& asked = memory_.request_number(inbox_entry::of(memory_.job().agent_inbox.load()).number);
  memory_.control(0).bell.count_in();
  asked.phase.fetch_or(request_awaited);
  outward_.take_entries();
  EXPECT_EQ(asked.phase.load(), static_cast<std::uint32_t>(request_phase::free));
  EXPECT_FALSE(memory_.control(0).bell.has_sleepers());
}

} // namespace
} // namespace windrow::transport
