// SPDX-License-Identifier: BSD-3-Clause
// Objects in files: one of each PE, and `job`, which names the checkpoint and has what all PEs need to know.
// Each file ends with a fingerprint of what is in front of it. The name of the checkpoint is in the names of
// the files, so that a job which is killed while it saves has the checkpoint before it: the renaming of
// `job`, when all else is on disk, makes the new one that which is there.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <ranges>
#include <string_view>

#include "base/fatal.hpp"
#include "base/fingerprint.hpp"
#include "mobile/together.hpp"
#include "os/descriptor.hpp"
#include "windrow/detail/object_core.hpp"
#include "windrow/error.hpp"

namespace windrow::mobile {

namespace {

const listed_type* all_types = nullptr;

constexpr std::array magic{'W', 'i', 'n', 'd', 'r', 'o', 'w', '3'};

std::string file_of(const std::string& directory, std::uint64_t name, std::size_t pe) {
  return fmt::format("{}/objects.{}.{}", directory, name, pe);
}

/// Whether a file has objects of another checkpoint: "objects.", its name, a dot, a PE. Anything else is the
/// user's.
bool is_left_over(const std::filesystem::path& file, std::uint64_t name) {
  constexpr std::string_view before = "objects.";
  const auto text = file.filename().string();
  if (!text.starts_with(before) || text.starts_with(fmt::format("{}{}.", before, name))) return false;
  const auto numbers = std::string_view(text).substr(before.size());
  const auto dot = numbers.find('.');
  const auto is_number = [](std::string_view digits) {
    return !digits.empty() && digits.find_first_not_of("0123456789") == digits.npos;
  };
  return dot != numbers.npos && is_number(numbers.substr(0, dot)) && is_number(numbers.substr(dot + 1));
}

// What is left over is in nobody's way.
void remove_left_over(const std::string& directory, std::uint64_t name) {
  std::error_code ignored;
  for (const auto& file : std::filesystem::directory_iterator(directory, ignored))
    if (is_left_over(file, name)) std::filesystem::remove(file, ignored);
}

/// False if that is not on disk.
bool is_on_disk(const std::string& file) {
  const os::descriptor opened(::open(file.c_str(), O_RDONLY | O_CLOEXEC));
  return opened.is_open() && (::fsync(opened.get()) == 0 || errno == EINVAL); // some file systems have none
}

std::uint64_t fingerprint_of(std::span<const std::byte> bytes) {
  base::fingerprint f;
  f.add(bytes);
  return f.value();
}

/// What a file is made of.
class content {
 public:
  content() { bytes(magic.data(), magic.size()); }

  void number(std::uint64_t n) { bytes(&n, sizeof n); }
  void bytes(const void* from, std::size_t size) { append_bytes(all_, from, size); }
  void text(std::string_view t) {
    number(t.size());
    bytes(t.data(), t.size());
  }
  /// False if it cannot write.
  bool write(const std::string& file) {
    number(fingerprint_of(all_));
    std::ofstream out(file, std::ios::binary);
    out.write(reinterpret_cast<const char*>(all_.data()), static_cast<std::streamsize>(all_.size()));
    out.close();
    return out.good() && is_on_disk(file);
  }

 private:
  std::vector<std::byte> all_;
};

/// Reads such a file. Throws windrow::error if it is none, or not whole.
class reader {
 public:
  explicit reader(const std::string& file) : file_(file) {
    std::error_code failure;
    const auto size = std::filesystem::file_size(file, failure);
    std::ifstream in(file, std::ios::binary);
    if (!failure) all_.resize(size);
    auto* const text = reinterpret_cast<char*>(all_.data());
    if (failure || !in.read(text, static_cast<std::streamsize>(size)))
      throw error(fmt::format("cannot read {}", file));
    if (!std::string_view(text, size).starts_with(std::string_view(magic.data(), magic.size())))
      throw error(fmt::format("{} is no part of a checkpoint of Windrow", file));
    left_ = std::span<const std::byte>(all_).subspan(magic.size());
    if (left_.size() >= sizeof(std::uint64_t)) {
      const auto end = all_.size() - sizeof(std::uint64_t);
      std::uint64_t written;
      std::memcpy(&written, all_.data() + end, sizeof written);
      left_ = left_.first(left_.size() - sizeof written);
      if (written == fingerprint_of(std::span<const std::byte>(all_).first(end))) return;
    }
    incomplete();
  }

