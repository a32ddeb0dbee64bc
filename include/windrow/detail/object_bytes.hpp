// SPDX-License-Identifier: BSD-3-Clause
// How objects, arguments and results become bytes: plain ones as they are, spans and strings in place, and
// others by their `serialize` in cereal's convention.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "windrow/detail/round_up.hpp"
#include "windrow/detail/variable_items.hpp"
#include "windrow/types.hpp"

#if __has_include(<cereal/cereal.hpp>)
#include "windrow/detail/cereal_archives.hpp"
#endif

namespace windrow::mobile {

/// Throws windrow::error: what reads has wanted more bytes than there are, or fewer.
[[noreturn]] void require_same_bytes(std::size_t written, std::size_t read);
void append_bytes(std::vector<std::byte>& to, const void* from, std::size_t size);

#if __has_include(<cereal/cereal.hpp>)
template <class T>
inline constexpr bool serializable = cereal::traits::is_output_serializable<T, output_archive>::value &&
                                     cereal::traits::is_input_serializable<T, input_archive>::value;
inline constexpr bool has_cereal = true;

/// Whether a class says itself, by a `serialize`, how it travels.
template <class T>
consteval bool has_own_form() {
  if constexpr (detail::is_std_array<T>)
    return has_own_form<typename T::value_type>();
  else if constexpr (std::is_class_v<T> && !detail::complex_number<T>)
    return cereal::traits::is_output_serializable<T, plain_output>::value;
  else
    return false;
}
#else
template <class T>
inline constexpr bool serializable = false;
inline constexpr bool has_cereal = false;
template <class T>
consteval bool has_own_form() {
  return false;
}
#endif

/// As it lies in memory.
template <class T>
inline constexpr bool travels_as_bytes = false;
template <transferable T>
inline constexpr bool travels_as_bytes<T> = !has_own_form<T>();

template <class T>
constexpr void require_travels() {
  static_assert(!std::is_pointer_v<T>,
                "an address means nothing on another PE: send a mobile_ptr, or what it points to");
  constexpr bool is_hidden = std::is_trivially_copyable_v<T> && !transferable<T> && !serializable<T>;
  static_assert(std::is_pointer_v<T> || !is_hidden,
                "a class with a base, a constructor, members that are not public, or an address in it is not "
                "seen to be plain bytes: declare windrow::is_transferable for it if it is, or give it a "
                "serialize function as cereal (libcereal-dev) has them");
  static_assert(has_cereal || transferable<T> || is_hidden,
                "a type that is not trivially copyable travels by cereal: install libcereal-dev");
  static_assert(
      !has_cereal || transferable<T> || is_hidden || serializable<T>,
      "a class that is not trivially copyable needs a serialize function as cereal has them, and for "
      "members of the standard library cereal's header, as <cereal/types/vector.hpp>");
}

template <class T>
void save(const T& value, std::vector<std::byte>& to) {
  require_travels<T>();
  if constexpr (travels_as_bytes<T>) {
    append_bytes(to, &value, sizeof value);
  } else {
#if __has_include(<cereal/cereal.hpp>)
    output_archive archive(to);
    archive(value);
    archive.serializeDeferments(); // nobody else knows where the archive ends
#endif
  }
}

template <class T>
void load(T& value, std::span<const std::byte> from) {
  if constexpr (travels_as_bytes<T>) {
    if (from.size() != sizeof value) require_same_bytes(from.size(), sizeof value);
    std::memcpy(&value, from.data(), sizeof value);
  } else {
#if __has_include(<cereal/cereal.hpp>)
    input_archive archive(from);
    archive(value);
    archive.serializeDeferments();
    archive.require_end();
#endif
  }
}

/// Arguments lie one behind the other, each at a multiple of this.
inline constexpr std::size_t argument_unit = 8;

/// A span that does not travel: its elements are not constant, or not plain.
template <class T>
inline constexpr bool other_span = false;
template <class T, std::size_t N>
inline constexpr bool other_span<std::span<T, N>> = !detail::variable_item<std::span<T, N>>;

template <class T>
inline constexpr bool is_plain = travels_as_bytes<T> && !detail::variable_item<T>;

/// An argument on its way out. Refers to it if it is large, or a view.
template <class T>
class packed {
 public:
  static constexpr bool is_copied = is_plain<T> && sizeof(T) <= 16;

