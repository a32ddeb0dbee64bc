// SPDX-License-Identifier: BSD-3-Clause
#include "apps/graph/unpack.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <new>

#include "windrow/error.hpp"
#ifdef WINDROW_HAS_LZMA
#include <lzma.h>
#endif
#ifdef WINDROW_HAS_ZSTD
#include <zstd.h>
#endif

namespace windrow::graph {

namespace {

void drop(std::span<char>& out, std::size_t rest) {
  out = out.last(rest);
}

class gzip_unpacker final : public unpacker {
 public:
  gzip_unpacker() {
    if (inflateInit2(&z_, MAX_WBITS + 16) != Z_OK) throw std::bad_alloc();
  }
  ~gzip_unpacker() override { inflateEnd(&z_); }
  gzip_unpacker(const gzip_unpacker&) = delete;
  gzip_unpacker& operator=(const gzip_unpacker&) = delete;

  void unpack(std::string_view& in, std::span<char>& out, bool) override {
    if (at_member_end_) in.remove_prefix(std::min(in.find_first_not_of('\0'), in.size())); // tapes are padded
    if (in.empty()) return;
    if (at_member_end_) inflateReset(&z_); // files may be put one behind another
    z_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(in.data()));
    z_.avail_in = static_cast<uInt>(in.size());
    z_.next_out = reinterpret_cast<Bytef*>(out.data());
    z_.avail_out = static_cast<uInt>(out.size());
    const int code = inflate(&z_, Z_NO_FLUSH);
    at_member_end_ = code == Z_STREAM_END;
    if (!at_member_end_ && code != Z_OK && code != Z_BUF_ERROR)
      throw error(z_.msg != nullptr ? z_.msg : "the gzip data are damaged");
    in = in.substr(in.size() - z_.avail_in);
    drop(out, z_.avail_out);
  }
  bool may_end() const override { return at_member_end_; }

 private:
  z_stream z_{};
  bool at_member_end_ = false;
};

#ifdef WINDROW_HAS_LZMA
class xz_unpacker final : public unpacker {
 public:
  xz_unpacker() {
    if (lzma_stream_decoder(&xz_, UINT64_MAX, LZMA_CONCATENATED) != LZMA_OK) throw std::bad_alloc();
  }
  ~xz_unpacker() override { lzma_end(&xz_); }
  xz_unpacker(const xz_unpacker&) = delete;
  xz_unpacker& operator=(const xz_unpacker&) = delete;

  void unpack(std::string_view& in, std::span<char>& out, bool is_last) override {
    if (at_end_) return;
    xz_.next_in = reinterpret_cast<const std::uint8_t*>(in.data());
    xz_.avail_in = in.size();
    xz_.next_out = reinterpret_cast<std::uint8_t*>(out.data());
    xz_.avail_out = out.size();
    const auto code = lzma_code(&xz_, is_last ? LZMA_FINISH : LZMA_RUN);
    at_end_ = code == LZMA_STREAM_END;
    if (code == LZMA_MEM_ERROR) throw std::bad_alloc();
    if (!at_end_ && code != LZMA_OK && code != LZMA_BUF_ERROR) throw error("the xz data are damaged");
    in = in.substr(in.size() - xz_.avail_in);
    drop(out, xz_.avail_out);
  }
  bool may_end() const override { return at_end_; }

 private:
  lzma_stream xz_ = LZMA_STREAM_INIT;
  bool at_end_ = false;
};
#endif

#ifdef WINDROW_HAS_ZSTD
class zstd_unpacker final : public unpacker {
 public:
  zstd_unpacker() : stream_(ZSTD_createDStream()) {
    if (!stream_) throw std::bad_alloc();
  }

  void unpack(std::string_view& in, std::span<char>& out, bool) override {
    if (in.empty() && at_frame_end_) return;
    ZSTD_inBuffer from{in.data(), in.size(), 0};
    ZSTD_outBuffer to{out.data(), out.size(), 0};
    const auto code = ZSTD_decompressStream(stream_.get(), &to, &from);
    if (ZSTD_isError(code) != 0) throw error(fmt::format("zstd: {}", ZSTD_getErrorName(code)));
    at_frame_end_ = code == 0;
    in = in.substr(from.pos);
    drop(out, out.size() - to.pos);
  }
  bool may_end() const override { return at_frame_end_; }

 private:
  struct closer {
    void operator()(ZSTD_DStream* stream) const { ZSTD_freeDStream(stream); }
  };
  std::unique_ptr<ZSTD_DStream, closer> stream_;
  bool at_frame_end_ = false;
};
#endif

[[noreturn]] void refuse(std::string_view by, std::string_view reason) {
  throw error(fmt::format("it is compressed by {}, {}: decompress it first", by, reason));
}

std::unique_ptr<unpacker> refuse_utf_16() {
  throw error("it is text in UTF-16: convert it first, for example by iconv -f UTF-16 -t UTF-8");
}

[[maybe_unused]] constexpr auto not_built_in = "which this Windrow was built without";
constexpr auto unknown = "which Windrow does not read";

std::unique_ptr<unpacker> make_gzip() {
  return std::make_unique<gzip_unpacker>();
}

std::unique_ptr<unpacker> make_xz() {
#ifdef WINDROW_HAS_LZMA
  return std::make_unique<xz_unpacker>();
#else
  refuse("xz", not_built_in);
#endif
}

std::unique_ptr<unpacker> make_zstd() {
#ifdef WINDROW_HAS_ZSTD
  return std::make_unique<zstd_unpacker>();
#else
  refuse("zstd", not_built_in);
#endif
}

struct signature {
  std::string_view beginning;
  std::unique_ptr<unpacker> (*make)();
};

constexpr std::array signatures{
    signature{"\x1f\x8b", make_gzip},
    signature{{"\xfd"
               "7zXZ\0",
               6},
              make_xz},
    signature{"\x28\xb5\x2f\xfd", make_zstd},
    signature{"BZh", []() -> std::unique_ptr<unpacker> { refuse("bzip2", unknown); }},
    signature{"PK\x03\x04", []() -> std::unique_ptr<unpacker> { refuse("zip", unknown); }},
    signature{"\x04\x22\x4d\x18", []() -> std::unique_ptr<unpacker> { refuse("lz4", unknown); }},
    signature{"\xff\xfe", refuse_utf_16},
    signature{"\xfe\xff", refuse_utf_16},
};

/// Whether zstd skips what comes first: pzstd begins with such a frame.
bool is_skippable_frame(std::string_view beginning) {
  return !beginning.empty() && (static_cast<unsigned char>(beginning.front()) & 0xf0) == 0x50 &&
         beginning.substr(1).starts_with("\x2a\x4d\x18");
}

} // namespace

std::unique_ptr<unpacker> make_unpacker(std::string_view beginning) {
  if (is_skippable_frame(beginning)) return make_zstd();
  for (const auto& known : signatures)
    if (beginning.starts_with(known.beginning)) return known.make();
  return nullptr;
}

} // namespace windrow::graph
