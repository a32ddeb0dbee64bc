// SPDX-License-Identifier: BSD-3-Clause
// The bulk transfers of a strip, the buffers that its rounds use in their stead, and memory of near PEs,
// which they use itself.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "compiler/comm/transfers.hpp"

namespace windrow::compiler::comm {

inline constexpr uint64_t buffer_align = 16; ///< what malloc gives

/// In place of the access: memory of this PE. The call is gone then.
void replace_by_memory(IRBuilder<>& builder, const plain_access& access, Value& place, Align align);

class buffer_code {
 public:
  buffer_code(const std::vector<transfer>& transfers, IRBuilder<>& builder)
      : transfers_(transfers), builder_(builder) {}

  /// Of the next transfer: where its first round's lowest byte is.
  void begin_at(Value& start, Value& pe) {
    starts_.push_back(&start);
    pes_.push_back(&pe);
  }
  Value& start(size_t number) const { return *starts_[number]; }
  Value& pe(size_t number) const { return *pes_[number]; }

  /// Where this PE can load what the transfer moves in all rounds: as a pointer, null if it cannot. Whatever
  /// part of it is within reach, the second value says whether any is.
  std::pair<Value*, Value*> look_near(size_t number, Value& rounds);
  void take_as_far(size_t number);

  /// Of the buffers for so many rounds.
  uint64_t bytes_for(uint64_t rounds) const;
  /// Where the buffers for so many rounds are.
  void place(Value& memory, uint64_t rounds);

  /// Those of a strip's rounds from `begin` on.
  void open_strip(Value& begin, Value& count) {
    begin_ = &begin;
    count_ = &count;
  }
  /// The bulk read, in front of `enter`; what it brings is where the rounds are.
  void read(size_t number, Instruction& enter);
  /// The bulk write, where the builder is.
  void write(size_t number) { move(number, *bases_[number]); }
  /// The calls of each round.
  void use(size_t number, Value& round);

 private:
  Value* lowest(size_t number, Value& start);
  void move(size_t number, Value& buffer);
  void call(const std::string& routine, ArrayRef<Value*> arguments);
  void replace(const member& part, size_t number, Value& round);

  const std::vector<transfer>& transfers_;
  IRBuilder<>& builder_;
  Value *begin_ = nullptr, *count_ = nullptr;
  SmallVector<Value*, 4> starts_, pes_, nears_;
  SmallVector<Value*, 4> bases_; ///< what the strip's rounds use
};

} // namespace windrow::compiler::comm
