// SPDX-License-Identifier: BSD-3-Clause
// The code of fmt, once for the library and all that is linked with it. The distribution has it compiled as a
// shared library only, which would then have to be wherever a program runs; compiled into each file that
// formats something (FMT_HEADER_ONLY), it was half of the time of a build.
#include <fmt/format-inl.h>

namespace fmt::detail {

// What the header declares for char and leaves to be compiled elsewhere.
template thousands_sep_result<char> thousands_sep_impl<char>(locale_ref);
template char decimal_point_impl<char>(locale_ref);
#if FMT_VERSION >= 100000 && FMT_VERSION < 110000
template void vformat_to<char>(buffer<char>&, basic_string_view<char>, vformat_args<char>::type, locale_ref);
#endif

} // namespace fmt::detail
