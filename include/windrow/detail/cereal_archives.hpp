// SPDX-License-Identifier: BSD-3-Clause
// Archives of cereal over bytes in memory. All PEs of a job run the same program, so the bytes are those of
// its types.
#pragma once

#include <cereal/cereal.hpp>
#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

#include "windrow/types.hpp"

namespace windrow::mobile {

[[noreturn]] void require_same_bytes(std::size_t written, std::size_t read);
void append_bytes(std::vector<std::byte>& to, const void* from, std::size_t size);

/// Appends to a vector.
class output_archive : public cereal::OutputArchive<output_archive, cereal::AllowEmptyClassElision> {
 public:
  explicit output_archive(std::vector<std::byte>& to)
      : cereal::OutputArchive<output_archive, cereal::AllowEmptyClassElision>(this), to_(to) {}
  void write(const void* from, std::size_t size) { append_bytes(to_, from, size); }

 private:
  std::vector<std::byte>& to_;
};

/// Reads bytes that an output_archive has written. Throws windrow::error if one is missing or left.
class input_archive : public cereal::InputArchive<input_archive, cereal::AllowEmptyClassElision> {
 public:
  explicit input_archive(std::span<const std::byte> from)
      : cereal::InputArchive<input_archive, cereal::AllowEmptyClassElision>(this), from_(from) {}
  void read(void* to, std::size_t size) {
    if (size > from_.size() - at_) require_same_bytes(from_.size(), at_ + size);
    if (size > 0) std::memcpy(to, from_.data() + at_, size); // of an empty vector `to` is null
    at_ += size;
  }
  void require_end() const {
    if (at_ != from_.size()) require_same_bytes(from_.size(), at_);
  }

 private:
  std::span<const std::byte> from_;
  std::size_t at_ = 0;
};

/// An archive that nobody adds functions to: what travels by it can do so without those below.
struct plain_output : cereal::OutputArchive<plain_output, cereal::AllowEmptyClassElision> {
  plain_output() : cereal::OutputArchive<plain_output, cereal::AllowEmptyClassElision>(this) {}
};
/// A class of plain bytes without a serialize of its own, by itself and as a part of others.
template <class T>
concept plain_part = (std::is_class_v<T> || std::is_union_v<T>) && transferable<T> && !std::is_empty_v<T> &&
                     !cereal::traits::is_output_serializable<T, plain_output>::value;

// What cereal asks for by these names.
// NOLINTBEGIN(readability-identifier-naming)
template <class T>
  requires std::is_arithmetic_v<T>
void CEREAL_SAVE_FUNCTION_NAME(output_archive& archive, const T& value) {
  archive.write(&value, sizeof value);
}
template <class T>
  requires std::is_arithmetic_v<T>
void CEREAL_LOAD_FUNCTION_NAME(input_archive& archive, T& value) {
  archive.read(&value, sizeof value);
}
// The archive comes first, so that the probe is not asked about itself.
template <class Archive, class T>
  requires std::is_same_v<Archive, output_archive> && plain_part<T>
void CEREAL_SAVE_FUNCTION_NAME(Archive& archive, const T& value) {
  archive.write(&value, sizeof value);
}
template <class Archive, class T>
  requires std::is_same_v<Archive, input_archive> && plain_part<T>
void CEREAL_LOAD_FUNCTION_NAME(Archive& archive, T& value) {
  archive.read(&value, sizeof value);
}
template <class Archive, class T>
  requires std::is_same_v<Archive, output_archive> || std::is_same_v<Archive, input_archive>
void CEREAL_SERIALIZE_FUNCTION_NAME(Archive& archive, cereal::NameValuePair<T>& named) {
  archive(named.value);
}
template <class Archive, class T>
  requires std::is_same_v<Archive, output_archive> || std::is_same_v<Archive, input_archive>
void CEREAL_SERIALIZE_FUNCTION_NAME(Archive& archive, cereal::SizeTag<T>& tagged) {
  archive(tagged.size);
}
template <class T>
void CEREAL_SAVE_FUNCTION_NAME(output_archive& archive, const cereal::BinaryData<T>& data) {
  archive.write(data.data, static_cast<std::size_t>(data.size));
}
template <class T>
void CEREAL_LOAD_FUNCTION_NAME(input_archive& archive, cereal::BinaryData<T>& data) {
  archive.read(data.data, static_cast<std::size_t>(data.size));
}
// NOLINTEND(readability-identifier-naming)

} // namespace windrow::mobile

CEREAL_REGISTER_ARCHIVE(windrow::mobile::output_archive)
CEREAL_REGISTER_ARCHIVE(windrow::mobile::input_archive)
CEREAL_SETUP_ARCHIVE_TRAITS(windrow::mobile::input_archive, windrow::mobile::output_archive)
