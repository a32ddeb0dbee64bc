// SPDX-License-Identifier: BSD-3-Clause
#include "apps/tasks/unbalanced_tree.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace windrow::apps::tasking {

namespace {

using digest = std::array<std::uint8_t, 20>;

std::uint32_t big_endian(const std::uint8_t* bytes) {
  return std::uint32_t{bytes[0]} << 24 | std::uint32_t{bytes[1]} << 16 | std::uint32_t{bytes[2]} << 8 |
         bytes[3];
}

void store_big_endian(std::uint8_t* bytes, std::uint32_t value) {
  for (int i = 0; i < 4; ++i) bytes[i] = static_cast<std::uint8_t>(value >> (24 - 8 * i));
}

struct round_of {
  std::uint32_t mixed, constant;
};

round_of round(int i, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
  if (i < 20) return {(b & c) | (~b & d), 0x5a827999};
  if (i < 40) return {b ^ c ^ d, 0x6ed9eba1};
  if (i < 60) return {(b & c) | (b & d) | (c & d), 0x8f1bbcdc};
  return {b ^ c ^ d, 0xca62c1d6};
}

/// SHA-1 (FIPS 180-4) of a message of at most 55 bytes, which is one block.
digest sha1(const std::uint8_t* message, std::size_t bytes) {
  std::uint8_t block[64]{};
  std::memcpy(block, message, bytes);
  block[bytes] = 0x80;
  store_big_endian(block + 60, static_cast<std::uint32_t>(8 * bytes));
  std::uint32_t w[80];
  for (int i = 0; i < 16; ++i) w[i] = big_endian(block + 4 * i);
  for (int i = 16; i < 80; ++i) w[i] = std::rotl(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
  std::uint32_t h[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  auto [a, b, c, d, e] = h;
  for (int i = 0; i < 80; ++i) {
    const auto [mixed, constant] = round(i, b, c, d);
    const auto next = std::rotl(a, 5) + mixed + e + constant + w[i];
    e = d, d = c, c = std::rotl(b, 30), b = a, a = next;
  }
  const std::uint32_t sums[5] = {h[0] + a, h[1] + b, h[2] + c, h[3] + d, h[4] + e};
  digest result;
  for (std::size_t i = 0; i < 5; ++i) store_big_endian(result.data() + 4 * i, sums[i]);
  return result;
}

} // namespace

tree_node root_of(const tree_shape& shape) {
  std::uint8_t message[20]{};
  store_big_endian(message + 16, shape.seed);
  return {sha1(message, sizeof message), 0};
}

tree_node child_of(const tree_node& n, std::uint32_t number) {
  std::uint8_t message[24];
  std::memcpy(message, n.state.data(), 20);
  store_big_endian(message + 20, number);
  return {sha1(message, sizeof message), n.depth + 1};
}

int children_of(const tree_shape& shape, const tree_node& n) {
  if (n.depth >= shape.depth) return 0;
  const double p = 1 / (1 + shape.branching);
  const double u = (big_endian(n.state.data() + 16) & 0x7fffffff) / 2147483648.0;
  return std::min(100, static_cast<int>(std::floor(std::log(1 - u) / std::log(1 - p))));
}

std::uint64_t nodes_below(const tree_shape& shape, const tree_node& n) {
  std::uint64_t nodes = 1;
  const int children = children_of(shape, n);
  for (int i = 0; i < children; ++i) nodes += nodes_below(shape, child_of(n, static_cast<std::uint32_t>(i)));
  return nodes;
}

} // namespace windrow::apps::tasking
