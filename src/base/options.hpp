// SPDX-License-Identifier: BSD-3-Clause
// Reading WINDROW_* environment variables. A value that cannot be understood ends the program with a sentence
// that names the variable, the value and what would be right: nothing is guessed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace windrow::base {

/// A count of bytes written as `4096`, `64K`, `1.5G`, `2GiB` (powers of 1024, any case), or nothing if
/// malformed.
std::optional<std::uint64_t> parse_size(std::string_view text);

/// A duration written as `500ns`, `50us`, `0.5ms` or `2s` (or `0`), in nanoseconds, or nothing if malformed.
std::optional<std::uint64_t> parse_duration(std::string_view text);

/// "1.5 GiB", "576 KiB", "12 B": at most one decimal.
std::string format_size(std::uint64_t bytes);

/// The variable's text, or nothing when it is unset or empty.
std::optional<std::string> text_option(const char* name);

/// What is to become of text behind the letter of a size's unit; nobody but OpenSHMEM ignores it.
enum class behind_unit { counts, ignored };
std::uint64_t size_option(const char* name, std::uint64_t otherwise, behind_unit = behind_unit::counts);
/// In nanoseconds; nothing when it is unset or empty.
std::optional<std::uint64_t> duration_option(const char* name);
long integer_option(const char* name, long otherwise, long least, long most);
bool flag_option(const char* name, bool otherwise);
/// Whether a switch with this value is off.
bool switches_off(std::string_view text);

} // namespace windrow::base
