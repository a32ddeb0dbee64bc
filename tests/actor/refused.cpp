// SPDX-License-Identifier: BSD-3-Clause
// Each of these must not compile, for the reason that CMakeLists.txt names. Without a case it must.
#include <string>

#include "windrow/mailbox.hpp"

namespace {

using windrow::job;
using windrow::mailbox;
using windrow::pe_t;
using windrow::selector;

struct question {
  int number;
};
struct answer {
  int number;
};

void use(job& j) {
  mailbox<int> numbers(j, [](auto& out, int n, pe_t from) { out.send(from, n); });
  selector<question, answer> s(j, [](auto& out, question q) { out.reply(answer{q.number}); }, [](answer) {});
#if defined QUIET
  mailbox<int> wrong(j, [](auto& out, int) { out.quiet(); });
#elif defined RUN
  mailbox<int> wrong(j, [](auto& out, int) { out.run([] {}); });
#elif defined COMPLETE
  selector<question, answer> wrong(j, [](auto& out, question) { out.template complete<0>(); }, [](answer) {});
#elif defined BARRIER
  mailbox<int> wrong(j, [](windrow::courier<int>& out, int) { out.barrier(); });
#elif defined KEEP_COURIER
  mailbox<int> wrong(j, [](windrow::courier<int>& out, int) { auto kept = out; });
#elif defined NO_FORM
  mailbox<int> wrong(j, [](std::string) {});
#elif defined BATCH_OF_VIEWS
  mailbox<std::string_view> wrong(j, [](std::span<const std::string_view>, pe_t) {});
#elif defined TOO_FEW_HANDLERS
  selector<question, answer> wrong(j, [](question) {});
#elif defined POINTERS
  mailbox<const char*> wrong(j, [](const char*) {});
#elif defined TOO_LARGE
  struct large {
    char bytes[513];
  };
  mailbox<large> wrong(j, [](large) {});
#elif defined SPAN_OF_MUTABLE
  mailbox<std::span<int> > wrong(j, [](std::span<int>) {});
#elif defined NO_MAILBOX_FOR_IT
  s.run([&] { s.send(0, std::string("a question")); });
#elif defined AMBIGUOUS
  selector<int, int> twins(j, [](int) {}, [](int) {});
  twins.run([&] { twins.send(0, 1); });
#elif defined REPLY_OUTSIDE_HANDLERS
  s.run([&] { s.reply(answer{1}); });
#elif defined STAGE_THAT_IS_NOT_THERE
  s.run([&] { s.complete<2>(); });
#elif defined NO_STAGE_OF_THAT_TYPE
  s.run([&] { s.done<int>(); });
#endif
}

} // namespace

int main(int argc, char** argv) {
  job j(argc, argv);
  use(j);
}