  std::uint64_t number() {
    std::uint64_t n;
    std::memcpy(&n, bytes(sizeof n).data(), sizeof n);
    return n;
  }
  std::span<const std::byte> bytes(std::size_t size) {
    if (size > left_.size()) incomplete();
    const auto result = left_.first(size);
    left_ = left_.subspan(size);
    return result;
  }
  std::string text() {
    const auto t = bytes(number());
    return {reinterpret_cast<const char*>(t.data()), t.size()};
  }

 private:
  [[noreturn]] void incomplete() const {
    throw error(fmt::format("{} is not whole, or was changed: the checkpoint cannot be used", file_));
  }

  std::string file_;
  std::vector<std::byte> all_;
  std::span<const std::byte> left_;
};

void write(content& to, const std::vector<std::uint64_t>& numbers) {
  to.number(numbers.size());
  for (const auto n : numbers) to.number(n);
}
std::vector<std::uint64_t> read_numbers(reader& from) {
  std::vector<std::uint64_t> numbers(from.number());
  for (auto& n : numbers) n = from.number();
  return numbers;
}

/// Throws if the program has several classes of that name, in unnamed namespaces of its files.
void require_one_class(std::string_view name) {
  if (name.find("_GLOBAL__N_") == name.npos) return;
  const object_type* found = nullptr;
  for (const auto* t = all_types; t != nullptr; t = t->next) {
    if (t->type.name != name) continue;
    if (found != nullptr && found->tag != t->type.tag)
      throw error(
          fmt::format("a checkpoint cannot tell the classes {} of several files apart; give them "
                      "different names",
                      readable_name(t->type.name)));
    found = &t->type;
  }
}
/// The class of that name. Throws if the program has none.
const object_type& type_of(const std::string& name, const std::string& file) {
  require_one_class(name);
  for (const auto* t = all_types; t != nullptr; t = t->next)
    if (t->type.name == name) return t->type;
  throw error(fmt::format("{} has an object of class {}, which this program has not", file,
                          readable_name(name.c_str())));
}

// One that has ended has no blocks, and no class.
void write(content& to, const index_set& all) {
  if (all.type != nullptr) require_one_class(all.type->name);
  to.text(all.type == nullptr ? "" : all.type->name);
  to.number(all.blocks.size());
  for (const auto& b : all.blocks) to.number(b.first), to.number(b.id_of_0);
  to.number(all.most);
  to.number(all.first_promised);
  write(to, all.inserted);
  write(to, all.erased);
}
index_set read_indices(reader& from, const std::string& file) {
  index_set all;
  if (const auto name = from.text(); !name.empty()) all.type = &type_of(name, file);
  all.blocks.resize(from.number());
  for (auto& b : all.blocks) b = {from.number(), from.number()};
  all.most = from.number();
  all.first_promised = from.number();
  all.inserted = read_numbers(from);
  all.erased = read_numbers(from);
  return all;
}

} // namespace

listed_type::listed_type(const object_type& t)
    : type(t), portable(aggregation::portable_address(&t)), next(std::exchange(all_types, this)) {}

// Of classes in unnamed namespaces of several files, which have one name, the address of the name tells.
std::size_t place_in_cell_of(const char* name) {
  std::size_t result = 0;
  for (const auto* t = all_types; t != nullptr; t = t->next) {
    if (t->type.name == name) return t->type.value;
    if (std::string_view(t->type.name) == name) result = t->type.value;
  }
  return result;
}

// ---- saving

void core::save(const std::string& directory) {
  if (directory.empty()) base::fatal("save: the directory has no name");
  barrier();
  const auto now = std::chrono::system_clock::now().time_since_epoch().count();
  const auto name = job_.world().broadcast(static_cast<std::uint64_t>(now), 0);
  const auto mine = ids();
  const auto counts = job_.world().allgather(std::uint64_t{mine.size()});
  const auto serials = job_.world().allgather(next_serial_);
  const auto file = file_of(directory, name, static_cast<std::size_t>(job_.pe()));
  const auto job_file = directory + "/job.new";
  const auto write_all = [&] {
    std::error_code ignored; // whoever cannot write says so
    std::filesystem::create_directories(directory, ignored);
    content own;
    own.number(name);
    for (const auto id : mine) {
      const auto& c = *find(id);
      require_one_class(c.type->name);
      std::vector<std::byte> value;
      c.type->save(c, value);
      own.number(id);
      own.text(c.type->name);
      own.number(value.size());
      own.bytes(value.data(), value.size());
    }
    if (!own.write(file)) throw error(fmt::format("cannot write {}", file));
    if (job_.pe() != 0) return;
    content all;
    all.number(name);
    all.number(std::max(counts.size(), serials_of_all_.size()));
    for (std::size_t pe = 0; pe < counts.size(); ++pe) all.number(counts[pe]), all.number(serials[pe]);
    for (auto pe = counts.size(); pe < serials_of_all_.size(); ++pe)
      all.number(0), all.number(serials_of_all_[pe]);
    all.number(collections_.size() + restored_.size());
    all.number(next_promised_);
    for (const auto& c : collections_) write(all, c == nullptr ? index_set() : *c);
    for (const auto& c : restored_ | std::views::reverse) write(all, *c);
    if (!all.write(job_file)) throw error(fmt::format("cannot write {}/job", directory));
  };
  try {
    together(job_.world(), write_all);
  } catch (...) { // the next one may need the room
    std::error_code ignored;
    std::filesystem::remove(file, ignored);
    if (job_.pe() == 0) std::filesystem::remove(job_file, ignored);
    throw;
  }
  // All of it is written: now it takes the place of what was there.
  together(job_.world(), [&] {
    if (job_.pe() != 0) return;
    std::error_code failure;
    std::filesystem::rename(job_file, directory + "/job", failure);
    if (failure) throw error(fmt::format("cannot write {}/job: {}", directory, failure.message()));
    if (!is_on_disk(directory)) throw error(fmt::format("cannot write {}", directory));
    remove_left_over(directory, name);
  });
}

// ---- restoring

class core::checkpoint_reader {
 public:
  checkpoint_reader(core& c, std::string directory) : core_(c), directory_(std::move(directory)) {}
  ~checkpoint_reader() {
    for (const auto& [id, c] : objects_) c->type->destroy(c);
  }
  checkpoint_reader(const checkpoint_reader&) = delete;
  checkpoint_reader& operator=(const checkpoint_reader&) = delete;

