// SPDX-License-Identifier: BSD-3-Clause
#include "trace/recorder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iterator>
#include <string_view>

#include "base/fatal.hpp"
#include "base/options.hpp"
#include "os/loaded_file.hpp"
#include "windrow/error.hpp"

namespace windrow::trace {

namespace {

constexpr std::size_t kept_events = 4096;
constexpr std::string_view file_end = "\n]\n";

std::uint32_t number_of_thread() {
  static std::atomic<std::uint32_t> next = 0;
  thread_local const std::uint32_t mine = next++;
  return mine;
}

// What has not been written yet when the process ends with a sentence. Never destroyed: the job of one may be
// a global variable, which ends after those of this library.
std::mutex recorders_mutex;
std::vector<recorder*>& recorders() {
  static auto& all = *new std::vector<recorder*>;
  return all;
}

const char* name_of(category what) {
  constexpr const char* names[] = {"direct", "synchronization", "handler", "task", "object"};
  return names[static_cast<std::size_t>(what)];
}

/// What `first` and `second` are called; null: they mean nothing.
struct argument_names {
  const char *first, *second;
};
argument_names arguments_of(category what) {
  constexpr argument_names names[] = {
      {"offset", "bytes"}, {"object", nullptr}, {"kind", "items"}, {nullptr, nullptr}, {"object", "bytes"}};
  return names[static_cast<std::size_t>(what)];
}

// Names of files may have any characters.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : text) {
    if (c == '"' || c == '\\')
      result += {'\\', c};
    else if (static_cast<unsigned char>(c) < 0x20)
      result += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    else
      result += c;
  }
  return result;
}

/// Nanoseconds as the microseconds that the format has.
std::string microseconds(std::uint64_t ns) {
  return fmt::format("{}.{:03}", ns / 1000, ns % 1000);
}

} // namespace

recorder::recorder(std::string file, pe_t self, pe_t host, clock now)
    : file_(std::move(file)), self_(self), host_(host), now_(std::move(now)) {
  const int flags = O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (self == host ? O_TRUNC : 0);
  output_ = os::descriptor(::open(file_.c_str(), flags, 0666));
  if (!output_.is_open())
    throw error(fmt::format("WINDROW_TRACE: cannot write {}: {}", file_, std::strerror(errno)));
  records_.reserve(kept_events);
  if (self == host)
    write(fmt::format(
        "[\n{{\"name\":\"process_sort_index\",\"ph\":\"M\",\"pid\":{0},\"args\":{{\"sort_index\":{0}}}}}",
        self));
  const std::lock_guard lock(recorders_mutex);
  recorders().push_back(this);
  base::before_end(write_all_out);
  [[maybe_unused]] static const int at_exit = std::atexit(write_all_out);
}

recorder::~recorder() {
  const std::lock_guard lock(recorders_mutex);
  std::erase(recorders(), this);
  try {
    if (!ended_) write_out();
  } catch (const std::exception&) { // there is no memory for the text, and nobody to tell
  }
}

// Of a process that ends. The thread that holds a lock now may be the one that ends it. One that was forked
// has copies.
void recorder::write_all_out() {
  const std::unique_lock all(recorders_mutex, std::try_to_lock);
  if (!all) return;
  for (auto* r : recorders())
    if (const std::unique_lock one(r->mutex_, std::try_to_lock);
        one && !r->ended_ && r->process_ == ::getpid())
      r->write_out();
}

void recorder::add(const event& what, std::uint64_t begin_ns, std::uint64_t end_ns) {
  const std::lock_guard lock(mutex_);
  if (ended_) return;
  if (records_.size() == kept_events) write_out();
  records_.push_back({what, begin_ns, end_ns, number_of_thread()});
}

const std::string& recorder::name_of(const void* site) {
  auto& name = sites_[site];
  if (name.empty())
    name = escaped(os::place_in_file(static_cast<const char*>(site) - 1)); // the call is before
  return name;
}

void recorder::append(std::string& text, const record& r) {
  const auto& e = r.what;
  auto out = std::back_inserter(text);
  for (; threads_ <= r.thread; ++threads_)
    fmt::format_to(
        out,
        ",\n{{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":{},\"tid\":{},\"args\":{{\"name\":\"{}\"}}}}",
        self_, threads_, threads_ == 0 ? "program" : fmt::format("thread {}", threads_));
  fmt::format_to(out,
                 ",\n{{\"name\":\"{}\",\"cat\":\"{}\",\"ph\":\"X\",\"ts\":{},\"dur\":{},\"pid\":{},\"tid\":{}"
                 ",\"args\":{{",
                 escaped(e.name), trace::name_of(e.what), microseconds(r.begin_ns),
                 microseconds(r.end_ns - std::min(r.begin_ns, r.end_ns)), self_, r.thread);
  const char* comma = "";
  const auto argument = [&](const char* name, const auto& value) {
    fmt::format_to(out, "{}\"{}\":{}", std::exchange(comma, ","), name, value);
  };
  const auto names = arguments_of(e.what);
  if (e.pe >= 0) argument("pe", e.pe);
  if (names.first != nullptr) argument(names.first, e.first);
  if (names.second != nullptr) argument(names.second, e.second);
  if (e.site != nullptr) argument("site", fmt::format("\"{}\"", name_of(e.site)));
  text += "}}";
}

void recorder::write_out() {
  std::string text;
  if (written_ == 0)
    text = fmt::format(
        ",\n{{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":{0},\"args\":{{\"name\":\"PE {0}\"}}}}", self_);
  for (const auto& r : records_) append(text, r);
  written_ += records_.size();
  write(text);
  records_.clear();
}

// By one call each, so that what PEs append does not mix.
void recorder::write(const std::string& text) {
  if (lost_ > 0 || text.empty()) {
    lost_ += records_.size();
    return;
  }
  const auto written = ::write(output_.get(), text.data(), text.size());
  if (written == static_cast<ssize_t>(text.size())) return;
  base::say(fmt::format("WINDROW_TRACE: cannot write to {}: {}; the trace ends before {}", file_,
                        written < 0 ? std::strerror(errno) : "no space left",
                        records_.empty() ? "anything" : records_.front().what.name));
  lost_ = records_.size() + 1;
}

void recorder::end() {
  const std::lock_guard lock(mutex_);
  if (ended_) return;
  write_out();
  write(fmt::format(
      ",\n{{\"name\":\"end of "
      "trace\",\"ph\":\"i\",\"s\":\"p\",\"ts\":{},\"pid\":{},\"tid\":0,\"args\":{{\"events\":{}}}}}",
      microseconds(now_ns()), self_, written_));
  if (lost_ > 0) base::say(fmt::format("WINDROW_TRACE: {} events are not in {}", lost_ - 1, file_));
  ended_ = true;
}

void recorder::end_file() {
  if (self_ == host_) write(std::string(file_end));
}

void recorder::resume() {
  if (self_ == host_) {
    const auto size = ::lseek(output_.get(), 0, SEEK_END);
    if (::ftruncate(output_.get(), size - static_cast<off_t>(file_end.size())) != 0) lost_ = 1;
  }
  ended_ = false;
}

std::unique_ptr<recorder> chosen_recorder(pe_t self, pe_t host, recorder::clock now) {
  auto file = base::text_option("WINDROW_TRACE");
  if (!file) return nullptr;
  if (host != 0) *file += fmt::format(".{}", host);
  return std::make_unique<recorder>(std::move(*file), self, host, std::move(now));
}

} // namespace windrow::trace
