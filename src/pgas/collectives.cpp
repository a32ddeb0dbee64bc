// SPDX-License-Identifier: BSD-3-Clause
// The collectives that move data. All have the same shape: show a piece to the other members, meet, use what
// they show.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <functional>
#include <utility>
#include <vector>

#include "base/fatal.hpp"
#include "pgas/synchronization.hpp"
#include "pgas/team_state.hpp"
#include "windrow/detail/copy.hpp"
#include "windrow/team.hpp"

namespace windrow {

namespace {

using pgas::collective;
using pgas::collective_call;
using pgas::team_state;

/// Where members show each other their pieces: in their team slots when everything fits there, otherwise in
/// two bounce buffers used in turn, or bit by bit in the slots. README.md says why one barrier per piece is
/// enough, and who can use the buffers.
class stage {
 public:
  /// `bytes` is what a member shows in all.
  stage(team_state& team, const collective_call& call, std::size_t bytes)
      : team_(team),
        call_(call),
        bytes_(bytes),
        way_(bytes > transport::inline_bytes ? way::unknown : way::slots) {}

  /// Shows a piece of `bytes`, which `show` stores in `mine`, perhaps twice, and waits for those of the
  /// others.
  template <class Show>
  void exchange(std::size_t bytes, Show show) {
    if (way_ == way::unknown) return agree(bytes, show);
    if (way_ == way::bits) return pass_on(bytes, show);
    show();
    team_.step(call_);
    turn_ ^= 1;
  }
  std::byte* mine(std::size_t bytes) {
    if (way_ == way::slots) return team_.outgoing(bytes_);
    if (way_ == way::bits) return row(team_.pe());
    team_.show_bounced(bytes, turn_);
    return bounce(team_.pe(), turn_);
  }
  const std::byte* of(pe_t member) {
    if (way_ == way::slots) return team_.incoming(member, bytes_);
    return way_ == way::bits ? row(member) : bounce(member, turn_ ^ 1);
  }
  /// Whether all have their buffers. Known after the first exchange.
  bool in_buffers() const { return way_ == way::buffers; }
  /// Bounce buffers belong to the PE, so a PE that leaves must know that nobody reads its own any more.
  void end() {
    if (way_ != way::buffers) return;
    team_.step(call_);
    team_.owner().give_bounce_buffers_back();
  }

 private:
  enum class way { slots, unknown, buffers, bits };
  struct alignas(64) line {
    std::byte bytes[64];
  };

  // Those who have their buffers show the first piece there, which counts if all have them.
  template <class Show>
  void agree(std::size_t bytes, Show show) {
    has_buffers_ = team_.owner().take_bounce_buffers();
    if (has_buffers_) show();
    way_ = team_.common_to_all(has_buffers_ ? 1 : 0, call_) != 0 ? way::buffers : way::bits;
    turn_ ^= 1;
    if (way_ == way::bits) pass_on(bytes, show);
  }
  template <class Show>
  void pass_on(std::size_t bytes, Show show) {
    row_lines_ = (bytes + sizeof(line) - 1) / sizeof(line);
    rows_.resize(row_lines_ * static_cast<std::size_t>(team_.pes()));
    show();
    for (std::size_t at = 0; at < bytes; at += transport::inline_bytes) {
      const auto some = std::min(transport::inline_bytes, bytes - at);
      detail::copy_bytes(team_.outgoing(some), row(team_.pe()) + at, some);
      team_.step({call_.kind, call_.root, some});
      // Now, since the others, of other hosts too, have got what was shown there.
      if (std::exchange(has_buffers_, false)) team_.owner().give_bounce_buffers_back();
      for (pe_t member = 0; member < team_.pes(); ++member)
        detail::copy_bytes(row(member) + at, team_.incoming(member, some), some);
    }
  }
  std::byte* row(pe_t member) { return rows_[static_cast<std::size_t>(member) * row_lines_].bytes; }
  std::byte* bounce(pe_t member, int turn) {
    return team_.owner().host().bounce(team_.members().at(member), turn);
  }

