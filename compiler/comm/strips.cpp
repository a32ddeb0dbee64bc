// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/comm/strips.hpp"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/LoopUtils.h>
#include <llvm/Transforms/Utils/ScalarEvolutionExpander.h>

#include "compiler/comm/buffers.hpp"
#include "compiler/comm/extents.hpp"
#include "compiler/comm/gathers.hpp"
#include "compiler/comm/options.hpp"

namespace windrow::compiler::comm {

namespace {

constexpr uint64_t fewest_rounds = 4;               // that are worth a strip
constexpr uint64_t most_rounds = uint64_t{1} << 40; // so that products with a step fit

class strip_maker {
 public:
  strip_maker(Loop& loop, const loop_plan& plan, known_facts& facts)
      : loop_(loop),
        plan_(plan),
        facts_(facts),
        function_(*loop.getHeader()->getParent()),
        layout_(function_.getParent()->getDataLayout()),
        builder_(function_.getContext()),
        expander_(facts.evolution, layout_, "comm"),
        buffers_(plan.transfers, builder_),
        gathers_(loop, plan, function_, builder_),
        header_(loop.getHeader()),
        latch_(loop.getLoopLatch()),
        exit_(loop.getUniqueExitBlock()) {}

  BasicBlock& run() {
    keep_copy();
    choose_version();
    open_strips();
    if (gathers_.any()) gather();
    use_buffers();
    for (size_t i = 0; i < plan_.gathered.reads.size(); ++i) gathers_.use_value(i);
    for (auto* put : plan_.gathered.puts) gathers_.tell_of_put(*put);
    close_strips();
    if (gathers_.any()) gathers_.promote_counters();
    return *strip_;
  }

 private:
  // ---- the loop as it was, beside this one

  void keep_copy() {
    formLCSSARecursively(loop_, facts_.dominators, &facts_.loops, &facts_.evolution);
    choice_ = loop_.getLoopPreheader();
    before_ = SplitBlock(choice_, choice_->getTerminator(), &facts_.dominators, &facts_.loops, nullptr,
                         header_->getName() + ".strips");
    SmallVector<BasicBlock*, 8> copied;
    ValueToValueMapTy map;
    auto* copy = cloneLoopWithPreheader(before_, choice_, &loop_, map, ".as.written", &facts_.loops,
                                        &facts_.dominators, copied);
    remapInstructionsInBlocks(copied, map);
    plan_.bound.thaw_copy(map);
    as_written_ = copy->getLoopPreheader();
    for (auto& phi : header_->phis()) copied_phis_.emplace_back(&phi, cast<PHINode>(map[&phi]));
    for (auto* block : copied)
      for (auto& instruction : *block)
        if (const auto access = plain_access_of(instruction))
          plan_.is_nest ? mark_copy(*access->call) : settle(*access->call);
    for (auto& phi : exit_->phis()) {
      auto* value = phi.getIncomingValueForBlock(latch_);
      const auto found = map.find(value);
      phi.addIncoming(found == map.end() ? value : static_cast<Value*>(found->second), copy->getLoopLatch());
    }
  }

  // ---- which of the two runs

  void choose_version() {
    auto* end = choice_->getTerminator();
    auto* wide = builder_.getInt64Ty();
    builder_.SetInsertPoint(end);
    const auto& first = plan_.transfers.empty() ? plan_.gathered.reads.front()
                                                : plan_.transfers.front().members.front().access;
    builder_.SetCurrentDebugLocation(first.call->getDebugLoc());
    auto& evolution = facts_.evolution;
    auto* taken = expand(*evolution.getTruncateOrZeroExtend(plan_.taken, wide), *end);
    for (const auto& one : plan_.transfers) {
      auto* start = expand(*one.start, *end);
      buffers_.begin_at(*start, *expand(*one.pe, *end));
    }
    SmallVector<extent, 4> kept;
    for (const auto& one : plan_.kept)
      kept.push_back({expand(*one.pe, *end), expand(*one.start, *end), nullptr});
    expand_stores(*end);
    builder_.SetInsertPoint(end);
    rounds_ = builder_.CreateAdd(taken, builder_.getInt64(1), "rounds");
    auto* some = builder_.CreateICmpULT(builder_.CreateSub(taken, builder_.getInt64(fewest_rounds - 1)),
                                        builder_.getInt64(most_rounds));
    if (gathers_.any()) some = builder_.CreateAnd(some, gathers_.has_far_pes());
    auto* look =
        BasicBlock::Create(function_.getContext(), header_->getName() + ".apart", &function_, before_);
    builder_.CreateCondBr(some, look, as_written_);
    end->eraseFromParent();
    builder_.SetInsertPoint(look);
    auto* apart = builder_.CreateAnd(near_is_as_good(), nothing_meets(kept));
    apart = builder_.CreateAnd(apart, nothing_loaded_is_stored());
    take_buffers(*apart);
  }

