// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/common/api/c_library.hpp"

#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Analysis/TargetLibraryInfo.h>

#include "compiler/common/analysis/formats.hpp"
#include "compiler/common/api/routines.hpp"

namespace windrow::compiler {

namespace {

// Functions that LLVM does not know: with a state of their own, and nothing else but their arguments. By what
// they return and take, or a program has its own under the name: d double, i int, l long, p pointer, v
// nothing, . any more.
const StringMap<StringRef> with_own_state{
    {"rand", "i"},           {"random", "l"},   {"drand48", "d"},  {"lrand48", "l"},
    {"mrand48", "l"},        {"srand", "vi"},   {"srandom", "vi"}, {"srand48", "vl"},
    {"time", "lp"},          {"clock", "l"},    {"rand_r", "ip"},  {"usleep", "ii"},
    {"sched_yield", "i"},    {"getpid", "i"},   {"sleep", "ii"},   {"clock_gettime", "iip"},
    {"gettimeofday", "ipp"}, {"erand48", "dp"}, {"nrand48", "lp"}, {"omp_get_wtime", "d"},
    {"fdatasync", "ii"}};

// Of those that LLVM knows, all that do something outside of memory, or with streams. Others with pointers,
// which it may come to know, are not believed to use these alone.
const StringSet<> with_output{"access",         "chmod",
                              "chown",          "clearerr",
                              "closedir",       "fclose",
                              "fdopen",         "feof",
                              "ferror",         "fflush",
                              "fgetc",          "fgetc_unlocked",
                              "fgetpos",        "fgets",
                              "fgets_unlocked", "fileno",
                              "fiprintf",       "fopen",
                              "fopen64",        "fprintf",
                              "fputc",          "fputc_unlocked",
                              "fputs",          "fputs_unlocked",
                              "fread",          "fread_unlocked",
                              "fscanf",         "fseek",
                              "fseeko",         "fseeko64",
                              "fsetpos",        "fstat",
                              "fstat64",        "fstatvfs",
                              "fstatvfs64",     "ftell",
                              "ftello",         "ftello64",
                              "fwrite",         "fwrite_unlocked",
                              "getc",           "getc_unlocked",
                              "_IO_getc",       "_IO_putc",
                              "getchar",        "getchar_unlocked",
                              "getitimer",      "getlogin_r",
                              "gets",           "iprintf",
                              "lchown",         "lstat",
                              "lstat64",        "mkdir",
                              "open",           "open64",
                              "opendir",        "pclose",
                              "perror",         "popen",
                              "pread",          "printf",
                              "putc",           "putc_unlocked",
                              "putchar",        "putchar_unlocked",
                              "puts",           "pwrite",
                              "read",           "readlink",
                              "realpath",       "remove",
                              "rename",         "rewind",
                              "rmdir",          "scanf",
                              "__isoc99_scanf", "setitimer",
                              "stat",           "stat64",
                              "statvfs",        "statvfs64",
                              "system",         "times",
                              "tmpfile",        "tmpfile64",
                              "uname",          "ungetc",
                              "unlink",         "utime",
                              "utimes",         "vfprintf",
                              "vfscanf",        "vprintf",
                              "vscanf",         "write"};

// Functions that LLVM does not know in each release, and that only compute: of real numbers, each also with f
// and l behind its name; of whole ones; of complex ones, in the compiler's own library too. And tables of
// characters, which nothing but a change of the locale changes.
const StringSet<> of_reals{"carg",      "ccos",      "cexp",    "clog",   "cpow",   "csin",
                           "csqrt",     "erf",       "erfc",    "fdim",   "hypot",  "ilogb",
                           "llrint",    "llround",   "logb",    "lrint",  "lround", "nearbyint",
                           "nextafter", "remainder", "scalbln", "scalbn", "tgamma"};
const StringSet<> of_integers{"div",      "imaxabs", "isalnum", "isalpha", "isblank", "iscntrl",
                              "isgraph",  "islower", "isprint", "ispunct", "isspace", "isupper",
                              "isxdigit", "ldiv",    "lldiv",   "tolower", "toupper"};
const StringSet<> of_complex_numbers{"__muldc3", "__mulsc3", "__mulxc3", "__divdc3", "__divsc3", "__divxc3"};
const StringSet<> tables_of_characters{"__ctype_b_loc", "__ctype_tolower_loc", "__ctype_toupper_loc"};

const StringSet<> only_reading{"strlen", "strnlen", "strcmp",  "strncmp", "memcmp", "bcmp",
                               "memchr", "strchr",  "strrchr", "strstr",  "atoi",   "atol",
                               "atof",   "atoll",   "getenv",  "wcslen"};

// What their arguments point to are numbers and texts.
const StringSet<> only_writing_numbers{
    "clock_gettime", "erand48", "frexp",  "frexpf", "frexpl",  "gettimeofday", "modf",   "modff",
    "modfl",         "nrand48", "rand_r", "remquo", "remquof", "remquol",      "sincos", "sincosf",
    "sincosl",       "stpcpy",  "strcat", "strcpy", "strncat", "strncpy",      "time"};

// They use memory that their arguments do not name, whether they have a pointer or not. Those of strtok_r are
// in its variable.
const StringSet<> beyond_arguments{"strtok", "fork"};

constexpr StringRef only_of_arguments[] = {
    "mem",    "str",    "stp",  "bcopy",          "bzero",  "bcmp",   "modf",    "frexp",        "remquo",
    "sincos", "wcslen", "vec_", "posix_memalign", "valloc", "sscanf", "vsscanf", "aligned_alloc"};

bool is_named(const Function& callee, StringRef types) {
  const auto fits = [](const Type& type, char letter) {
    switch (letter) {
      case 'v':
        return type.isVoidTy();
      case 'i':
        return type.isIntegerTy(32);
      case 'l':
        return type.isIntegerTy(64);
      case 'd':
        return type.isDoubleTy();
      default:
        return type.isPointerTy();
    }
  };
  const auto& type = *callee.getFunctionType();
  if (type.isVarArg() || type.getNumParams() + 1 != types.size()) return false;
  return fits(*type.getReturnType(), types.front()) && all_of(enumerate(type.params()), [&](const auto& one) {
           return fits(*one.value(), types[one.index() + 1]);
         });
}

bool has_pointers(const FunctionType& type) {
  return type.getReturnType()->isPointerTy() ||
         any_of(type.params(), [](Type* one) { return one->isPointerTy(); });
}

// Of numbers, and nothing else.
bool only_computes(const Function& callee) {
  const auto name = callee.getName();
  const auto& type = *callee.getFunctionType();
  if (tables_of_characters.contains(name)) return type.getNumParams() == 0;
  if (type.isVarArg() || has_pointers(type)) return false;
  return of_integers.contains(name) || of_complex_numbers.contains(name) || of_reals.contains(name) ||
         ((name.ends_with("f") || name.ends_with("l")) && of_reals.contains(name.drop_back()));
}

// With and without checks of sizes, and of a list of arguments.
bool prints_to_memory(StringRef name) {
  return any_of(ArrayRef<const char*>{"sprintf", "snprintf", "siprintf"},
                [&](const char* printing) { return name.contains(printing); });
}

// The name says what it is: the library's, or what -fno-builtin makes one of the program's.
const Function* named_callee(const CallBase& call) {
  const auto* callee = call.getCalledFunction();
  const auto& caller = *call.getFunction();
  const bool known = callee && callee->isDeclaration() && !caller.hasFnAttribute("no-builtins") &&
                     !caller.hasFnAttribute(("no-builtin-" + callee->getName()).str());
  return known ? callee : nullptr;
}

} // namespace

bool is_of_c_library(const CallBase& call) {
  const auto* callee = named_callee(call);
  if (!callee) return false;
  static const TargetLibraryInfoImpl library{Triple(callee->getParent()->getTargetTriple())}; // of one target
  LibFunc known{};
  return library.getLibFunc(*callee, known);
}

namespace {

bool is_of_memory(StringRef name) {
  name = name.starts_with("__") ? name.drop_front(2) : name;
  name = name.starts_with("isoc99_") ? name.drop_front(7) : name;
  return prints_to_memory(name) ||
         any_of(only_of_arguments, [&](StringRef begin) { return name.starts_with(begin); });
}

bool frees(StringRef name) {
  return name == "free" || name == "realloc" || name == "reallocf" || name.starts_with("_Zd");
}

bool only_writes_out(const CallBase& call, StringRef name) {
  return only_prints(call) || name.contains("puts") || name == "fwrite";
}

} // namespace

std::optional<c_effects> effects_of_c_function(const CallBase& call) {
  const auto name = callee_name(call);
  c_effects found;
  if (const auto own = with_own_state.find(name); own != with_own_state.end()) {
    const auto* callee = named_callee(call);
    if (!callee || !is_named(*callee, own->second)) return std::nullopt;
    found.writes = found.output = true;
    return found;
  }
  if (const auto* callee = named_callee(call); callee && only_computes(*callee)) {
    found.sets_errno =
        any_of(call.args(), [](const Use& one) { return one->getType()->isFloatingPointTy(); });
    return found;
  }
  if (!is_of_c_library(call) || beyond_arguments.contains(name)) return std::nullopt;
  const bool of_cxx = name.starts_with("_Z");
  found.throws = name.starts_with("_Zn") && !call.doesNotThrow();
  found.sets_errno = !call.doesNotAccessMemory() && !only_reading.contains(name) && !of_cxx;
  found.frees = frees(name);
  found.output = with_output.contains(name) || name.starts_with("__cxa_");
  found.reads_environment = name == "getenv";
  found.writes = !only_reading.contains(name) && !(found.output && only_writes_out(call, name));
  const bool pointers = any_of(call.args(), [](const Use& one) { return one->getType()->isPointerTy(); });
  const bool known =
      !pointers || found.output || found.frees || of_cxx || only_reading.contains(name) || is_of_memory(name);
  return known ? std::optional(found) : std::nullopt;
}

std::optional<unsigned> argument_left_in(const CallBase& call, unsigned holder) {
  const auto name = callee_name(call);
  const bool cursor = name.contains("strtok_r");
  const bool leaves = cursor ? holder == 2 : name.contains("strto") && holder == 1;
  return leaves && call.arg_size() > holder ? std::optional(0U) : std::nullopt;
}

bool forgets_its_arguments(const CallBase& call) {
  const auto* callee = named_callee(call);
  if (!callee || !effects_of_c_function(call) ||
      (callee->getReturnType()->isPointerTy() && !call.use_empty()))
    return false;
  const auto name = callee->getName();
  if (name.starts_with("strto") && call.arg_size() > 1)
    return isa<ConstantPointerNull>(call.getArgOperand(1));
  return only_reading.contains(name) || prints_to_memory(name) || only_prints(call) ||
         only_writing_numbers.contains(name) || name == "sscanf" || name == "__isoc99_sscanf";
}

bool returns_what_it_was_given(const CallBase& call) {
  const auto name = callee_name(call);
  return name == "strtok" || name == "getenv";
}

const Value* place_of_cursor(const CallBase& call) {
  return callee_name(call).contains("strtok_r") && call.arg_size() == 3 ? call.getArgOperand(2) : nullptr;
}

ArrayRef<keeping_function> keeping_functions() {
  static constexpr keeping_function all[] = {{"open_memstream", 0, 2, true}, {"open_wmemstream", 0, 2, true},
                                             {"fmemopen", 0, 1, false},      {"setvbuf", 1, 1, false},
                                             {"setbuf", 1, 1, false},        {"setbuffer", 1, 1, false},
                                             {"initstate", 1, 1, false},     {"setstate", 0, 1, false}};
  return all;
}

bool makes_library_call_back(StringRef function) {
  return function == "fopencookie" || function == "funopen" || function.starts_with("register_printf_");
}

} // namespace windrow::compiler
