// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/overlap/c_library.hpp"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Analysis/ValueTracking.h>

namespace windrow::compiler::overlap {

namespace {

const StringSet<> of_heap{"malloc",   "calloc",        "realloc", "reallocf", "free",
                          "memalign", "aligned_alloc", "valloc",  "pvalloc"};

// Not those that take a list of arguments, which may be pointers; that keep addresses of earlier calls
// (strtok, getenv); that call the program back (qsort); that start or leave a process.
const StringSet<> complete{
    // memory
    "memcpy", "mempcpy", "memmove", "memset", "memcmp", "bcmp", "bcopy", "bzero", "memchr", "memrchr",
    "memccpy", "__memcpy_chk", "__mempcpy_chk", "__memmove_chk", "__memset_chk", "__memccpy_chk",
    "memset_pattern4", "memset_pattern8", "memset_pattern16",
    // texts
    "strlen", "strnlen", "strcpy", "stpcpy", "strncpy", "stpncpy", "strcat", "strncat", "strlcpy", "strlcat",
    "strcmp", "strncmp", "strcasecmp", "strncasecmp", "strcoll", "strxfrm", "strchr", "strrchr", "strstr",
    "strpbrk", "strspn", "strcspn", "wcslen", "__strcpy_chk", "__stpcpy_chk", "__strncpy_chk",
    "__stpncpy_chk", "__strcat_chk", "__strncat_chk", "__strlcpy_chk", "__strlcat_chk", "__strlen_chk",
    "strtol", "strtoll", "strtoul", "strtoull", "atoi", "atol", "atoll", "sprintf", "snprintf", "siprintf",
    "__sprintf_chk", "__snprintf_chk", "sscanf", "__isoc99_sscanf",
    // numbers
    "abs", "labs", "llabs", "ffs", "ffsl", "ffsll", "fls", "flsl", "flsll", "htonl", "htons", "ntohl",
    "ntohs", "isascii", "isdigit", "toascii",
    // the system
    "read", "write", "pread", "pwrite", "gettimeofday", "times", "posix_memalign",
    // of C++
    "__cxa_guard_acquire", "__cxa_guard_release", "__cxa_guard_abort", "__cxa_atexit", "atexit"};

bool is_of_numbers(const CallBase& call) {
  return call.getType()->isFloatingPointTy() ||
         (call.arg_size() > 0 && call.getArgOperand(0)->getType()->isFloatingPointTy());
}

// By the argument that the stream is; -1: standard output.
constexpr int standard_output = -1;
const StringMap<int> of_streams{{"printf", standard_output},
                                {"puts", standard_output},
                                {"putchar", standard_output},
                                {"iprintf", standard_output},
                                {"putchar_unlocked", standard_output},
                                {"fprintf", 0},
                                {"fiprintf", 0},
                                {"fputs", 1},
                                {"fputs_unlocked", 1},
                                {"fputc", 1},
                                {"fputc_unlocked", 1},
                                {"putc", 1},
                                {"putc_unlocked", 1},
                                {"_IO_putc", 1},
                                {"fwrite", 3},
                                {"fwrite_unlocked", 3},
                                {"fread", 3},
                                {"fread_unlocked", 3},
                                {"fgets", 2},
                                {"fgets_unlocked", 2},
                                {"fgetc", 0},
                                {"fgetc_unlocked", 0},
                                {"getc", 0},
                                {"getc_unlocked", 0},
                                {"_IO_getc", 0},
                                {"ungetc", 1},
                                {"fflush", 0},
                                {"feof", 0},
                                {"ferror", 0},
                                {"clearerr", 0},
                                {"fileno", 0}};

// Those that may stop before the end of a text, as strcmp does, are not here, nor what is appended to: it is
// written behind its end.
const StringMap<SmallVector<used_text, 2>> of_texts{
    {"strlen", {{0, {}, {}}}},      {"strnlen", {{0, 1, {}}}},  {"strcpy", {{1, {}, 0}}},
    {"__strcpy_chk", {{1, {}, 0}}}, {"stpcpy", {{1, {}, 0}}},   {"__stpcpy_chk", {{1, {}, 0}}},
    {"strncpy", {{1, 2, {}}}},      {"strrchr", {{0, {}, {}}}}, {"strcat", {{1, {}, {}}}},
    {"puts", {{0, {}, {}}}},        {"fputs", {{0, {}, {}}}}};
const StringMap<unsigned> of_formats{{"printf", 0},   {"fprintf", 1},       {"sprintf", 1},
                                     {"snprintf", 2}, {"__sprintf_chk", 3}, {"__snprintf_chk", 4}};

/// Finds the arguments of a format that are texts.
class format_reader {
 public:
  format_reader(StringRef format, unsigned first) : rest_(format), next_(first) {}