  /// The part of this PE: its block of all objects, in the order of those who had them.
  void read() {
    reader all(directory_ + "/job");
    name_ = all.number();
    std::vector<std::uint64_t> counts(all.number());
    std::uint64_t total = 0;
    for (auto& count : counts) {
      total += count = all.number();
      serials_.push_back(all.number());
    }
    collections_.resize(all.number());
    next_promised_ = all.number();
    for (auto& c : collections_) c = std::make_unique<index_set>(read_indices(all, directory_ + "/job"));
    std::erase_if(collections_, [](const auto& c) { return c->type == nullptr; }); // had ended
    std::ranges::reverse(collections_);
    const auto pe = static_cast<std::uint64_t>(core_.job_.pe()),
               pes = static_cast<std::uint64_t>(core_.job_.pes());
    read_objects(counts, total * pe / pes, total * (pe + 1) / pes);
  }
  /// Every PE has its part: from now on it is there.
  void settle() {
    const auto pe = static_cast<std::size_t>(core_.job_.pe());
    if (pe < serials_.size()) core_.next_serial_ = serials_[pe];
    core_.serials_of_all_ = std::move(serials_);
    core_.restored_ = std::move(collections_);
    core_.next_promised_ = next_promised_;
    core_.protocol_.begin_with(core_.next_serial_);
    core_.job_.barrier(); // before the first news of objects whose home is here
    for (const auto& [id, c] : std::exchange(objects_, {})) {
      const guard locked(core_);
      c->id = id;
      core_.protocol_.arrived({id, 1, {}}, c);
      if (const auto home = core_.protocol_.home(id); home != core_.job_.pe())
        core_.send_news(home, {id, core_.job_.pe(), 1});
    }
    core_.barrier();
  }

