// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/defer/prepare/vectorise.hpp"

#include <llvm/IR/IRBuilder.h>
#include <llvm/Transforms/Utils/Local.h>

#include "compiler/common/api/calls.hpp"
#include "compiler/common/report/diagnostics.hpp"
#include "compiler/common/runtime/inline_library.hpp"
#include "compiler/common/runtime/verbs.hpp"
#include "compiler/defer/plan/fusion.hpp"
#include "compiler/defer/prepare/counted_loop.hpp"

namespace windrow::compiler::defer {

namespace {

// At a time. The runtime keeps them in a record, of which a chunk of 8 KiB is to hold some.
constexpr uint64_t most_bytes = 2048;

/// Changes such a loop.
class vectoriser {
 public:
  vectoriser(counted_loop& loop, code& body, SetVector<BasicBlock*>& region)
      : loop_(loop),
        body_(body),
        region_(region),
        header_(loop.loop().getHeader()),
        start_(loop.scope().start),
        latch_(loop.loop().getLoopLatch()),
        type_(cast<IntegerType>(loop.counter().type)) {
    for (auto* load : loop.hoisted()) reads_.push_back(load);
  }

  void run() {
    auto *piece = new_block("piece"), *test = new_block("piece.cond"), *next = new_block("piece.next");
    auto& counter = loop_.counter();
    inner_ = &new_variable(*type_, counter.alignment, counter.name);
    inner_->description = counter.description;
    fill_piece(*piece, *test);
    fetch_from_values();
    hoist_reads();
    count_inside();
    header_->getTerminator()->replaceSuccessorWith(start_, piece);
    latch_->getTerminator()->replaceSuccessorWith(header_, test);
    fill_test(*test, *next);
    fill_next(*next);
  }

 private:
  BasicBlock* new_block(const Twine& name) {
    auto* block = BasicBlock::Create(header_->getContext(), name, header_->getParent(), start_);
    region_.insert(block);
    return block;
  }

  variable& new_variable(Type& type, Align alignment, StringRef name) {
    auto& entry = body_.function->getEntryBlock();
    auto* storage = IRBuilder<>(&entry, entry.getFirstInsertionPt()).CreateAlloca(&type, nullptr, name);
    storage->setAlignment(alignment);
    return body_.vars.add(*storage, type, alignment, name, storage::frame);
  }

  // The bulk fetch, and what is read in front of the body.
  void fill_piece(BasicBlock& piece, BasicBlock& test) {
    IRBuilder<> builder(&piece);
    auto& fetch = loop_.fetch();
    builder.SetCurrentDebugLocation(fetch.getDebugLoc());
    auto* wide = builder.getInt64Ty();
    begin_ = builder.CreateAlignedLoad(type_, loop_.counter().base, loop_.counter().alignment);
    auto* bound = loop_.compute_before(builder, loop_.bound(), begin_);
    auto* rest = builder.CreateZExt(builder.CreateSub(bound, begin_), wide);
    const auto bytes = fetch.getModule()->getDataLayout().getTypeStoreSize(fetch.getType()).getFixedValue();
    auto* most = builder.getInt64(most_bytes / bytes);
    auto* count = builder.CreateSelect(builder.CreateICmpULT(rest, most), rest, most, "count");
    auto* address = loop_.compute_before(builder, *fetch.getArgOperand(1), begin_);
    auto* pe = loop_.compute_before(builder, *fetch.getArgOperand(2), begin_);
    auto* context = loop_.compute_before(builder, *fetch.getArgOperand(0), begin_);
    auto* pointer = PointerType::getUnqual(fetch.getContext());
    const auto bulk = runtime_function(*fetch.getModule(), bulk_fetch_name(bytes), pointer,
                                       {pointer, pointer, wide, pe->getType()});
    values_ = builder.CreateCall(bulk, {context, address, count, pe}, "values");
    values_->addRetAttr(Attribute::NoAlias);
    end_ = builder.CreateAdd(begin_, builder.CreateTrunc(count, type_), "end");
    builder.CreateAlignedStore(begin_, inner_->base, inner_->alignment);
    builder.CreateBr(&test);
  }

  // Those that not only the fetch has needed.
  void hoist_reads() {
    for (const auto& handle : reads_) {
      auto* load = cast_or_null<LoadInst>(static_cast<Value*>(handle));
      if (!load) continue;
      auto& kept = new_variable(*load->getType(), load->getAlign(), "an expression");
      IRBuilder<> early(values_), late(load);
      early.CreateAlignedStore(loop_.compute_before(early, *load, begin_), kept.base, kept.alignment);
      load->replaceAllUsesWith(late.CreateAlignedLoad(load->getType(), kept.base, kept.alignment));
      RecursivelyDeleteTriviallyDeadInstructions(load);
    }
  }

  void fetch_from_values() {
    auto& fetch = loop_.fetch();
    IRBuilder<> builder(&fetch);
    auto* count = builder.CreateAlignedLoad(type_, loop_.counter().base, loop_.counter().alignment);
    auto* index = builder.CreateZExt(builder.CreateSub(count, begin_), builder.getInt64Ty());
    auto* value =
        builder.CreateLoad(fetch.getType(), builder.CreateInBoundsGEP(fetch.getType(), values_, index));
    value->takeName(&fetch);
    fetch.replaceAllUsesWith(value);
    keep_meetings(fetch);
    SmallVector<WeakTrackingVH, 4> arguments;
    for (auto& argument : fetch.args()) arguments.push_back(argument.get());
    fetch.eraseFromParent();
    RecursivelyDeleteTriviallyDeadInstructionsPermissive(arguments);
  }

