// SPDX-License-Identifier: BSD-3-Clause
#include "compiler/overlap/plan.hpp"

#include <llvm/Support/JSON.h>
#include <llvm/Support/MemoryBuffer.h>

#include <initializer_list>

namespace windrow::compiler::overlap {

namespace {

constexpr int64_t known_version = 1;

/// Reads values and remembers the first thing that is wrong, with its name in the file.
class plan_reader {
 public:
  std::string wrong;

  void read(const json::Value& value, plan& to) {
    const auto* all = object(value, "the plan", {"schema", "version", "files", "entries", "silent_puts"});
    if (!all) return;
    if (text(*all, "schema") != "windrow-overlap-plan") return complain("it is no plan of windrow overlap");
    if (number(*all, "version") != known_version)
      return complain("it has version " + std::to_string(number(*all, "version")) +
                      ", and this compiler reads version 1: make it again");
    for (const auto& one : list(*all, "files"))
      if (const auto name = one.getAsString()) to.files.insert(name->str());
    for (const auto& one : list(*all, "entries")) read_entry(one, to);
    to.silent_puts = places(*all, "silent_puts");
  }

 private:
  void complain(std::string text) {
    if (wrong.empty()) wrong = std::move(text);
  }

  const json::Object* object(const json::Value& value, const char* what,
                             std::initializer_list<StringRef> fields) {
    const auto* found = value.getAsObject();
    if (!found) return complain(std::string(what) + " is no object"), nullptr;
    for (const auto& [name, field] : *found)
      if (!is_contained(fields, StringRef(name)))
        complain(std::string(what) + " has the field '" + StringRef(name).str() +
                 "', which this compiler does not know");
    return found;
  }

  const json::Array& list(const json::Object& of, StringRef name) {
    static const json::Array none;
    if (const auto* found = of.getArray(name)) return *found;
    return complain("it has no list '" + name.str() + "'"), none;
  }

  std::string text(const json::Object& of, StringRef name) {
    if (const auto found = of.getString(name)) return found->str();
    return complain("it has no text '" + name.str() + "' where one belongs"), "";
  }

  int64_t number(const json::Object& of, StringRef name) {
    if (const auto found = of.getInteger(name)) return *found;
    return complain("it has no number '" + name.str() + "' where one belongs"), 0;
  }

  planned_place read_place(const json::Value& value) {
    planned_place one;
    const auto* from = object(value, "a place", {"file", "function", "line", "column", "hash"});
    if (!from) return one;
    one.where = {text(*from, "file"), static_cast<unsigned>(number(*from, "line")),
                 static_cast<unsigned>(number(*from, "column"))};
    one.function = text(*from, "function");
    if (StringRef(text(*from, "hash")).getAsInteger(16, one.hash))
      complain("a hash is no number of hexadecimal digits");
    return one;
  }

  planned_place place(const json::Object& of) {
    if (const auto* found = of.get("site")) return read_place(*found);
    return complain("it has no 'site' where one belongs"), planned_place();
  }

  std::vector<planned_place> places(const json::Object& of, StringRef name) {
    std::vector<planned_place> found;
    for (const auto& one : list(of, name)) found.push_back(read_place(one));
    return found;
  }

  void read_entry(const json::Value& value, plan& to) {
    const auto* from = object(
        value, "an entry", {"id", "approved", "refused", "call", "site", "inlined", "complete", "evidence"});
    if (!from) return;
    plan_entry one{text(*from, "id"), text(*from, "call"), {}, {}};
    one.site = place(*from);
    for (const auto& each : list(*from, "complete"))
      if (const auto* until = object(each, "what completes an entry", {"before", "site", "times"}))
        one.complete.push_back(place(*until));
    const auto approved = from->getBoolean("approved");
    if (!approved) return complain("entry " + one.id + " does not say whether it is approved");
    if (!*approved) return;
    if (from->get("refused"))
      return complain("entry " + one.id + " cannot be approved: " + text(*from, "refused"));
    to.entries.push_back(std::move(one));
  }
};

} // namespace

std::string read_plan(const std::string& file, plan& to) {
  const auto buffer = MemoryBuffer::getFile(file);
  if (!buffer) return file + " cannot be read: " + buffer.getError().message();
  auto parsed = json::parse((*buffer)->getBuffer());
  if (!parsed) return file + " is no JSON: " + toString(parsed.takeError());
  plan_reader reader;
  reader.read(*parsed, to);
  return reader.wrong.empty() ? "" : file + ": " + reader.wrong;
}

const plan*& active_plan() {
  static const plan* active = nullptr;
  return active;
}

} // namespace windrow::compiler::overlap