  void expand_stores(Instruction& before) {
    for (const auto& one : plan_.gathered.stores) stores_.push_back(expand(*one.start, before));
    if (plan_.beside_near_reads)
      for (const auto& one : *plan_.beside_near_reads)
        beside_near_reads_.push_back(expand(*one.start, before));
    loaded_early_.append(plan_.gathered.apart.begin(), plan_.gathered.apart.end());
    loaded_early_.append(plan_.bound.apart().begin(), plan_.bound.apart().end());
    for (const auto& [store, load] : loaded_early_)
      apart_.emplace_back(expand(*store.start, before), expand(*load.start, before));
  }

  extent extent_of(Value* start, const stepping_place& place) {
    return compiler::comm::extent_of(builder_, *start, nullptr, place.step, place.bytes, *rounds_);
  }

  extent extent_of(size_t number, Value* pe) {
    const auto& one = plan_.transfers[number];
    return compiler::comm::extent_of(builder_, buffers_.start(number), pe, one.step, one.span, *rounds_);
  }

  // What names the places of later rounds is loaded before the stores of earlier ones, and so is the bound.
  Value* nothing_loaded_is_stored() {
    Value* apart = builder_.getTrue();
    for (const auto& [places, starts] : zip(loaded_early_, apart_))
      apart = builder_.CreateAnd(apart, do_not_meet(builder_, extent_of(starts.first, places.first),
                                                    extent_of(starts.second, places.second)));
    for (const auto& [place, start] : zip(plan_.gathered.stores, stores_))
      store_extents_.push_back(extent_of(start, place));
    for (size_t i = 0; i < plan_.transfers.size(); ++i)
      if (!plan_.transfers[i].reads && active_options().hold("meetings"))
        write_extents_.push_back(extent_of(i, nullptr));
    return apart;
  }

  // From the heap, so that a deep recursion and a small stack have the frames that they have without strips.
  // Where there is no memory left, the loop as it was needs none.
  void take_buffers(Value& apart) {
    auto* take =
        BasicBlock::Create(function_.getContext(), header_->getName() + ".buffers", &function_, before_);
    builder_.CreateCondBr(&apart, take, as_written_);
    builder_.SetInsertPoint(take);
    const auto bytes = buffers_.bytes_for(plan_.strip_rounds);
    const auto from =
        function_.getParent()->getOrInsertFunction("malloc", builder_.getPtrTy(), builder_.getInt64Ty());
    Value* all = builder_.getInt64(bytes);
    if (gathers_.any()) all = builder_.CreateAdd(all, gathers_.bytes_for(*rounds_));
    auto* memory = builder_.CreateCall(from, {all}, "buffers");
    memory->addRetAttr(Attribute::NoAlias);
    memory_ = memory;
    buffers_.place(*memory_, plan_.strip_rounds);
    if (gathers_.any())
      gathers_.place(*builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), memory_, bytes));
    builder_.CreateCondBr(builder_.CreateIsNull(memory_), as_written_, before_);
  }

  void give_buffers_back(BasicBlock& on_the_way, BasicBlock& to) {
    builder_.SetInsertPoint(&on_the_way);
    builder_.CreateCall(
        function_.getParent()->getOrInsertFunction("free", builder_.getVoidTy(), builder_.getPtrTy()),
        {memory_});
    builder_.CreateBr(&to);
  }

  // Frozen, for a branch depends on it: the PE and the place of a read under a condition may be poison where
  // the condition never holds. Equal values stay one.
  Value* expand(const SCEV& value, Instruction& before) {
    auto* made = expander_.expandCodeFor(&value, value.getType(), &before);
    if (isGuaranteedNotToBeUndefOrPoison(made, &facts_.assumptions, &before, &facts_.dominators)) return made;
    auto& frozen = frozen_[made];
    builder_.SetInsertPoint(&before);
    if (!frozen) frozen = builder_.CreateFreeze(made);
    return frozen;
  }