 private:
  void read_objects(const std::vector<std::uint64_t>& counts, std::uint64_t begin, std::uint64_t end) {
    std::uint64_t at = 0; // of all objects, the first of this file
    for (std::size_t pe = 0; pe < counts.size(); at += counts[pe++]) {
      if (at >= end || at + counts[pe] <= begin) continue;
      const auto file = file_of(directory_, name_, pe);
      reader objects(file);
      if (objects.number() != name_) throw error(fmt::format("{} is of another checkpoint than job", file));
      for (auto i = at; i < std::min(end, at + counts[pe]); ++i) read_object(objects, i >= begin, file);
    }
  }
  void read_object(reader& objects, bool wanted, const std::string& file) {
    const auto id = objects.number();
    const auto name = objects.text();
    const auto value = objects.bytes(objects.number());
    if (wanted) objects_.emplace_back(id, load(type_of(name, file), value, file));
  }
  static cell* load(const object_type& type, std::span<const std::byte> value, const std::string& file) {
    try {
      return type.load(value);
    } catch (const error& e) { // of other bytes than its class has now
      throw error(fmt::format("{}: an object of class {}: {}", file, readable_name(type.name), e.what()));
    }
  }

  core& core_;
  std::string directory_;
  std::uint64_t name_ = 0;
  std::vector<std::uint64_t> serials_; ///< the next one of each PE
  std::vector<std::unique_ptr<index_set>> collections_;
  std::uint64_t next_promised_ = 0;
  std::vector<std::pair<object_id, cell*>> objects_; ///< of this PE, until they are the space's
};

void core::restore(const std::string& directory) {
  if (!serials_of_all_.empty())
    base::fatal(
        "restore: this object_space has restored a checkpoint already; make another one for the next");
  if (next_serial_ != 1 || !collections_.empty())
    base::fatal(
        "restore: this PE has made objects or collections already; restore an object_space before anything "
        "else");
  checkpoint_reader part(*this, directory);
  together(job_.world(), [&] { part.read(); });
  part.settle();
}

std::unique_ptr<index_set> core::restored_collection(const object_type& type, std::uint64_t size,
                                                     std::uint64_t most) {
  if (restored_.empty()) return nullptr;
  auto all = std::move(restored_.back());
  restored_.pop_back();
  if (all->type->tag != type.tag)
    base::fatal(
        fmt::format("a collection of class {} is made where the checkpoint has one of class {}: "
                    "after restore, make the same collections in the same order",
                    readable_name(type.name), readable_name(all->type->name)));
  if (all->begun_with() != size || all->most != most)
    base::fatal(fmt::format(
        "a collection has {} objects, and at most {}, and that of the checkpoint {} and {}: after "
        "restore, make the same collections in the same order",
        size, most, all->begun_with(), all->most));
  job_.barrier();
  return all;
}

} // namespace windrow::mobile
