// SPDX-License-Identifier: BSD-3-Clause
#include "os/fiber.hpp"

#include <gtest/gtest.h>

#include <deque>
#include <functional>
#include <stdexcept>
#include <string>

#include "os/memory.hpp"

namespace windrow::os {
namespace {

constexpr std::size_t stack_bytes = std::size_t{256} << 10;

/// A fiber that runs a function once; afterwards each `resume` returns at once.
class script {
 public:
  script(std::byte* stack, std::function<void(fiber&)> steps)
      : steps_(std::move(steps)),
        fiber_(
            stack, stack_bytes,
            [](void* self) {
              auto& s = *static_cast<script*>(self);
              s.steps_(s.fiber_);
              for (;;) s.fiber_.leave();
            },
            this) {}

  void resume() { fiber_.resume(); }
  fiber& inside() { return fiber_; }

 private:
  std::function<void(fiber&)> steps_;
  fiber fiber_;
};

class fibers : public ::testing::Test {
 protected:
  static constexpr std::size_t count = 4;
  ~fibers() override { unmap(stacks_, count * stack_bytes); }
  script& add(std::function<void(fiber&)> steps) {
    auto* const stack = stacks_ + scripts_.size() * stack_bytes;
    return scripts_.emplace_back(stack, std::move(steps));
  }

 private:
  std::byte* stacks_ = map_stacks(count, stack_bytes).first;
  std::deque<script> scripts_;
};

TEST_F(fibers, take_turns) {
  std::string order;
  auto& a = add([&](fiber& self) {
    for (int i = 0; i < 3; ++i) order.append(1, 'a').append(std::to_string(i)), self.leave();
  });
  auto& b = add([&](fiber& self) {
    for (int i = 0; i < 2; ++i) order.append(1, 'b').append(std::to_string(i)), self.leave();
  });
  for (int i = 0; i < 3; ++i) a.resume(), order += '|', b.resume(), order += ' ';
  EXPECT_EQ(order, "a0|b0 a1|b1 a2| ");
}

TEST_F(fibers, resume_others) {
  std::string order;
  auto& inner = add([&](fiber& self) { order += "(", self.leave(), order += ")"; });
  auto& outer = add([&](fiber& self) { inner.resume(), order += "x", self.leave(), inner.resume(); });
  outer.resume();
  order += "-";
  outer.resume();
  EXPECT_EQ(order, "(x-)");
}

// The code that resumed the first fiber gets control back from the last.
TEST_F(fibers, hand_over) {
  std::string order;
  script* next = nullptr;
  auto& first = add([&](fiber& self) {
    try {
      throw std::runtime_error("first");
    } catch (const std::runtime_error&) {
      order += "(", self.hand_over(next->inside()), order += ")";
      try {
        throw;
      } catch (const std::runtime_error& again) {
        order += again.what();
      }
    }
  });
  next = &add([&](fiber& self) {
    EXPECT_EQ(std::current_exception(), nullptr);
    order += "a", self.leave(), order += "b", self.hand_over(first.inside());
  });
  first.resume();
  order += "-";
  next->resume();
  EXPECT_EQ(order, "(a-b)first");
}

TEST_F(fibers, have_their_own_exceptions) {
  std::string seen;
  const auto throws = [&](const char* what) {
    return [&seen, what](fiber& self) {
      try {
        throw std::runtime_error(what);
      } catch (const std::runtime_error&) {
        self.leave();
        EXPECT_EQ(std::uncaught_exceptions(), 0);
        try {
          throw;
        } catch (const std::runtime_error& again) {
          seen += again.what();
        }
      }
    };
  };
  auto& a = add(throws("a"));
  auto& b = add(throws("b"));
  try {
    throw std::logic_error("main");
  } catch (const std::logic_error&) {
    a.resume(), b.resume(), a.resume(), b.resume();
    EXPECT_THROW(throw, std::logic_error);
  }
  EXPECT_EQ(seen, "ab");
}

TEST_F(fibers, keep_registers_and_floating_point_values) {
  double sum = 0;
  auto& f = add([&](fiber& self) {
    double mine = 1;
    for (int i = 1; i <= 10; ++i) mine *= i, self.leave();
    sum = mine;
  });
  double other = 1;
  for (int i = 0; i < 11; ++i) f.resume(), other *= 0.5;
  EXPECT_EQ(sum, 3628800);
  EXPECT_EQ(other, 1.0 / 2048);
}

} // namespace
} // namespace windrow::os