  // Memory that this PE can load from, its own included, it may load from whenever it likes, as long as it
  // stores nothing there meanwhile. Else the loop as written is right, and no slower there.
  Value* near_is_as_good() {
    Value* right = builder_.getTrue();
    for (size_t i = 0; i < plan_.transfers.size(); ++i) {
      if (!active_options().hold("near")) {
        buffers_.take_as_far(i);
        continue;
      }
      const auto& one = plan_.transfers[i];
      const auto [address, any] = buffers_.look_near(i, *rounds_);
      right = builder_.CreateAnd(
          right, builder_.CreateOr(builder_.CreateNot(any), near_read_is_as_good(one, *address)));
    }
    return right;
  }

  // Whatever the loop stores may be there, where that is not known.
  Value* near_read_is_as_good(const transfer& one, Value& address) {
    if (!one.reads || !plan_.beside_near_reads) return builder_.getFalse();
    return stores_elsewhere(
        compiler::comm::extent_of(builder_, address, nullptr, one.step, one.span, *rounds_));
  }

  Value* stores_elsewhere(const extent& read) {
    Value* elsewhere = builder_.getTrue();
    if (!active_options().hold("near-stores")) return elsewhere;
    for (const auto& [place, start] : zip(*plan_.beside_near_reads, beside_near_reads_))
      elsewhere = builder_.CreateAnd(elsewhere, do_not_meet(builder_, extent_of(start, place), read));
    return elsewhere;
  }

  Value* nothing_meets(ArrayRef<extent> kept) {
    Value* apart = builder_.getTrue();
    if (!active_options().hold("meetings")) return apart;
    SmallVector<extent, 8> all;
    for (size_t i = 0; i < plan_.transfers.size(); ++i) all.push_back(extent_of(i, &buffers_.pe(i)));
    for (const auto& [one, known] : zip(plan_.kept, kept))
      all.push_back(compiler::comm::extent_of(builder_, *known.low, known.pe, one.step, one.span, *rounds_));
    for (size_t i = 0; i < plan_.transfers.size(); ++i)
      for (size_t j = 0; j < all.size(); ++j)
        if (may_meet(i, j)) apart = builder_.CreateAnd(apart, do_not_meet(builder_, all[i], all[j]));
    return apart;
  }

  // Whether it is to be looked at as the program runs: each pair once.
  bool may_meet(size_t i, size_t j) const {
    const auto& all = plan_.transfers;
    if (j >= all.size()) return !all[i].reads;
    return i < j && !(all[i].reads && all[j].reads) && !never_meet(all[i], all[j], facts_.evolution) &&
           !is_read_first(all[i], all[j]) && !is_read_first(all[j], all[i]);
  }

  bool is_read_first(const transfer& one, const transfer& other) const {
    return one.reads && !other.reads && all_reads_first(one, other, facts_);
  }

  // ---- strips

  void open_strips() {
    auto& context = function_.getContext();
    auto* wide = builder_.getInt64Ty();
    strip_ = BasicBlock::Create(context, header_->getName() + ".strip", &function_, header_);
    done_ = BasicBlock::Create(context, header_->getName() + ".strip.end", &function_, exit_);
    before_->getTerminator()->replaceSuccessorWith(header_, strip_);
    builder_.SetInsertPoint(strip_);
    for (auto& phi : header_->phis()) carry_over(phi);
    begin_ = builder_.CreatePHI(wide, 2, "begin");
    auto* left = builder_.CreateSub(rounds_, begin_);
    auto* most = builder_.getInt64(plan_.strip_rounds);
    count_ = builder_.CreateSelect(builder_.CreateICmpULT(left, most), left, most, "count");
    enter_ = builder_.CreateBr(header_);
    builder_.SetInsertPoint(header_, header_->begin());
    round_ = builder_.CreatePHI(wide, 2, "round");
    round_->addIncoming(builder_.getInt64(0), strip_);
  }

  // What the rounds of a loop pass on, strips do too.
  void carry_over(PHINode& phi) {
    auto* outer = builder_.CreatePHI(phi.getType(), 2, phi.getName());
    outer->addIncoming(phi.getIncomingValueForBlock(before_), before_);
    outer->addIncoming(phi.getIncomingValueForBlock(latch_), done_);
    const auto entry = static_cast<unsigned>(phi.getBasicBlockIndex(before_));
    phi.setIncomingBlock(entry, strip_);
    phi.setIncomingValue(entry, outer);
    carried_[&phi] = outer;
  }