  team_state& team_;
  const collective_call& call_;
  std::size_t bytes_;
  way way_;
  bool has_buffers_ = false;
  int turn_ = 0;
  std::size_t row_lines_ = 0; ///< of each member, where pieces go bit by bit
  std::vector<line> rows_;
};

/// What is shown of a collective: `bytes` in pieces that are multiples of `unit`, each `copies` times as
/// large in the stage.
struct extent {
  std::size_t bytes;
  std::size_t unit;
  std::size_t copies;
};

/// For every piece: show(stage, offset, length), a synchronisation of all members, use(stage, offset,
/// length). What an operation of the user's throws in `use`, once at most, comes out when the others have
/// seen all that they need of this member.
template <class Show, class Use>
void in_pieces(team_state& team, const collective_call& call, extent all, Show show, Use use) {
  stage s(team, call, all.bytes * all.copies);
  const auto largest = transport::bounce_bytes / all.copies / all.unit * all.unit;
  std::exception_ptr failure;
  std::size_t offset = 0;
  do {
    const auto length = std::min(largest, all.bytes - offset);
    s.exchange(length * all.copies, [&] { show(s, offset, length); });
    try {
      use(s, offset, length);
    } catch (...) {
      failure = std::current_exception();
    }
    offset += length;
  } while (offset < all.bytes);
  s.end();
  if (failure != nullptr) std::rethrow_exception(std::move(failure));
}

void copy(const std::byte* from, std::size_t bytes, std::byte* to) {
  detail::copy_bytes(to, from, bytes);
}

void require_sizes(bool right, const char* call, const char* rule, std::size_t in, std::size_t out) {
  if (!right) base::fatal(fmt::format("{}: in has {} bytes and out {}; {}", call, in, out, rule));
}

/// A part of a ragged array, in bytes.
template <class Byte>
std::span<Byte> part_of(std::span<Byte> all, std::span<const std::size_t> begins, std::size_t part,
                        std::size_t element) {
  return all.subspan(begins[part] * element, (begins[part + 1] - begins[part]) * element);
}

/// What of a part belongs to this piece: less than its length where the part ends, perhaps nothing.
template <class Byte>
std::span<Byte> piece_of(std::span<Byte> part, std::size_t offset, std::size_t length) {
  const auto from = std::min(offset, part.size());
  return part.subspan(from, std::min(length, part.size() - from));
}

std::size_t largest_part(std::span<const std::size_t> begins) {
  std::size_t largest = 0;
  for (std::size_t p = 1; p < begins.size(); ++p) largest = std::max(largest, begins[p] - begins[p - 1]);
  return largest;
}

/// Combines in order what members 0 … end - 1 show. Once an operation has thrown, nothing more.
struct combination {
  pe_t end;
  std::size_t element;
  void (*fold)(std::byte* into, const std::byte* from, std::size_t count, void* op);
  void* op;
  bool failed = false;

