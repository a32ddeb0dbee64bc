// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/overlap/c_library.hpp"

#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringSet.h>

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
  const auto argument = of_streams.lookup(call.getCalledFunction()->getName());
  if (argument == standard_output) return {std::nullopt, "stdout"};
  return {static_cast<unsigned>(argument), ""};
}

bool frees(StringRef name) {
  return name == "free" || name == "realloc" || name == "reallocf" || name.starts_with("_Zd");
}

} // namespace windrow::compiler::overlap