  SmallVector<used_text, 2> read() {
    SmallVector<used_text, 2> found;
    while (true) {
      rest_ = rest_.drop_front(std::min(rest_.find('%'), rest_.size()));
      if (!rest_.consume_front("%")) return found;
      if (rest_.consume_front("%")) continue;
      if (!read_one(found)) return {}; // by numbers of arguments, say
    }
  }

 private:
  bool read_one(SmallVector<used_text, 2>& found) {
    used_text one{};
    rest_ = rest_.ltrim("-+ #0'I");
    if (rest_.consume_front("*"))
      ++next_;
    else
      rest_ = rest_.ltrim("0123456789");
    if (rest_.consume_front(".")) {
      one.most = 0;
      if (rest_.consume_front("*"))
        one.limit = next_++, one.most = UINT64_MAX;
      else
        rest_.consumeInteger(10, one.most);
    }
    const bool is_wide = rest_.starts_with("l");
    rest_ = rest_.ltrim("hlLqjzt");
    if (rest_.empty() || !isAlpha(rest_.front())) return false;
    const char kind = rest_.front();
    rest_ = rest_.drop_front();
    if (kind == 'm') return true;
    one.argument = next_++;
    if (kind == 's' && !is_wide) found.push_back(one);
    return true;
  }

  StringRef rest_;
  unsigned next_;
};

bool is_operator(StringRef name) {
  return name.starts_with("_Znw") || name.starts_with("_Zna") || name.starts_with("_Zdl") ||
         name.starts_with("_Zda");
}

} // namespace

reach reach_of(const CallBase& call, const TargetLibraryInfo& library) {
  const auto* callee = call.getCalledFunction();
  LibFunc which{};
  if (!callee || !library.getLibFunc(*callee, which)) return reach::unknown;
  const auto name = callee->getName();
  if (of_heap.contains(name) || is_operator(name)) return reach::heap;
  if (of_streams.count(name) != 0) return reach::stream;
  return complete.contains(name) || is_of_numbers(call) ? reach::arguments : reach::unknown;
}

used_stream stream_of(const CallBase& call) {
  const auto name = call.getCalledFunction()->getName();
  const auto argument = of_streams.lookup(name);
  const bool writes =
      name.contains("put") || name.contains("print") || name.starts_with("fwrite") || name == "fflush";
  if (argument == standard_output) return {std::nullopt, "stdout", writes};
  return {static_cast<unsigned>(argument), "", writes};
}

bool uses_descriptor(StringRef name) {
  return name == "write" || name == "pwrite" || name == "read" || name == "pread";
}

SmallVector<used_text, 2> texts_of(const CallBase& call) {
  if (!call.getCalledFunction()) return {};
  const auto name = call.getCalledFunction()->getName();
  if (const auto known = of_texts.find(name); known != of_texts.end()) return known->second;
  const auto at = of_formats.find(name);
  StringRef format;
  if (at == of_formats.end() || !getConstantStringInfo(call.getArgOperand(at->second), format)) return {};
  auto found = format_reader(format, at->second + 1).read();
  const auto is_there = [&](unsigned i) { return i < call.arg_size(); };
  const bool fits = all_of(found, [&](const used_text& one) {
    return is_there(one.argument) && is_there(one.limit.value_or(0)) &&
           call.getArgOperand(one.argument)->getType()->isPointerTy();
  });
  return fits ? found : SmallVector<used_text, 2>();
}

bool frees(StringRef name) {
  return name == "free" || name == "realloc" || name == "reallocf" || name.starts_with("_Zd");
}

} // namespace windrow::compiler::overlap
