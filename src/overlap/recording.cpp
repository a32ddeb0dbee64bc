// SPDX-License-Identifier: BSD-3-Clause
#include "overlap/recording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <numeric>
#include <string_view>

#include "overlap/event_text.hpp"
#include "overlap/stream.hpp"
#include "windrow/error.hpp"

namespace windrow::overlap {

namespace {

constexpr std::uint64_t most_pes = 1 << 20; // a number that is larger is damaged

/// Numbers that a PE uses, and what they are in the recording.
struct known_names {
  std::map<std::uint64_t, std::uint32_t> sites{{0, 0}}, teams{{0, 0}};
};

class file_reader {
 public:
  explicit file_reader(const std::string& file) : file_(file) {
    if (std::filesystem::is_directory(file))
      throw error(fmt::format("overlap: {} is a folder, and no recording", file));
    std::ifstream in(file, std::ios::binary);
    if (!in) throw error(fmt::format("overlap: {} cannot be read: {}", file, std::strerror(errno)));
    text_.assign(std::istreambuf_iterator<char>(in), {});
    read_.sites.emplace_back();
    read_.teams.emplace_back();
  }

  recording read() {
    if (text_.empty())
      throw error(
          fmt::format("overlap: {} is empty: the program was not compiled with -foverlap, or has "
                      "called nothing of OpenSHMEM",
                      file_));
    std::string_view rest = text_;
    try {
      while (read_block(rest)) {
      }
    } catch (const error& problem) {
      throw error(fmt::format("overlap: {} is damaged {} bytes from its beginning: {}", file_,
                              text_.size() - rest.size(), problem.what()));
    }
    if (read_.pes.empty())
      throw error(fmt::format(
          "overlap: {} is cut off before the end of its first block, or no recording at all: record again",
          file_));
    auto& all = read_.teams.front();
    all.resize(read_.pes.size());
    std::iota(all.begin(), all.end(), 0);
    return std::move(read_);
  }

 private:
  // The last one may be cut off.
  bool read_block(std::string_view& rest) {
    block_head head{};
    if (rest.size() < sizeof head) return false;
    std::memcpy(&head, rest.data(), sizeof head);
    if (head.magic != block_magic) throw error("this is no recording of windrow overlap");
    if (head.version != format_version)
      throw error(fmt::format("it has format {} and this is the reader of format {}: record again",
                              head.version, format_version));
    if (rest.size() - sizeof head < head.bytes) return false;
    const auto text = rest.substr(sizeof head, head.bytes);
    if (sum_of(text) != head.sum) throw error("a block has changed");
    read_text(text, head.pe);
    rest.remove_prefix(sizeof head + head.bytes);
    return !rest.empty();
  }

  void read_text(std::string_view text, std::uint32_t pe) {
    text_reader in(text);
    std::uint64_t now_ns = 0;
    while (!in.at_end()) {
      const auto what = in.byte();
      if (what < actions)
        read_event(in, static_cast<action>(what), pe, now_ns);
      else
        read_name(in, static_cast<record>(what), pe, now_ns);
    }
  }

  void read_event(text_reader& in, action what, std::uint32_t pe, std::uint64_t& now_ns) {
    auto one = read_event_text(in, what, now_ns);
    auto& names = names_[pe];
    if (!names.sites.contains(one.site) || !names.teams.contains(one.team))
      throw error("an event names what the recording does not have");
    one.site = names.sites[one.site];
    one.team = names.teams[one.team];
    events_of(pe).events.push_back(one);
    events_of(pe).ended = false; // shmem_init has come again
  }

  void read_name(text_reader& in, record what, std::uint32_t pe, std::uint64_t& now_ns) {
    switch (what) {
      case record::head:
        return read_head(in, now_ns);
      case record::site:
        return read_site(in, pe);
      case record::team:
        return read_team(in, pe);
      case record::end:
        events_of(pe).ended = true;
        return;
    }
    throw error("it has something that this version does not know");
  }

  pe_events& events_of(std::uint32_t pe) {
    if (pe >= read_.pes.size()) throw error("it names a PE that its job does not have");
    return read_.pes[pe];
  }

  void read_head(text_reader& in, std::uint64_t& now_ns) {
    const auto pes = in.number();
    if (pes == 0 || pes > most_pes || (!read_.pes.empty() && read_.pes.size() != pes))
      throw error("its PEs are not of one job");
    read_.pes.resize(pes);
    read_.all_accesses = in.number() != 0;
    now_ns = in.number();
  }

  void read_site(text_reader& in, std::uint32_t pe) {
    const auto number = in.number();
    site found;
    for (auto frames = in.number(); frames > 0; --frames) {
      frame one;
      one.file = in.text();
      one.function = in.text();
      one.line = static_cast<int>(in.number());
      one.column = static_cast<int>(in.number());
      one.hash = in.number();
      found.push_back(std::move(one));
    }
    names_[pe].sites[number] = index_of(read_.sites, sites_, std::move(found));
  }

  void read_team(text_reader& in, std::uint32_t pe) {
    const auto number = in.number();
    std::vector<int> members;
    for (auto left = in.number(); left > 0; --left) members.push_back(static_cast<int>(in.number()));
    if (std::ranges::any_of(members,
                            [&](int one) { return one < 0 || one >= static_cast<int>(read_.pes.size()); }))
      throw error("a team has members that are not there");
    const bool all = members.size() == read_.pes.size();
    names_[pe].teams[number] = all ? 0 : index_of(read_.teams, teams_, std::move(members));
  }

  template <class T>
  static std::uint32_t index_of(std::vector<T>& list, std::map<T, std::uint32_t>& known, T one) {
    const auto [at, fresh] = known.try_emplace(std::move(one), static_cast<std::uint32_t>(list.size()));
    if (fresh) list.push_back(at->first);
    return at->second;
  }

  std::string file_, text_;
  recording read_;
  std::map<site, std::uint32_t> sites_{{{}, 0}}; ///< where they are in the recording
  std::map<std::vector<int>, std::uint32_t> teams_{{{}, 0}};
  std::map<std::uint32_t, known_names> names_;
};

} // namespace

const char* name_of(action what) {
  constexpr const char* names[] = {
      "put",   "get",     "atomic",     "put with signal", "fence",
      "quiet", "barrier", "collective", "release",         "wait",
      "test",  "load",    "store",      "end of life",     "call into other code"};
  static_assert(std::size(names) == actions);
  return names[static_cast<int>(what)];
}

std::string place_of(const site& where) {
  if (where.empty()) return "unknown";
  const auto& inner = where.front();
  if (inner.line == 0) return fmt::format("{}:{}()", inner.file, inner.function);
  return fmt::format("{}:{}:{}", inner.file, inner.line, inner.column);
}

recording read_recording(const std::string& file) {
  return file_reader(file).read();
}

} // namespace windrow::overlap
