// SPDX-License-Identifier: BSD-3-Clause
#include "os/line_output.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <random>
#include <string>

namespace windrow::os {
namespace {

struct channel {
  channel() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK), 0);
    read = descriptor(ends[0]);
    write = descriptor(ends[1]);
  }
  descriptor read, write;
};

void print(const descriptor& to, const std::string& text) {
  ASSERT_EQ(::write(to.get(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
}

// What has arrived behind a sink.
std::string written(line_sink& sink, const descriptor& reader) {
  std::string result;
  while (sink.has_pending()) {
    EXPECT_EQ(sink.write_some(), 0);
    std::array<char, 65536> buffer;
    const auto count = ::read(reader.get(), buffer.data(), buffer.size());
    if (count > 0) result.append(buffer.data(), static_cast<std::size_t>(count));
  }
  return result;
}

TEST(line_output, waits_for_the_end_of_a_line) {
  channel in, out;
  line_sink sink(out.write.get());
  line_source source(std::move(in.read), sink, "");
  print(in.write, "one\ntw");
  source.read_some();
  EXPECT_EQ(written(sink, out.read), "one\n");
  print(in.write, "o\n");
  source.read_some();
  EXPECT_EQ(written(sink, out.read), "two\n");
}

TEST(line_output, keeps_a_last_line_without_end) {
  channel in, out;
  line_sink sink(out.write.get());
  line_source source(std::move(in.read), sink, "[7] ");
  print(in.write, "one\n\nlast");
  in.write.close();
  source.read_some();
  source.read_some();
  EXPECT_FALSE(source.is_open());
  EXPECT_EQ(written(sink, out.read), "[7] one\n[7] \n[7] last");
  sink.add("other\n");
  EXPECT_EQ(written(sink, out.read), "\nother\n");
}

TEST(line_output, drain_takes_what_is_there_although_the_pipe_stays_open) {
  channel in, out;
  line_sink sink(out.write.get());
  line_source source(std::move(in.read), sink, "");
  print(in.write, "a\nb");
  source.drain();
  EXPECT_EQ(written(sink, out.read), "a\nb");
  EXPECT_TRUE(source.is_open());
}

TEST(line_output, reports_a_reader_that_has_gone) {
  channel out;
  ASSERT_NE(::signal(SIGPIPE, SIG_IGN), SIG_ERR);
  line_sink sink(out.write.get());
  sink.add("nobody reads this\n");
  out.read.close();
  EXPECT_EQ(sink.write_some(), EPIPE);
  EXPECT_FALSE(sink.has_pending());
}

// Two sources whose text arrives in random pieces: every line comes out whole, and in order for each source.
TEST(line_output, random_pieces) {
  for (unsigned seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    channel out;
    std::array<channel, 2> in;
    line_sink sink(out.write.get());
    std::array<line_source, 2> sources{line_source(std::move(in[0].read), sink, "A"),
                                       line_source(std::move(in[1].read), sink, "B")};
    std::array<std::string, 2> expected;
    std::string seen;
    for (int step = 0; step < 200; ++step) {
      const auto who = random() % 2;
      std::string piece(random() % 40, static_cast<char>('a' + step % 26));
      if (random() % 3 == 0) piece += '\n';
      if (piece.empty()) continue;
      expected[who] += piece;
      print(in[who].write, piece);
      sources[who].read_some();
      if (random() % 4 == 0) seen += written(sink, out.read);
    }
    for (auto& source : sources) source.drain();
    seen += written(sink, out.read);

    std::array<std::string, 2> found;
    for (std::size_t at = 0; at < seen.size();) {
      const auto end = std::min(seen.find('\n', at), seen.size() - 1);
      ASSERT_TRUE(seen[at] == 'A' || seen[at] == 'B');
      found[seen[at] == 'B'] += seen.substr(at + 1, end - at);
      at = end + 1;
    }
    for (std::size_t who = 0; who < 2; ++who) // a line end may have been added to keep a last line apart
      EXPECT_TRUE(found[who] == expected[who] || found[who] == expected[who] + "\n");
  }
}

} // namespace
} // namespace windrow::os