  void close_strips() {
    auto* branch = cast<BranchInst>(latch_->getTerminator());
    builder_.SetInsertPoint(branch);
    auto* next = builder_.CreateAdd(round_, builder_.getInt64(1), "", true, true);
    round_->addIncoming(next, latch_);
    auto* end = builder_.CreateCondBr(builder_.CreateICmpEQ(next, count_), done_, header_);
    end->copyMetadata(*branch, {LLVMContext::MD_loop});
    auto* condition = branch->getCondition();
    branch->eraseFromParent();
    RecursivelyDeleteTriviallyDeadInstructions(condition);
    builder_.SetInsertPoint(done_);
    if (gathers_.any()) gathers_.release();
    for (size_t i = 0; i < plan_.transfers.size(); ++i)
      if (!plan_.transfers[i].reads) buffers_.write(i);
    auto* behind = builder_.CreateAdd(begin_, count_);
    begin_->addIncoming(builder_.getInt64(0), before_);
    begin_->addIncoming(behind, done_);
    auto* last =
        BasicBlock::Create(function_.getContext(), header_->getName() + ".strips.end", &function_, exit_);
    builder_.CreateCondBr(builder_.CreateICmpEQ(behind, rounds_), last, strip_);
    give_buffers_back(*last, *exit_);
    for (auto& phi : exit_->phis()) phi.replaceIncomingBlockWith(latch_, last);
  }

  // ---- places that are computed ahead

  void gather() {
    auto* stop =
        BasicBlock::Create(function_.getContext(), header_->getName() + ".stop", &function_, header_);
    SmallVector<std::pair<Value*, Value*>, 4> stores, writes;
    for (const auto& one : store_extents_) stores.emplace_back(one.low, one.end);
    for (const auto& one : write_extents_) writes.emplace_back(one.low, one.end);
    std::tie(count_, enter_) = gathers_.read({strip_, stop, count_, stores, writes});
    give_buffers_back(*stop, *as_written_);
    go_on_as_written(*stop);
  }

  // From where the strips have come to.
  void go_on_as_written(BasicBlock& from) {
    builder_.SetInsertPoint(as_written_, as_written_->begin());
    for (const auto& [phi, copy] : copied_phis_) {
      auto* first = copy->getIncomingValueForBlock(as_written_);
      auto* merged = builder_.CreatePHI(phi->getType(), 4, phi->getName());
      for (auto* block : predecessors(as_written_))
        merged->addIncoming(block == &from ? carried_[phi] : first, block);
      copy->setIncomingValueForBlock(as_written_, merged);
    }
  }

  // ---- transfers

  void use_buffers() {
    buffers_.open_strip(*begin_, *count_);
    for (size_t i = 0; i < plan_.transfers.size(); ++i) {
      if (plan_.transfers[i].reads) buffers_.read(i, *enter_);
      buffers_.use(i, *round_);
    }
  }

  Loop& loop_;
  const loop_plan& plan_;
  known_facts& facts_;
  Function& function_;
  const DataLayout& layout_;
  IRBuilder<> builder_;
  SCEVExpander expander_;
  buffer_code buffers_;
  gather_code gathers_;
  BasicBlock *header_, *latch_, *exit_;
  BasicBlock *choice_ = nullptr, *before_ = nullptr, *as_written_ = nullptr; // in front of both
  BasicBlock *strip_ = nullptr, *done_ = nullptr;
  Value *rounds_ = nullptr, *count_ = nullptr, *memory_ = nullptr;
  PHINode *begin_ = nullptr, *round_ = nullptr;
  Instruction* enter_ = nullptr; // from a strip's transfers to its rounds
  DenseMap<Value*, Value*> frozen_;
  SmallVector<std::pair<PHINode*, PHINode*>, 4> copied_phis_; // of the header, and of the loop as written
  DenseMap<PHINode*, Value*> carried_;                        // from strip to strip
  SmallVector<Value*, 4> stores_; // where those that gathered reads may meet begin
  SmallVector<Value*, 4> beside_near_reads_;
  SmallVector<std::pair<stepping_place, stepping_place>, 4> loaded_early_; // beside what must not store there
  SmallVector<std::pair<Value*, Value*>, 4> apart_;                        // where these begin
  SmallVector<extent, 4> store_extents_, write_extents_;
};

} // namespace

BasicBlock& put_in_strips(Loop& loop, const loop_plan& plan, known_facts& facts) {
  return strip_maker(loop, plan, facts).run();
}

} // namespace windrow::compiler::comm