  explicit packed(const T& value) : value_(value) {
    static_assert(alignof(T) <= argument_unit || !is_plain<T>,
                  "an argument or result of a message is aligned to 8 bytes at most, an element of a span to "
                  "16: send it without its alignas");
    if constexpr (is_saved) save(value, content_);
  }
  std::size_t bytes() const {
    if constexpr (is_plain<T>)
      return detail::round_up(sizeof(T), argument_unit);
    else
      return argument_unit + detail::round_up(content().size(), argument_unit);
  }
  std::byte* write(std::byte* to) const {
    if constexpr (is_plain<T>) {
      std::memcpy(to, &value_, sizeof(T));
    } else {
      const auto all = content();
      const std::uint64_t size = all.size();
      std::memcpy(to, &size, sizeof size);
      if (size > 0) std::memcpy(to + argument_unit, all.data(), size);
    }
    return to + bytes();
  }

 private:
  static constexpr bool is_saved = !is_plain<T> && !detail::variable_item<T>;
  struct nothing {};

  std::span<const std::byte> content() const {
    if constexpr (detail::variable_item<T>)
      return {reinterpret_cast<const std::byte*>(value_.data()), value_.size() * sizeof(*value_.data())};
    else
      return content_;
  }

  std::conditional_t<is_copied, const T, const T&> value_;
  [[no_unique_address]] std::conditional_t<is_saved, std::vector<std::byte>, nothing> content_;
};

/// A view whose elements want more alignment than bytes in messages have.
template <class T>
class aligned_copy;
template <class T>
class aligned_copy<std::span<const T>> {
 public:
  explicit aligned_copy(std::span<const std::byte> content) : values_(content.size() / sizeof(T)) {
    if (!content.empty()) std::memcpy(values_.data(), content.data(), content.size());
  }
  operator std::span<const T>() const { return {reinterpret_cast<const T*>(values_.data()), values_.size()}; }

 private:
  struct alignas(T) room {
    std::byte content[sizeof(T)];
  };
  std::vector<room> values_;
};
template <class T>
constexpr bool wants_alignment() {
  if constexpr (detail::variable_item<T>)
    return alignof(typename detail::viewed<T>::value) > argument_unit;
  else
    return false;
}
/// What is unpacked for a parameter of type T.
template <class T>
using unpacked = typename std::conditional_t<wants_alignment<T>(), std::type_identity<aligned_copy<T>>,
                                             std::type_identity<T>>::type;

/// The argument that begins at `at`, which is moved behind it. Views refer to where it lies.
template <class T>
unpacked<T> unpack(const std::byte*& at) {
  if constexpr (is_plain<T>) {
    struct {
      std::byte content[sizeof(T)];
    } raw;
    std::memcpy(&raw, at, sizeof raw);
    at += detail::round_up(sizeof(T), argument_unit);
    return std::bit_cast<T>(raw);
  } else {
    std::uint64_t size;
    std::memcpy(&size, at, sizeof size);
    const std::span<const std::byte> content(at + argument_unit, size);
    at += argument_unit + detail::round_up<std::size_t>(size, argument_unit);
    if constexpr (wants_alignment<T>()) {
      return aligned_copy<T>(content);
    } else if constexpr (detail::variable_item<T>) {
      using value = typename detail::viewed<T>::value;
      return T(reinterpret_cast<const value*>(content.data()), size / sizeof(value));
    } else {
      T result{};
      load(result, content);
      return result;
    }
  }
}

} // namespace windrow::mobile
