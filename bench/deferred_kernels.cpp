// SPDX-License-Identifier: BSD-3-Clause
#include "bench/deferred_kernels.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <span>

namespace windrow::bench {

namespace {

/// What travels by hand: 32 bits for what the requester wants to find again.
struct request {
  std::uint32_t place;
  std::uint32_t entry;
};
struct reply {
  std::uint32_t value;
  std::uint32_t entry;
};
struct fused {
  std::uint32_t place;
  std::uint64_t row;
};

} // namespace

deferred_kernels::deferred_kernels(job& j, std::uint64_t places, std::uint64_t operations)
    : job_(j),
      places_(places),
      targets_(operations),
      first_(places),
      next_(j.allocate<std::uint64_t>(places, 64)) {
  std::mt19937_64 random(static_cast<std::uint64_t>(j.pe()) + 1);
  for (auto& t : targets_)
    t = {static_cast<pe_t>(random() % static_cast<std::uint64_t>(j.pes())),
         static_cast<std::uint32_t>(random() % places)};
  context ctx(j, aggregate);
  for (const auto& t : targets_) ctx.inc(next(t));
  ctx.barrier();
  auto* own = j.local(next_);
  for (std::uint64_t k = 0; k < places; ++k) {
    first_[k] = own_entries_;
    own_entries_ += own[k];
  }
  rows_ = j.allocate<std::uint64_t>(j.world().max(own_entries_), 64);
  begin_columns();
}

deferred_kernels::~deferred_kernels() {
  job_.free(rows_);
  job_.free(next_);
}

std::vector<variant> deferred_kernels::variants(const std::string& kernel) {
  auto result = kernel == "transpose" ? transpose() : kernel == "histogram" ? histogram() : gather();
  if constexpr (has_annotated) add_annotated(kernel, result);
  return result;
}

void deferred_kernels::begin_columns() {
  std::copy(first_.begin(), first_.end(), job_.local(next_));
  seen_ = 0;
  job_.barrier();
}

void deferred_kernels::require(bool right, const char* what) const {
  if (right) return;
  std::fprintf(stderr, "bench defer: PE %d: wrong result of %s\n", job_.pe(), what);
  std::exit(EXIT_FAILURE);
}

// ---- transpose

std::vector<variant> deferred_kernels::transpose() {
  const auto check = [this] { check_transpose(); };
  return {{"blocking", [this] { transpose_blocking(); }, check},
          {"then", [this] { transpose_then(); }, check},
          {"coroutine", [this] { transpose_coroutine(); }, check},
          {request_and_reply, [this] { transpose_by_hand(); }, check},
          {"fused at the owner", [this] { transpose_fused(); }, check},
          {"fused at the owner by hand", [this] { transpose_fused_by_hand(); }, check}};
}

void deferred_kernels::transpose_blocking() {
  context ctx(job_, blocking);
  for (std::size_t k = 0; k < targets_.size(); ++k) {
    std::uint64_t place;
    ctx.fetch_inc(next(targets_[k]), &place);
    ctx.put(row(targets_[k].pe, place), row_of(k));
  }
  ctx.barrier();
}

void deferred_kernels::transpose_then() {
  context ctx(job_, aggregate);
  for (std::uint32_t k = 0; k < targets_.size(); ++k)
    ctx.fetch_inc(next(targets_[k])).then([this, &ctx, pe = targets_[k].pe, k](std::uint64_t place) {
      ctx.put(row(pe, place), row_of(k));
    });
  ctx.barrier();
}

deferred deferred_kernels::place_entry(context& ctx, target t, std::uint64_t value) {
  const auto place = co_await ctx.fetch_inc(next(t));
  ctx.put(row(t.pe, place), value);
}

void deferred_kernels::transpose_coroutine() {
  context ctx(job_, aggregate);
  for (std::size_t k = 0; k < targets_.size(); ++k) place_entry(ctx, targets_[k], row_of(k));
  ctx.barrier();
}

void deferred_kernels::transpose_by_hand() {
  context ctx(job_, aggregate);
  auto* own = job_.local(next_);
  stream<reply> replies(job_, [&](std::span<const reply> batch, pe_t from) {
    for (const auto& r : batch) ctx.put(row(from, r.value), row_of(r.entry));
  });
  stream<request> requests(job_, [&](std::span<const request> batch, pe_t from) {
    for (const auto& r : batch) replies.send(from, {static_cast<std::uint32_t>(own[r.place]++), r.entry});
  });
  for (std::uint32_t k = 0; k < targets_.size(); ++k) requests.send(targets_[k].pe, {targets_[k].place, k});
  requests.barrier();
}

void deferred_kernels::transpose_fused() {
  context ctx(job_, aggregate);
  const symmetric rows(rows_);
  for (std::size_t k = 0; k < targets_.size(); ++k)
    ctx.fetch_inc(next(targets_[k]))
        .then_at_owner([rows, value = row_of(k)](std::uint64_t place, const owner& here) {
          here.local(rows)[place] = value;
        });
  ctx.barrier();
}

void deferred_kernels::transpose_fused_by_hand() {
  auto* own = job_.local(next_);
  auto* rows = job_.local(rows_);
  stream<fused> entries(job_, [&](std::span<const fused> batch, pe_t) {
    for (const auto& e : batch) rows[own[e.place]++] = e.row;
  });
  for (std::size_t k = 0; k < targets_.size(); ++k)
    entries.send(targets_[k].pe, {targets_[k].place, row_of(k)});
  entries.barrier();
}

void deferred_kernels::check_transpose() {
  const auto* own = job_.local(next_);
  auto* rows = job_.local(rows_);
  for (std::uint64_t k = 0; k < places_; ++k)
    require(own[k] == (k + 1 < places_ ? first_[k + 1] : own_entries_), "transpose");
  std::uint64_t sum = 0;
  for (std::uint64_t k = 0; k < own_entries_; ++k) sum += std::exchange(rows[k], 0) + 1;
  const auto entries = targets_.size() * static_cast<std::uint64_t>(job_.pes());
  require(job_.world().sum(sum) == entries * (entries + 1) / 2, "transpose");
  begin_columns();
}

// ---- histogram

std::vector<variant> deferred_kernels::histogram() {
  const auto check = [this] { check_histogram(); };
  return {{"blocking", [this] { histogram_blocking(); }, check},
          {"then", [this] { histogram_then(); }, check},
          {"coroutine", [this] { histogram_coroutine(); }, check},
          {request_and_reply, [this] { histogram_by_hand(); }, check}};
}

void deferred_kernels::histogram_blocking() {
  for (const auto& t : targets_) seen_ += windrow::fetch_inc(job_, next(t));
}

void deferred_kernels::histogram_then() {
  context ctx(job_, aggregate);
  for (const auto& t : targets_)
    ctx.fetch_inc(next(t)).then([this](std::uint64_t before) { seen_ += before; });
  ctx.barrier();
}

deferred deferred_kernels::look(context& ctx, target t) {
  seen_ += co_await ctx.fetch_inc(next(t));
}

void deferred_kernels::histogram_coroutine() {
  context ctx(job_, aggregate);
  for (const auto& t : targets_) look(ctx, t);
  ctx.barrier();
}

void deferred_kernels::histogram_by_hand() {
  auto* own = job_.local(next_);
  stream<std::uint64_t> replies(job_, [&](std::span<const std::uint64_t> batch, pe_t) {
    for (const auto before : batch) seen_ += before;
  });
  stream<std::uint32_t> requests(job_, [&](std::span<const std::uint32_t> batch, pe_t from) {
    for (const auto place : batch) replies.send(from, own[place]++);
  });
  for (const auto& t : targets_) requests.send(t.pe, t.place);
  requests.barrier();
}

// Every number from the first of a column to the last but one has been seen once.
void deferred_kernels::check_histogram() {
  const auto* own = job_.local(next_);
  std::uint64_t sum = 0;
  for (std::uint64_t k = 0; k < places_; ++k) {
    const auto end = own[k];
    require(end == (k + 1 < places_ ? first_[k + 1] : own_entries_), "histogram");
  }
  for (std::uint64_t k = 0; k < own_entries_; ++k) sum += k;
  require(job_.world().sum(sum) == job_.world().sum(seen_), "histogram");
  begin_columns();
}

// ---- gather

std::vector<variant> deferred_kernels::gather() {
  const auto check = [this] { check_gather(); };
  return {{"blocking", [this] { gather_blocking(); }, check},
          {"then", [this] { gather_then(); }, check},
          {"coroutine", [this] { gather_coroutine(); }, check},
          {request_and_reply, [this] { gather_by_hand(); }, check}};
}

void deferred_kernels::gather_blocking() {
  for (const auto& t : targets_) seen_ += windrow::get(job_, next(t));
}

void deferred_kernels::gather_then() {
  context ctx(job_, aggregate);
  for (const auto& t : targets_) ctx.get(next(t)).then([this](std::uint64_t value) { seen_ += value; });
  ctx.barrier();
}

deferred deferred_kernels::add_up(context& ctx, target t) {
  seen_ += co_await ctx.get(next(t));
}

void deferred_kernels::gather_coroutine() {
  context ctx(job_, aggregate);
  for (const auto& t : targets_) add_up(ctx, t);
  ctx.barrier();
}

void deferred_kernels::gather_by_hand() {
  const auto* own = job_.local(next_);
  stream<std::uint64_t> replies(job_, [&](std::span<const std::uint64_t> batch, pe_t) {
    for (const auto value : batch) seen_ += value;
  });
  stream<std::uint32_t> requests(job_, [&](std::span<const std::uint32_t> batch, pe_t from) {
    for (const auto place : batch) replies.send(from, own[place]);
  });
  for (const auto& t : targets_) requests.send(t.pe, t.place);
  requests.barrier();
}

void deferred_kernels::check_gather() {
  std::uint64_t sum = 0;
  for (const auto& t : targets_) sum += windrow::get(job_, next(t));
  require(sum == seen_, "gather");
  begin_columns();
}

} // namespace windrow::bench