  void operator()(stage& s, std::size_t from, std::size_t bytes, std::byte* out) {
    if (failed || end == 0) return;
    failed = true;
    copy(s.of(0) + from, bytes, out + from);
    for (pe_t pe = 1; pe < end; ++pe) fold(out + from, s.of(pe) + from, bytes / element, op);
    failed = false;
  }
};

/// A member's part of a piece of a reduction: at most so many bytes.
std::size_t share_of(const team_state& t, std::size_t length, std::size_t element) {
  const auto members = static_cast<std::size_t>(t.pes());
  return (length / element + members - 1) / members * element;
}

constexpr std::size_t in_front_of_share = 64; ///< says whether it was combined

/// Whether a step more takes less time than that every member combines the whole piece. Between hosts it does
/// not.
bool is_worth_sharing(const team_state& t, const stage& s, std::size_t length, std::size_t element) {
  constexpr std::size_t bytes_in_a_step = 16 * 1024;
  return t.pes() > 2 && static_cast<std::size_t>(t.pes() - 2) * length >= bytes_in_a_step && s.in_buffers() &&
         !t.spans_hosts() && in_front_of_share + share_of(t, length, element) <= transport::bounce_bytes;
}

/// Every member combines its share of the piece for all. If an operation throws, every member combines the
/// whole piece, so that what is thrown, and where, is the same as without shares.
void combine_shares(const team_state& t, stage& s, combination& combine, std::size_t length, std::byte* out) {
  const auto share = share_of(t, length, combine.element);
  const auto begin = [&](pe_t pe) { return std::min(length, static_cast<std::size_t>(pe) * share); };
  const auto bytes = [&](pe_t pe) { return begin(pe + 1) - begin(pe); };
  const bool failed_before = combine.failed;
  try {
    combine(s, begin(t.pe()), bytes(t.pe()), out);
  } catch (...) { // all learn of it, and combine the whole piece
  }
  s.exchange(in_front_of_share + share, [&] {
    auto* const mine = s.mine(in_front_of_share + share);
    *mine = std::byte{combine.failed};
    copy(out + begin(t.pe()), bytes(t.pe()), mine + in_front_of_share);
  });
  bool all = true;
  for (pe_t pe = 0; pe < t.pes(); ++pe) all = all && *s.of(pe) == std::byte{false};
  if (!all) {
    s.exchange(length, [] {}); // the pieces are still where they were
    combine.failed = failed_before;
    return combine(s, 0, length, out);
  }
  for (pe_t pe = 0; pe < t.pes(); ++pe)
    if (pe != t.pe()) copy(s.of(pe) + in_front_of_share, bytes(pe), out + begin(pe));
}

bool ranges_meet(std::span<const std::byte> a, std::span<const std::byte> b) {
  const std::less<const std::byte*> before;
  return before(a.data(), b.data() + b.size()) && before(b.data(), a.data() + a.size());
}

/// Every member gets `in` of each member p, in pieces, in out(p).
template <class Out>
void gather_parts(team_state& t, const collective_call& call, std::span<const std::byte> in, Out out) {
  in_pieces(
      t, call, {call.bytes, 1, 1},
      [&](stage& s, std::size_t offset, std::size_t length) {
        const auto piece = piece_of(in, offset, length);
        copy(piece.data(), piece.size(), s.mine(length));
      },
      [&](stage& s, std::size_t offset, std::size_t length) {
        for (pe_t pe = 0; pe < t.pes(); ++pe) {
          const auto piece = piece_of(out(static_cast<std::size_t>(pe)), offset, length);
          copy(s.of(pe), piece.size(), piece.data());
        }
      });
}

/// Every member gets what each member p has in its in(this PE), in pieces, in out(p).
template <class In, class Out>
void exchange_parts(team_state& t, const collective_call& call, In in, Out out) {
  const auto parts = static_cast<std::size_t>(t.pes());
  in_pieces(
      t, call, {call.bytes, 1, parts},
      [&](stage& s, std::size_t offset, std::size_t length) {
        auto* const mine = s.mine(parts * length);
        for (std::size_t p = 0; p < parts; ++p) {
          const auto piece = piece_of(in(p), offset, length);
          copy(piece.data(), piece.size(), mine + p * length);
        }
      },
      [&](stage& s, std::size_t offset, std::size_t length) {
        const auto mine = static_cast<std::size_t>(t.pe()) * length;
        for (std::size_t p = 0; p < parts; ++p) {
          const auto piece = piece_of(out(p), offset, length);
          copy(s.of(static_cast<pe_t>(p)) + mine, piece.size(), piece.data());
        }
      });
}

} // namespace

void team::broadcast_bytes(std::span<std::byte> data, pe_t root) const {
  auto& t = member("broadcast");
  const pgas::synchronization sync(t, {"broadcast", __builtin_return_address(0)});
  t.require_member(root, "broadcast", "root");
  const bool source = t.pe() == root;
  const collective_call call{collective::broadcast, root, data.size()};
  if (t.broadcasts_ahead(data.size()))
    return source ? t.show_ahead(call, data.data()) : t.receive(call, data.data());
  in_pieces(
      t, call, {data.size(), 1, 1},
      [&](stage& s, std::size_t offset, std::size_t length) {
        if (source) copy(data.data() + offset, length, s.mine(length));
      },
      [&](stage& s, std::size_t offset, std::size_t length) {
        if (!source) copy(s.of(root), length, data.data() + offset);
      });
}

void team::combine(std::span<const std::byte> in, std::span<std::byte> out, std::size_t element,
                   fold_function fold, void* op, span_of which) const {
  static_assert(largest_element <= transport::bounce_bytes);
  const auto kind = which == span_of::all        ? collective::reduce
                    : which == span_of::up_to_me ? collective::scan
                                                 : collective::exclusive_scan;
  auto& t = member("reduce or scan");
  const pgas::synchronization sync(t,
                                   {which == span_of::all ? "reduce" : "scan", __builtin_return_address(0)});
  require_sizes(in.size() == out.size(), "reduce", "they must be equal", in.size(), out.size());
  const pe_t end = which == span_of::all ? t.pes() : which == span_of::up_to_me ? t.pe() + 1 : t.pe();
  combination combine{end, element, fold, op};
  in_pieces(
      t, {kind, 0, in.size()}, {in.size(), element, 1},
      [&](stage& s, std::size_t offset, std::size_t length) {
        copy(in.data() + offset, length, s.mine(length));
      },
      [&](stage& s, std::size_t offset, std::size_t length) {
        auto* const to = out.data() + offset;
        if (which == span_of::all && is_worth_sharing(t, s, length, element))
          combine_shares(t, s, combine, length, to);
        else
          combine(s, 0, length, to);
      });
}

void team::allgather_bytes(std::span<const std::byte> in, std::span<std::byte> out) const {
  auto& t = member("allgather");
  const pgas::synchronization sync(t, {"allgather", __builtin_return_address(0)});
  const auto each = in.size();
  require_sizes(out.size() == each * static_cast<std::size_t>(t.pes()), "allgather",
                "out must have room for every member's in", each, out.size());
  gather_parts(t, {collective::allgather, 0, each}, in,
               [&](std::size_t p) { return out.subspan(p * each, each); });
}

void team::alltoall_bytes(std::span<const std::byte> in, std::span<std::byte> out) const {
  auto& t = member("alltoall");
  const pgas::synchronization sync(t, {"alltoall", __builtin_return_address(0)});
  const auto parts = static_cast<std::size_t>(t.pes());
  const auto each = in.size() / parts;
  require_sizes(in.size() == out.size() && in.size() == each * parts, "alltoall",
                "both must consist of one equal part for each member", in.size(), out.size());
  if (ranges_meet(in, out)) base::fatal("alltoall: in and out overlap; use separate memory");
  exchange_parts(
      t, {collective::alltoall, 0, each}, [&](std::size_t p) { return in.subspan(p * each, each); },
      [&](std::size_t p) { return out.subspan(p * each, each); });
}

void team::allgatherv_bytes(std::span<const std::byte> in, std::span<std::byte> out,
                            std::span<const std::size_t> begins, std::size_t element) const {
  auto& t = member("allgatherv");
  const pgas::synchronization sync(t, {"allgatherv", __builtin_return_address(0)});
  const auto largest = largest_part(begins) * element;
  gather_parts(t, {collective::allgatherv, 0, largest}, in,
               [&](std::size_t p) { return part_of(out, begins, p, element); });
}

std::vector<std::size_t> team::counts_for_me(std::span<const std::size_t> begins) const {
  const auto members = static_cast<std::size_t>(member("alltoallv").pes());
  if (begins.size() != members + 1)
    base::fatal(
        fmt::format("alltoallv: in has {} parts, but the team has {} members; it must have one for each",
                    begins.size() - 1, members));
  std::vector<std::size_t> mine(members), all(members);
  for (std::size_t p = 0; p < members; ++p) mine[p] = begins[p + 1] - begins[p];
  alltoall(std::span<const std::size_t>(mine), std::span(all));
  return all;
}

void team::alltoallv_bytes(std::span<const std::byte> in, std::span<const std::size_t> in_begins,
                           std::span<std::byte> out, std::span<const std::size_t> out_begins,
                           std::size_t element) const {
  const auto largest = max(largest_part(in_begins)) * element;
  auto& t = member("alltoallv");
  const pgas::synchronization sync(t, {"alltoallv", __builtin_return_address(0)});
  exchange_parts(
      t, {collective::alltoallv, 0, largest},
      [&](std::size_t p) { return part_of(in, in_begins, p, element); },
      [&](std::size_t p) { return part_of(out, out_begins, p, element); });
}

} // namespace windrow