  // What has met the fetch meets all that is fetched in its place.
  void keep_meetings(const CallInst& fetch) {
    if (!body_.provable) return;
    auto all = std::make_shared<meetings>(*body_.provable);
    for (const auto& one : *body_.provable)
      if (one.fetch == &fetch) all->push_back({one.access, values_, one.around});
    body_.provable = std::move(all);
  }

  // The body counts a variable of its own.
  void count_inside() {
    for (auto& use : make_early_inc_range(loop_.counter().base->uses())) {
      const auto* user = dyn_cast<Instruction>(use.getUser());
      if (user && user->getParent() != header_ && loop_.loop().contains(user) && !is_commentary(*user))
        use.set(inner_->base);
    }
  }

  void fill_test(BasicBlock& test, BasicBlock& next) {
    IRBuilder<> builder(&test);
    builder.SetCurrentDebugLocation(header_->getTerminator()->getDebugLoc());
    auto* count = builder.CreateAlignedLoad(type_, inner_->base, inner_->alignment);
    builder.CreateCondBr(builder.CreateICmp(loop_.predicate(), count, end_), start_, &next);
  }

  void fill_next(BasicBlock& next) {
    IRBuilder<> builder(&next);
    builder.SetCurrentDebugLocation(latch_->getTerminator()->getDebugLoc());
    builder.CreateAlignedStore(end_, loop_.counter().base, loop_.counter().alignment);
    builder.CreateBr(header_);
  }

  counted_loop& loop_;
  code& body_;
  SetVector<BasicBlock*>& region_;
  BasicBlock *header_, *start_, *latch_;
  IntegerType* type_;
  variable* inner_ = nullptr;
  Value *begin_ = nullptr, *end_ = nullptr;
  CallInst* values_ = nullptr;
  SmallVector<WeakVH, 4> reads_; // of memory, in the body
};

bool has_fitting_type(const CallInst& fetch) {
  const auto bits = fetch.getType()->getPrimitiveSizeInBits().getFixedValue();
  return may_load_later(fetch) && (bits == 8 || bits == 16 || bits == 32 || bits == 64);
}

SmallVector<CallInst*, 8> fetches_in(const SetVector<BasicBlock*>& region) {
  SmallVector<CallInst*, 8> fetches;
  for (auto* block : region)
    for (auto& instruction : *block)
      if (is_fetch(instruction)) fetches.push_back(cast<CallInst>(&instruction));
  return fetches;
}

/// The loops of a statement as they are, until one of them is changed.
class loops_of_statement {
 public:
  loops_of_statement(code& body, BasicBlock* entry, const SetVector<BasicBlock*>& region,
                     FunctionAnalysisManager& analyses)
      : body_(body),
        entry_(entry),
        region_(region),
        structure_(*body.function),
        memory_(*body.function, analyses) {}

  bool has_one_around(const CallInst& fetch) const { return structure_.loops.getLoopFor(fetch.getParent()); }
  counted_loop around(CallInst& fetch) { return {fetch, body_, scope_of(fetch), region_, structure_}; }

  // Whether deferred code of a scope around the fetch holds it: then it is looked at in the callback.
  bool is_deeper(const CallInst& fetch) {
    for (auto* other : fetches_in(region_)) scope_of(*other);
    return any_of(scopes_, [&](const auto& known) {
      return known.second->active() && known.second->defers(fetch.getParent());
    });
  }

  // Whether the loop is better left as it is: its deferred code can run at the owner, or cannot be deferred.
  bool stays(const counted_loop& loop, bool fuse) {
    auto scope = loop.scope();
    plan* alone[] = {&scope};
    place_variables(alone, body_, region_, structure_, {});
    if (!scope.active()) return !scope.conflict;
    return body_.switches->fuse_at_owner && fuse &&
           find_owner_part(scope, body_, region_, structure_, memory_).has_value();
  }

 private:
  // As it would be deferred alone.
  const plan& scope_of(CallInst& fetch) {
    auto* start = start_of_scope(fetch.getParent(), entry_, structure_);
    auto& known = scopes_[start];
    if (known) return *known;
    auto one = std::make_unique<plan>();
    one->start = start;
    one->scope = units_of_scope(start, region_, structure_, body_.vars);
    decide_scope(*one, body_, structure_, memory_);
    return *(known = std::move(one));
  }

  code& body_;
  BasicBlock* entry_;
  const SetVector<BasicBlock*>& region_;
  const shape structure_;
  const memory_oracle memory_;
  DenseMap<BasicBlock*, std::unique_ptr<plan>> scopes_; // of fetches, by where they start
};

} // namespace

void vectorise_loops(code& body, const marker& mark, BasicBlock* entry, SetVector<BasicBlock*>& region,
                     FunctionAnalysisManager& analyses, diagnostics& told) {
  std::optional<loops_of_statement> loops;
  for (auto* fetch : fetches_in(region)) {
    if (!loops) loops.emplace(body, entry, region, analyses);
    if (!has_fitting_type(*fetch) || !loops->has_one_around(*fetch)) continue;
    auto loop = loops->around(*fetch);
    if (!loop.is_one() || loops->is_deeper(*fetch) || loops->stays(loop, mark.fuse)) continue;
    if (const auto obstacle = loop.obstacle(); !obstacle.empty()) {
      told.missed(fetch->getDebugLoc(), "fetch not vectorised: " + obstacle);
    } else {
      vectoriser(loop, body, region).run();
      loops.reset();
    }
  }
}

} // namespace windrow::compiler::defer
