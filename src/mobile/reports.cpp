// SPDX-License-Identifier: BSD-3-Clause
// What mobile objects say of themselves to the user: names, exceptions, and who waits for what.
#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/fatal.hpp"
#include "mobile/meetings.hpp"
#include "windrow/detail/object_core.hpp"
#include "windrow/object_event.hpp"

namespace windrow::mobile {

// ---- names

namespace {

const listed_handler* all_handlers = nullptr;

/// "[with auto Function = &counter::add]" of one compiler, "[Function = &counter::add]" of the other.
std::string function_in(std::string_view text) {
  constexpr std::string_view before = "Function = ";
  const auto begin = text.find(before);
  if (begin == text.npos) return std::string(text);
  auto name = text.substr(begin + before.size());
  name = name.substr(0, name.rfind(']'));
  if (const auto cast = name.rfind("(&"); cast != name.npos) // (type)(&name), of an overloaded one
    name = name.substr(cast + 1, name.rfind(')') - cast - 1);
  name.remove_prefix(std::min(name.find_first_not_of("& "), name.size()));
  return std::string(name);
}

} // namespace

listed_handler::listed_handler(code w, const char* text)
    : where(w), name(function_in(text)), next(std::exchange(all_handlers, this)) {}

const char* name_of_handler(std::uint64_t portable) {
  for (const auto* h = all_handlers; h != nullptr; h = h->next)
    if (h->where.portable() == portable) return h->name.c_str();
  return "a handler";
}

std::string readable_name(const char* type) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> name(abi::__cxa_demangle(type, nullptr, nullptr, &status),
                                                    std::free);
  return name == nullptr ? type : name.get();
}

// The number of one that was promised means nothing to anybody.
std::string core::name_of(object_id id) const {
  if (is_promised(id))
    if (const auto at = find_index(id); at.index != index_set::none)
      return fmt::format("object {} of collection {}", at.index, at.collection + 1);
  return fmt::format("object {} of PE {}", serial_of(id), home_of(id));
}

// What was destroyed has an index as long as its collection lives.
std::string core::name_with_index(object_id id, const char* type) const {
  std::vector<std::string> notes;
  if (const auto at = find_index(id); !is_promised(id) && at.index != index_set::none)
    notes.push_back(fmt::format("index {} of collection {}", at.index, at.collection + 1));
  if (type != nullptr) notes.push_back("class " + readable_name(type));
  return notes.empty() ? name_of(id) : fmt::format("{} ({})", name_of(id), fmt::join(notes, ", "));
}

// ---- exceptions

std::string core::handler_text(const char* name) {
  return fmt::format("the handler {}", name);
}

// Main code may be making a collection meanwhile.
std::string core::sentence_on_exception(object_id id, const char* type, const std::string& part) const {
  const guard locked(*this);
  return fmt::format("an exception left {} of {} on PE {}: {}", part, name_with_index(id, type), job_.pe(),
                     base::text_of_exception());
}

void core::end_by_exception(object_id id, const char* type, const std::string& part) const {
  base::fatal(sentence_on_exception(id, type, part) + "; catch it there, since nobody else can");
}

void core::end_by_exception(object_id id, const char* handler) const {
  const auto* const c = find(id);
  end_by_exception(id, c == nullptr ? nullptr : c->type->name, handler_text(handler));
}

// ---- who waits, and who came too late

namespace {

constexpr std::size_t most_lines = 20; ///< of each kind: of a million only the first matter to a reader

const char* text_of(wait_for w) {
  constexpr const char* texts[] = {"the end of a visit to it, or of a multicast",
                                   "an earlier message of that PE", "the object, or the news of its move",
                                   "its insertion"};
  return texts[static_cast<std::size_t>(w)];
}

std::string text_of(const message_head& head, std::span<const std::byte> body) {
  switch (what_of(head)) {
    case what::migrate:
      return "its move";
    case what::destroy:
      return "its end";
    default: {
      const auto* at = body.data();
      return name_of_handler(unpack<std::uint64_t>(at));
    }
  }
}

} // namespace

// An event ends with its last signal.
void core::refuse(const message_head& head, std::span<const std::byte> body) const {
  const auto message = text_of(head, body);
  if (message.ends_with("kept_message::signal")) refuse_signal();
  base::fatal(fmt::format(
      "a message of PE {} ({}) reaches {} after its destruction; destroy objects that nobody sends to",
      head.sender, message, name_with_index(head.id)));
}

std::string core::text_of_wait(object_id id, wait_for w) const {
  const auto at = w == wait_for::insertion ? find_index(id) : numbered{0, index_set::none};
  const bool gone = at.index != index_set::none && index_set_of(at.collection)->was_erased(at.index);
  return fmt::format("{}{}", text_of(w), gone ? ", though it was erased" : "");
}

std::string core::messages_without_object() const {
  const guard locked(*this);
  if (!meetings_->after_visits.empty()) return "a multicast, which waits for the end of a visit";
  if (protocol_.waiting() == 0) return {};
  auto text =
      fmt::format("{} message{}, the first ", protocol_.waiting(), protocol_.waiting() == 1 ? "" : "s");
  protocol_.for_each_waiting(1, [&](const message_head& head, std::span<const std::byte> body, wait_for w) {
    text += fmt::format("of PE {} for {} ({}), which waits for {}", head.sender, name_of(head.id),
                        text_of(head, body), text_of_wait(head.id, w));
  });
  return text;
}

std::size_t core::waiting() const {
  const auto locked = try_lock();
  return all_workers_ != nullptr && !locked ? 0 : protocol_.waiting();
}

std::string core::list_waiting() const {
  const auto locked = try_lock();
  if (all_workers_ != nullptr && !locked) return {}; // something goes on
  std::string lines;
  const auto line = [&](const std::string& text) { lines += fmt::format("\n  PE {}: {}", job_.pe(), text); };
  std::size_t calls = 0;
  for (const auto* t = expected_; t != nullptr; t = t->next)
    if (calls++ < most_lines)
      line(fmt::format("a call of {} of {} has no answer yet", t->handler->name, name_of(t->object)));
  if (calls > most_lines) line(fmt::format("and {} more calls", calls - most_lines));
  protocol_.for_each_waiting(
      most_lines, [&](const message_head& head, std::span<const std::byte> body, wait_for w) {
        line(fmt::format("a message of PE {} for {} ({}) waits for {}", head.sender, name_of(head.id),
                         text_of(head, body), text_of_wait(head.id, w)));
      });
  if (protocol_.waiting() > most_lines)
    line(fmt::format("and {} more messages", protocol_.waiting() - most_lines));
  list_uses(most_lines, lines);
  return lines;
}

} // namespace windrow::mobile
