// SPDX-License-Identifier: BSD-3-Clause
// The analyses of windrow overlap on recordings written by hand, and against a slow oracle on random ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <utility>
#include <vector>

#include "tests/overlap/written.hpp"
#include "tools/overlap/advice.hpp"
#include "tools/overlap/barriers.hpp"
#include "tools/overlap/latest.hpp"
#include "tools/overlap/races.hpp"
#include "tools/overlap/split_barriers.hpp"

namespace windrow::overlap {
namespace {

using places = std::vector<std::size_t>;

places latest(const written& run, int pe = 0) {
  return latest_places(model(run.run()), pe);
}

TEST(Latest, PutMustBeCompleteBeforeItsSourceIsChanged) {
  written run(2);
  run.put(shared(0), own(0), 1).load(own(0)).store(own(8)).store(own(4)).barrier();
  EXPECT_EQ(latest(run)[0], 3U);
}

TEST(Latest, GetMustBeCompleteBeforeItsTargetIsUsed) {
  written run(2);
  run.get(own(0), shared(0), 1).get(own(8), shared(8), 1).store(own(8)).load(own(7)).barrier();
  EXPECT_EQ(latest(run), (places{3, 2, 2, 3, 4}));
}

TEST(Latest, TransfersEndEachOther) {
  written run(3);
  run.put(shared(0), own(0), 1)     // 0: ends where PE 1's memory is read
      .get(own(100), shared(0), 2)  // 1: of another PE
      .get(own(200), shared(0), 1)  // 2: ends where what it has read is sent
      .put(shared(64), own(200), 1) // 3
      .put(shared(64), own(300), 1) // 4: puts are not ordered
      .get(own(300), shared(96), 1) // 5: changes the source of 4
      .barrier();
  EXPECT_EQ(latest(run), (places{2, 6, 3, 4, 5, 6, 6}));
}

TEST(Latest, ABlockingPutHasReadItsSource) {
  written run(2);
  run.put(shared(0), own(0), 1).store(own(0)).quiet().work(5000).get(own(8), shared(0), 1).barrier();
  EXPECT_EQ(latest(run)[0], 1U);
  EXPECT_EQ(latest_places(model(run.run()), 0, true)[0], 3U);
  const auto found = advise(model(run.run()));
  const auto quiet = std::ranges::find(found, action::quiet, &advice::what);
  ASSERT_NE(quiet, found.end());
  EXPECT_TRUE(quiet->worthwhile());
  EXPECT_EQ(quiet->latest.begin()->first.what, action::get);
}

TEST(Latest, WhatReturnsAValueIsNoAdvice) {
  written run(2);
  run.get({}, shared(0), 1).work(5000).fetch_add(shared(8), 1).work(5000).barrier();
  for (const auto& one : advise(model(run.run()))) EXPECT_EQ(one.what, action::barrier);
}

TEST(Latest, QuietAndWaitEndNothingAndReleasesEndAll) {
  written run(2);
  run.put(shared(0), own(0), 1).quiet().wait(shared(400)).p(shared(408), 1).barrier();
  run.pe(1).wait(shared(408)).barrier();
  EXPECT_EQ(latest(run)[0], 3U); // the signal: somebody waits for it
  EXPECT_EQ(latest(run)[3], 4U);
}

TEST(Latest, SignalsAreSentBeforeOneWaits) {
  written run(2);
  run.p(shared(0), 1).load(own(0)).wait(shared(8)).barrier();
  run.pe(1).wait(shared(0)).p(shared(8), 0).barrier();
  EXPECT_EQ(latest(run, 0)[0], 2U);
}

TEST(Latest, CodeThatWasNotRecordedEndsAll) {
  written run(1);
  run.put_nbi(shared(0), own(0), 0).unknown().store(own(0)).barrier();
  EXPECT_EQ(latest(run)[0], 1U);
}

TEST(Latest, AStoreThatOthersMayWaitForEndsAll) {
  written run(2);
  run.put(shared(0), own(0), 1).store(shared(400)).store(shared(408)).barrier();
  EXPECT_EQ(latest(run)[0], 3U);
  run = written(2);
  run.put(shared(0), own(0), 1).store(shared(400)).store(shared(408));
  run.last().shared = true;
  run.barrier();
  EXPECT_EQ(latest(run)[0], 2U);
}

TEST(Latest, PointersReachMemoryOfOthers) {
  written run(2);
  run.put(shared(0), own(0), 1).load(shared(0)).load(shared(0));
  run.last().peer = 1;
  run.barrier();
  EXPECT_EQ(latest(run)[0], 2U);
}

TEST(Latest, OwnMemoryIsTheSameByAddressAndByPe) {
  written run(2);
  run.put(shared(0), own(0), 0).load(shared(4, 1)).barrier(); // to itself
  EXPECT_EQ(latest(run)[0], 1U);
}

// Ten ways in which programs tell others that data is there. The quiet or fence before must stay.
struct signalling {
  const char* name;
  void (*tell)(written&);
  void (*hear)(written&);
  bool elsewhere = false; ///< not in the memory that the data goes to, so a fence is not enough
};
constexpr auto word = [] { return shared(512); };
const std::array ways{
    signalling{"flag by p and wait_until", [](written& w) { w.p(word(), 1); },
               [](written& w) { w.wait(word()); }},
    signalling{"flag by put", [](written& w) { w.put(word(), own(900), 1); },
               [](written& w) { w.wait(word()); }},
    signalling{"flag that is tested", [](written& w) { w.p(word(), 1); },
               [](written& w) { w.test(word()).test(word()); }},
    signalling{"counter by atomic add", [](written& w) { w.atomic_add(word(), 1); },
               [](written& w) { w.wait(word()); }},
    signalling{"counter that is fetched", [](written& w) { w.atomic_add(word(), 1); },
               [](written& w) { w.fetch_add(word(), 1); }},
    signalling{"word that others fetch from here", [](written& w) { w.atomic_add(word(), 0); },
               [](written& w) { w.fetch_add(word(), 0); }, true},
    signalling{"put with signal", [](written& w) { w.put_signal(shared(600), own(900), word(), 1); },
               [](written& w) { w.wait(word()); }},
    signalling{"lock", [](written& w) { w.unlock(word()); }, [](written& w) { w.wait(word()); }},
    signalling{"flag at the end of data", [](written& w) { w.put(shared(448, 72), own(900, 72), 1); },
               [](written& w) { w.wait(word()); }},
    signalling{"nonblocking flag", [](written& w) { w.put_nbi(word(), own(900), 1).quiet(); },
               [](written& w) { w.wait(word()); }},
};

TEST(Signals, QuietBeforeThemStays) {
  for (const auto& way : ways)
    for (const bool by_fence : {false, true}) {
      written run(2);
      run.put(shared(0), own(0), 1);
      if (by_fence)
        run.fence();
      else
        run.quiet();
      way.tell(run);
      run.work(5000).store(own(0)).pe(1);
      way.hear(run);
      run.load(shared(0)).pe(0).barrier().pe(1).barrier();
      EXPECT_EQ(latest(run)[0], 2U) << way.name;
      EXPECT_EQ(find_races(model(run.run())).empty(), !(by_fence && way.elsewhere)) << way.name;
      if (by_fence) continue;
      const auto all = advise(model(run.run()));
      const auto quiet = std::ranges::find(all, std::uint32_t{2}, &advice::site);
      ASSERT_NE(quiet, all.end()) << way.name;
      EXPECT_EQ(quiet->latest.begin()->first.site, 3U) << way.name;
      EXPECT_EQ(quiet->saved_ns, 1000U) << way.name; // the microsecond up to the signal
    }
}

TEST(Advice, WorkBehindTheWaitIsWhatIsSaved) {
  written run(2);
  run.get(own(0), shared(0), 1)
      .work(500)
      .load(own(0))
      .at(1)
      .get(own(0), shared(0), 1)
      .work(9000)
      .load(own(0))
      .barrier();
  const auto all = advise(model(run.run()));
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].times, 2U);
  EXPECT_EQ(all[0].waited_ns, 2000U);
  EXPECT_EQ(all[0].saved_ns, 2000U);
  EXPECT_EQ(all[0].latest.size(), 2U); // both places are listed
  EXPECT_TRUE(all[0].worthwhile());
}

TEST(Advice, WhatTheRecorderTakesIsNoWork) {
  written run(1);
  run.get(own(0), shared(0), 0).work(500);
  run.get(own(64), shared(64), 0).last().recorder_ns = 400;
  run.work(9000).load(own(0)).last().recorder_ns = 8900;
  const auto all = advise(model(run.run()));
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].work_ns, 1100U + 1100U + 1000U); // the other get goes on meanwhile
}

// The flag of the round before is complete in front of the wait, and does not keep the quiet where it is.
TEST(Advice, AQuietMayBeLaterThanSignalsThatItCompletesToo) {
  written run(2);
  for (const std::uint32_t round : {1U, 2U}) {
    run.pe(0).at(1).put_nbi(shared(0), own(0), 1).at(2).quiet().work(5000).at(3).p(shared(64), 1);
    run.at(4).wait(shared(64));
    run.pe(1).at(3 + 10 * round).p(shared(64), 0).at(4 + 10 * round).wait(shared(64));
  }
  run.pe(0).at(2).quiet(); // there is but a signal to complete
  const auto all = advise(model(run.run()));
  const auto quiet = std::ranges::find(all, std::uint32_t{2}, &advice::site);
  ASSERT_NE(quiet, all.end());
  EXPECT_EQ(quiet->times, 3U);
  EXPECT_EQ(quiet->latest,
            (std::map<limit, std::size_t>{{{2, action::quiet, false}, 1}, {{3, action::put, true}, 2}}));
  EXPECT_EQ(quiet->saved_ns, 2000U);
}

// Six neighbours one after the other: together they take as long as the last.
TEST(Advice, TransfersGoTogether) {
  written run(2);
  for (std::uint64_t i = 0; i < 3; ++i) run.get(own(i * 8), shared(i * 8), 1);
  run.at(9).load(own(0, 24)).barrier();
  const auto all = advise(model(run.run()));
  ASSERT_EQ(all.size(), 3U);
  EXPECT_EQ(all[0].saved_ns, 1000U);
  EXPECT_EQ(all[0].work_ns, 5000U); // three microseconds between, and two gets
  EXPECT_EQ(all[2].work_ns, 1000U);
}

TEST(Advice, WaitThatABarrierFollowsGainsNothing) {
  written run(1);
  run.put_nbi(shared(0), own(0), 0).quiet();
  auto last = run.last();
  run.barrier();
  auto copy = run.run();
  copy.pes[0].events[2].begin_ns = last.end_ns + 50; // at once
  const auto all = advise(model(copy));
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].waits_for.at(1), 1U);
  EXPECT_FALSE(all[0].worthwhile());
}

TEST(Advice, QuietOfAnotherContextCompletesNothing) {
  written run(1);
  run.put_nbi(shared(0), own(0), 0);
  run.last().context = 1;
  run.quiet().load(own(0)).quiet();
  run.last().context = 1;
  EXPECT_EQ(completions(model(run.run()), 0)[0], 3U);
}

TEST(Races, AreNamedWithBothSides) {
  written run(2);
  run.put_nbi(shared(0), own(0), 1).store(own(4)).quiet().barrier(); // 1, 2
  run.pe(1).load(shared(0)).barrier();                               // 5
  const auto all = find_races(model(run.run()));
  ASSERT_EQ(all.size(), 2U);
  const auto site = [&](const race_side& side) {
    return run.run().pes[static_cast<std::size_t>(side.pe)].events[side.event].site;
  };
  EXPECT_EQ(site(all[0].first), 1U);
  EXPECT_EQ(site(all[0].second), 2U);
  EXPECT_EQ(site(all[1].first), 1U);
  EXPECT_EQ(site(all[1].second), 5U);
  EXPECT_EQ(all[1].owner, 1);
}

TEST(Races, SignalWithoutFenceIsOne) {
  written run(2);
  run.put(shared(0), own(0), 1).p(shared(64), 1);
  run.pe(1).wait(shared(64)).load(shared(0));
  EXPECT_EQ(find_races(model(run.run())).size(), 1U);
}

TEST(Races, GapsOfStridedTransfersAreOthersMemory) {
  for (const bool meets : {false, true}) {
    written run(2);
    run.put(blocks(shared(0), 8, 32, 4), own(0, 32), 1).barrier();
    run.pe(1).store(shared(meets ? 64 : 72, 16)).put(blocks(shared(8), 8, 32, 4), own(0, 32), 1).barrier();
    EXPECT_EQ(find_races(model(run.run())).size(), meets ? 1U : 0U);
  }
}

TEST(Signals, AreNotInTheGapsOfAPut) {
  for (const bool meets : {false, true}) {
    written run(2);
    run.put(shared(256), own(0), 1).put(blocks(shared(0), 8, 32, 4), own(0, 32), 1).barrier();
    run.pe(1).wait(shared(meets ? 64 : 72)).barrier();
    EXPECT_EQ(latest(run)[0], meets ? 1U : 2U);
  }
}

// Blocking gets into one buffer are over when the next begins: time grows with their number, not with its
// square.
TEST(Races, AreFoundAmongManyTransfers) {
  written run(2);
  run.get_nbi(own(0), shared(0), 1);
  for (int i = 0; i < 100'000; ++i) run.get(own(64, 64), shared(64, 64), 1).load(own(64));
  run.load(own(0)).barrier().pe(1).barrier();
  EXPECT_EQ(find_races(model(run.run())).size(), 1U);
  EXPECT_EQ(latest(run)[1], 2U);
}

// Many that were open at once do not make it slow to close one later.
TEST(Latest, ManyTransfersCostLaterOnesNothing) {
  constexpr std::size_t many = 100'000;
  written run(1);
  for (std::size_t i = 0; i < many; ++i) run.put_nbi(shared(8 * i), own(0), 0);
  for (std::size_t i = 0; i < many; ++i) run.put(shared(0), own(0), 0).barrier();
  const auto found = latest(run);
  EXPECT_EQ(found[1], many + 1);
  EXPECT_EQ(found[3 * many - 2], 3 * many - 1);
}

// A loop that measures a rate puts to one place again and again, and so does the other PE. Each two of its
// puts are in a race, or ordered by a fence between them, and none is looked at for each two.
TEST(Races, AreFoundAmongAllPutsOfALongLoop) {
  for (const bool with_fences : {false, true}) {
    written run(2);
    for (int pe = 0; pe < 2; ++pe) {
      for (int i = 0; i < 100'000; ++i) {
        run.pe(pe).at(3).put(shared(0), own(0), 0);
        if (with_fences) run.at(4).fence();
      }
      run.at(5).store(shared(8)).barrier();
    }
    const auto all = find_races(model(run.run()));
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].times, with_fences ? 100'000U : 299'998U);
  }
}

// Of three words the second is waited for too, and a put of a part of it is a signal; the fourth is not.
TEST(Signals, AreWordsThatAreFetchedLater) {
  written run(2);
  run.p(shared(0), 1).pe(1).fetch_add_nbi(own(0), shared(0), 1).quiet();
  const model all(run.run());
  EXPECT_TRUE(all.is_signal(all.events(0)[0]));
}

TEST(Signals, AreAllWordsThatAreAskedForAtOnce) {
  for (const std::uint64_t word : {64U, 72U, 76U, 80U, 88U}) {
    written run(2);
    run.put(shared(0), own(0), 1).fence().p(shared(word, 4), 1).barrier();
    run.pe(1).wait_for_several(shared(64, 24)).load(shared(0)).barrier();
    const model all(run.run());
    EXPECT_EQ(all.is_signal(all.events(0)[2]), word < 88) << word;
    EXPECT_EQ(find_races(all).size(), word < 88 ? 0U : 1U) << word;
  }
}

TEST(Races, AtomicsAndLocksAreNone) {
  written run(2);
  for (int pe = 0; pe < 2; ++pe)
    run.pe(pe).wait(shared(64)).load(shared(0)).store(shared(0)).unlock(shared(64)).fetch_add(shared(8), 0);
  EXPECT_TRUE(find_races(model(run.run())).empty());
}

std::size_t races_of(const written& run) {
  return find_races(model(run.run())).size();
}
const range word_of_data = shared(0);

// Two PEs change one word atomically; the second one as `how` says.
written two_atomics(const range& second, void (*how)(event&)) {
  written run(2);
  run.atomic_add(word_of_data, 1).pe(1).atomic_add(second, 1);
  how(run.last());
  return run;
}

TEST(Races, AtomicOperationsOfOneTypeAndDomainAreAtomicToEachOther) {
  EXPECT_EQ(races_of(two_atomics(word_of_data, [](event&) {})), 0U);
  EXPECT_EQ(races_of(two_atomics(word_of_data, [](event& one) { one.floating = true; })), 1U);
  EXPECT_EQ(races_of(two_atomics(word_of_data, [](event& one) { one.of_shared = true; })), 1U);
  EXPECT_EQ(races_of(two_atomics(shared(4, 4), [](event&) {})), 1U); // half of it
}

TEST(Races, APutIsAtomicOnlyToThoseWhoWaitForTheWord) {
  written fetched(2);
  fetched.p(shared(0), 1).pe(1).fetch_add(shared(0), 1);
  EXPECT_EQ(races_of(fetched), 1U);
  written tested(2);
  tested.p(shared(0), 1).pe(1).test(shared(0)).fetch_add(shared(0), 1);
  EXPECT_EQ(races_of(tested), 0U);
}

TEST(Races, AFenceCompletesNoGetAndNoSource) {
  for (const bool by_fence : {false, true}) {
    written got(2), sent(2);
    got.get_nbi(own(0), shared(0), 1);
    sent.put_nbi(shared(0), own(0), 1);
    for (auto* run : {&got, &sent}) {
      by_fence ? run->fence() : run->quiet();
      run->store(own(0));
    }
    EXPECT_EQ(races_of(got), by_fence ? 1U : 0U);
    EXPECT_EQ(races_of(sent), by_fence ? 1U : 0U);
  }
}

TEST(Races, AFenceOrdersPutsToOnePlace) {
  for (const bool fenced : {false, true}) {
    written run(2);
    run.put(shared(0), own(0), 1);
    if (fenced) run.fence();
    run.put(shared(0), own(8), 1);
    EXPECT_EQ(races_of(run), fenced ? 0U : 1U);
  }
}

// Only what is signalled to the PE that the data goes to comes behind it: to be in a synchronization behind a
// fence, or to signal another PE, is not enough.
TEST(Races, AFenceOrdersSignalsToOnePeAlone) {
  written run(3);
  run.put(shared(0), own(0), 1).fence().p(shared(64), 2).pe(2).wait(shared(64)).get({}, shared(0), 1);
  EXPECT_EQ(races_of(run), 1U);
  for (const bool waits : {false, true}) {
    written met(2);
    met.put(shared(0), own(0), 1).fence().p(shared(64), 1).collective();
    met.pe(1).collective();
    if (waits) met.wait(shared(64));
    met.test(shared(128)).load(shared(0));
    EXPECT_EQ(races_of(met), waits ? 0U : 1U);
  }
}

TEST(Races, WhoHasSeenTheSignalOfAPutHasItsData) {
  for (const bool waits : {false, true}) {
    written run(2);
    run.put_signal(shared(0), own(0), shared(64), 1).collective().pe(1).collective();
    if (waits) run.wait(shared(64));
    run.test(shared(64)).load(shared(0));
    EXPECT_EQ(races_of(run), 0U); // by the test
    written other(2);
    other.put_signal(shared(0), own(0), shared(64), 1).p(shared(72), 1);
    other.pe(1).wait(shared(waits ? 64 : 72)).load(shared(0));
    EXPECT_EQ(races_of(other), waits ? 0U : 1U); // of another word
  }
}

TEST(Races, WhoHasWaitedForAWordMayChangeIt) {
  for (const bool waits : {false, true})
    for (const bool adds : {false, true}) {
      written run(2);
      if (adds)
        run.atomic_add(shared(0), 1);
      else
        run.p(shared(0), 1);
      run.pe(1).wait(shared(waits ? 0 : 64)).store(shared(0));
      EXPECT_EQ(races_of(run), waits ? 0U : 1U) << adds;
    }
}

// The source is free when the answer to the signal has come, and not before without a quiet.
TEST(Races, ANonblockingPutWithSignalReadsItsSourceUntilItHasArrived) {
  for (const bool answered : {false, true}) {
    written run(2);
    run.put_signal(shared(0), own(0), shared(64), 1);
    run.last().blocking = false;
    run.pe(1).wait(shared(64)).p(shared(64), 0).pe(0);
    if (answered) run.wait(shared(64));
    run.test(shared(128)).store(own(0));
    EXPECT_EQ(races_of(run), answered ? 0U : 1U);
  }
}

written& reduce(written& run, range destination, range source) {
  run.collective();
  run.last().local = source;
  run.last().remote = destination;
  return run;
}

TEST(Races, CollectivesUseTheirBuffers) {
  for (const auto& [met, first] : {std::pair(false, true), {false, false}, {true, false}}) {
    written run(2); // others may not have begun, or may not be over
    if (!first) run.pe(1).load(own(0)).pe(0);
    run.put(shared(0), own(0), 1).quiet();
    for (int pe = 0; pe < 2; ++pe) {
      if (met) run.pe(pe).collective();
      reduce(run.pe(pe), shared(0), shared(64));
    }
    if (met) run.pe(0).collective().pe(1).collective();
    run.pe(1).get({}, shared(0), 0);
    EXPECT_EQ(races_of(run), met ? 0U : 2U);
  }
  written mine(1); // an own buffer is free when it is over
  reduce(mine.store(shared(64)), shared(0), shared(64)).load(shared(0)).store(shared(64));
  EXPECT_EQ(races_of(mine), 0U);
  written pending(1);
  reduce(pending.get_nbi(shared(64), shared(128), 0), shared(0), shared(64)).quiet();
  EXPECT_EQ(races_of(pending), 1U);
}

TEST(Races, BarriersDoNotCompleteContexts) {
  for (const bool quiet : {false, true}) {
    written run(2);
    run.put_nbi(shared(0), own(0), 1);
    run.last().context = 1;
    if (quiet) {
      run.quiet();
      run.last().context = 1;
    }
    run.barrier().pe(1).barrier().load(shared(0));
    const auto found = find_races(model(run.run()));
    ASSERT_EQ(found.size(), quiet ? 0U : 1U);
    for (const auto& one : found) EXPECT_TRUE(one.lacks_quiet);
  }
  written without(2); // no barrier either
  without.put_nbi(shared(0), own(0), 1);
  without.last().context = 1;
  without.pe(1).load(shared(0));
  const auto found = find_races(model(without.run()));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_FALSE(found[0].lacks_quiet);
}

// A barrier in a row of stores, of which each PE reads what its neighbour has stored.
written halo(bool reads_other) {
  written run(2);
  for (int pe = 0; pe < 2; ++pe) run.pe(pe).put(shared(0), own(0), 1 - pe);
  for (int pe = 0; pe < 2; ++pe) run.pe(pe).at(10).barrier();
  for (int pe = 0; pe < 2; ++pe) run.pe(pe).load(shared(reads_other ? 0 : 64));
  for (int pe = 0; pe < 2; ++pe) run.pe(pe).at(11).barrier();
  return run;
}

TEST(Barriers, OneThatPublishesIsNeeded) {
  const auto needed = halo(true), spare = halo(false);
  const auto with = uses_of_barriers(model(needed.run()));
  ASSERT_EQ(with.size(), 2U);
  EXPECT_FALSE(with[0].redundant);
  EXPECT_FALSE(with[0].may_complete_later);
  EXPECT_EQ(with[0].completes, 2U);
  EXPECT_TRUE(with[1].redundant); // nothing follows
  const auto without = uses_of_barriers(model(spare.run()));
  EXPECT_TRUE(without[0].redundant);
  EXPECT_TRUE(without[0].may_complete_later);
}

TEST(Barriers, EachOfTwoInARowIsSpare) {
  written run(2);
  run.store(shared(0));
  for (const std::uint32_t site : {10U, 11U})
    for (int pe = 0; pe < 2; ++pe) run.pe(pe).at(site).barrier();
  run.pe(1).get(own(0), shared(0), 0);
  const auto uses = uses_of_barriers(model(run.run()));
  EXPECT_TRUE(uses[0].redundant && uses[1].redundant);
}

TEST(Barriers, NeededWhereASignalMayBeAnyones) {
  written run(3);
  run.store(shared(0));
  for (int pe = 0; pe < 3; ++pe) run.pe(pe).at(10).barrier();
  run.pe(0).p(shared(64), 2).pe(1).p(shared(64), 2).pe(2).wait(shared(64)).get(own(0), shared(0), 0);
  EXPECT_FALSE(uses_of_barriers(model(run.run()))[0].redundant);
}

TEST(Barriers, NeededBetweenAccessesUnderOneLock) {
  const auto lock = shared(400);
  written run(2);
  run.wait(lock).store(shared(0)).unlock(lock);
  for (int pe = 0; pe < 2; ++pe) run.pe(pe).at(10).barrier();
  run.pe(1).wait(lock).get(own(0), shared(0), 0).unlock(lock);
  EXPECT_FALSE(uses_of_barriers(model(run.run()))[0].redundant);
}

TEST(Barriers, SpareBetweenAdditionsThatReturnNothingAlone) {
  using operation = written& (written::*)(range, int);
  for (const operation second : {&written::atomic_add, &written::fetch_add, &written::atomic_xor}) {
    written run(2);
    run.atomic_add(shared(0), 1);
    for (int pe = 0; pe < 2; ++pe) run.pe(pe).at(10).barrier();
    (run.pe(1).*second)(shared(0), 1);
    const auto use = uses_of_barriers(model(run.run()))[0];
    EXPECT_EQ(use.redundant, second == &written::atomic_add);
    EXPECT_EQ(use.may_complete_later, second == &written::atomic_add);
  }
}

TEST(Barriers, NeededBetweenAWaitAndTheNextSignal) {
  written run(2);
  run.p(shared(0), 1).pe(1).wait(shared(0));
  for (int pe = 0; pe < 2; ++pe) run.pe(pe).at(10).barrier();
  run.pe(0).p(shared(0), 1);
  EXPECT_FALSE(uses_of_barriers(model(run.run()))[0].redundant);
}

TEST(Barriers, NeededForWhatTheyComplete) {
  written data(2); // in front of a signal
  data.p(shared(64), 1);
  for (int pe = 0; pe < 2; ++pe) data.pe(pe).at(10).barrier();
  data.pe(0).p(shared(0), 1).pe(1).wait(shared(0)).load(shared(64));
  written twice(2); // in front of another put to the same place
  twice.p(shared(64), 1).at(10).barrier().p(shared(64), 1).pe(1).at(10).barrier();
  for (const auto* run : {&data, &twice}) {
    const auto use = uses_of_barriers(model(run->run()))[0];
    EXPECT_EQ(use.completes, 1U);
    EXPECT_FALSE(use.redundant);
    EXPECT_EQ(use.may_complete_later, run == &data); // the signal is the next synchronisation
  }
}

TEST(Barriers, NeededByTransfersOfMemoryThatIsNotSeen) {
  for (const bool is_seen : {false, true}) {
    written run(2);
    run.get_nbi(is_seen ? shared(128) : own(0), shared(0), 1).at(10).barrier().pe(1).at(10).barrier();
    const auto use = uses_of_barriers(model(run.run()))[0];
    EXPECT_EQ(use.redundant, is_seen);
    EXPECT_EQ(use.may_complete_later, is_seen);
  }
}

TEST(Barriers, BesideCollectivesTheyAreKept) {
  written run(2);
  for (int pe = 0; pe < 2; ++pe) run.pe(pe).at(10).barrier();
  for (int pe = 0; pe < 2; ++pe) run.pe(pe).at(11).collective();
  EXPECT_FALSE(uses_of_barriers(model(run.run()))[0].redundant);
}

TEST(SplitBarriers, BetweenTheLastAccessThatOthersNeedAndTheFirstThatNeedsThem) {
  written run(2);
  for (int pe = 0; pe < 2; ++pe)
    run.pe(pe).at(1).put(shared(0), own(0), 1 - pe).work(5000).at(2).load(shared(64));
  meet(run, 10);
  for (int pe = 0; pe < 2; ++pe)
    run.pe(pe).at(3).store(shared(64)).at(4).store(own(0)).work(70'000).at(5).load(shared(0));
  const auto found = split_barriers(model(run.run()));
  ASSERT_EQ(found.size(), 1U);
  const auto& one = found[0];
  EXPECT_EQ(one.site, 10U);
  EXPECT_EQ(one.times, 2U);
  EXPECT_EQ(one.after, (std::map<limit, std::size_t>{{limit{1, action::put, false}, 2}}));
  EXPECT_EQ(one.before, (std::map<limit, std::size_t>{{limit{5, action::load, false}, 2}}));
  EXPECT_EQ(one.saved_ns, one.waited_ns); // there is more to do than that
  EXPECT_TRUE(one.worthwhile());
}

// Loads of one place are recorded at the first one; they may go on until the barrier.
TEST(Barriers, CodeThatWasNotRecordedNeedsThem) {
  written run(2);
  run.at(1).p(shared(0), 1).at(2).barrier().at(3).barrier();
  run.pe(1).at(2).barrier().at(4).unknown().at(3).barrier();
  const auto redundant = [](const written& of) {
    std::vector<bool> found;
    for (const auto& one : uses_of_barriers(model(of.run()))) found.push_back(one.redundant);
    return found;
  };
  EXPECT_EQ(redundant(run), (std::vector<bool>{false, true}));
  auto idle = written(2);
  idle.at(1).p(shared(0), 1).at(2).barrier().at(3).barrier();
  idle.pe(1).at(2).barrier().at(4).unknown();
  idle.last().peer = 1;
  idle.at(3).barrier();
  EXPECT_EQ(redundant(idle), (std::vector<bool>{true, true}));
}

TEST(SplitBarriers, AccessesLastUntilTheNextCall) {
  written run(2);
  for (int pe = 0; pe < 2; ++pe) run.pe(pe).quiet().store(shared(0)).work(5000);
  meet(run, 10);
  for (int pe = 0; pe < 2; ++pe) run.pe(pe).get(own(0), shared(0), 1 - pe);
  const auto found = split_barriers(model(run.run()));
  EXPECT_LT(found[0].work_ns, 5000U);
  EXPECT_EQ(found[0].after.begin()->first.what, action::store);
}

TEST(SplitBarriers, NothingThatSynchronizesLiesBetween) {
  written run(2);
  for (int pe = 0; pe < 2; ++pe) run.pe(pe).at(1).fence();
  meet(run, 10);
  for (int pe = 0; pe < 2; ++pe) run.pe(pe).at(2).fetch_add(shared(0), pe);
  meet(run, 11);
  for (int pe = 0; pe < 2; ++pe) run.pe(pe).at(3).load(own(0));
  const auto found = split_barriers(model(run.run()));
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].after.begin()->first.site, 1U);
  EXPECT_EQ(found[0].before.begin()->first.site, 2U);
  EXPECT_EQ(found[1].after.begin()->first.site, 2U);
  EXPECT_EQ(found[1].before.begin()->first, end_of_program);
}

TEST(SplitBarriers, NeedAllAccesses) {
  written run(2);
  meet(run, 10);
  auto first_conflicts_alone = run.run();
  first_conflicts_alone.all_accesses = false;
  EXPECT_TRUE(split_barriers(model(first_conflicts_alone)).empty());
}

written random_rounds(std::mt19937& random) {
  written run(3);
  const auto pick = [&](int from) { return static_cast<int>(random() % static_cast<unsigned>(from)); };
  const auto memory = [&] { return shared(random() % 60, 1 + random() % 6); };
  for (std::uint32_t round = 0; round < 5; ++round) {
    for (int pe = 0; pe < 3; ++pe) {
      run.pe(pe);
      for (int i = pick(5); i > 0; --i) switch (pick(7)) {
          case 0:
            run.put(memory(), own(0), pick(3));
            break;
          case 1:
            run.get_nbi(own(0), memory(), pick(3));
            break;
          case 2:
            if (pick(4) == 0) run.quiet();
            break;
          case 3:
          case 4:
            run.load(memory());
            break;
          default:
            run.store(memory());
        }
    }
    meet(run, 100 + round);
  }
  return run;
}

// What is before what by barriers alone, split or not: the n-th of each PE, which begins behind event `come`
// and ends before event `go`.
struct halves {
  std::ptrdiff_t come, go;
};
bool is_before_by(const std::vector<std::vector<halves>>& barriers, int p, std::size_t i, int q,
                  std::size_t j) {
  const auto &of_p = barriers[static_cast<std::size_t>(p)], &of_q = barriers[static_cast<std::size_t>(q)];
  for (std::size_t n = 0; n < of_p.size(); ++n)
    if (static_cast<std::ptrdiff_t>(i) <= of_p[n].come && of_q[n].go <= static_cast<std::ptrdiff_t>(j))
      return true;
  return false;
}

bool are_in_conflict(const model& all, int p, std::size_t i, int q, std::size_t j) {
  const auto a = all.accesses_of(all.events(p)[i], p), b = all.accesses_of(all.events(q)[j], q);
  return std::ranges::any_of(a, [&](const access& one) {
    return std::ranges::any_of(b, [&](const access& other) { return conflict(one, other); });
  });
}

void expect_same_order(const model& all, const std::vector<std::vector<halves>>& whole,
                       const std::vector<std::vector<halves>>& split) {
  for (int p = 0; p < all.pes(); ++p)
    for (int q = 0; q < all.pes(); ++q)
      for (std::size_t i = 0; p != q && i < all.events(p).size(); ++i)
        for (std::size_t j = 0; j < all.events(q).size(); ++j) {
          if (!is_before_by(whole, p, i, q, j) || !are_in_conflict(all, p, i, q, j)) continue;
          ASSERT_TRUE(is_before_by(split, p, i, q, j))
              << "event " << i << " of PE " << p << ", event " << j << " of PE " << q;
        }
}

TEST(SplitBarriers, KeepTheOrderOfRandomRecordings) {
  const auto seed = std::random_device()();
  std::mt19937 random(seed);
  std::size_t moved = 0;
  for (int round = 0; round < 300; ++round) {
    SCOPED_TRACE(testing::Message() << "round " << round << ", seed " << seed);
    const auto run = random_rounds(random);
    const model all(run.run());
    std::vector<std::vector<halves>> whole(3), split(3);
    for (const auto& one : split_places(all)) {
      const auto at = static_cast<std::ptrdiff_t>(one.barrier), come = static_cast<std::ptrdiff_t>(one.after),
                 go = static_cast<std::ptrdiff_t>(one.before);
      auto& of_pe = split[static_cast<std::size_t>(one.pe)];
      ASSERT_TRUE(come < at && at < go);
      ASSERT_TRUE(of_pe.empty() || of_pe.back().go <= come + 1); // halves of two barriers do not cross
      whole[static_cast<std::size_t>(one.pe)].push_back({at - 1, at + 1});
      of_pe.push_back({come, go});
      moved += static_cast<std::size_t>((at - 1 - come) + (go - at - 1));
    }
    expect_same_order(all, whole, split);
    if (testing::Test::HasFatalFailure()) return;
  }
  EXPECT_GT(moved, 1000U);
}

// The oracle knows bytes of memory and the table of rules alone.
struct bytes_touched {
  std::vector<std::array<std::uint64_t, 2>> reads, writes; ///< owner and address
};
bytes_touched touched(const event& one, int pe) {
  bytes_touched all;
  const auto add = [](auto& to, int owner, const range& where) {
    for (auto at = where.begin; at < where.end(); ++at)
      if (!where.has_gaps() || (at - where.begin) % where.stride < where.block)
        to.push_back({static_cast<std::uint64_t>(owner), at});
  };
  if (one.what == action::put) add(all.reads, pe, one.local), add(all.writes, one.peer, one.remote);
  if (one.what == action::get) add(all.writes, pe, one.local), add(all.reads, one.peer, one.remote);
  if (one.what == action::load) add(all.reads, pe, one.local);
  if (one.what == action::store) add(all.writes, pe, one.local);
  return all;
}
bool share(const auto& a, const auto& b) {
  return std::ranges::any_of(a, [&](const auto& one) { return std::ranges::find(b, one) != b.end(); });
}
std::size_t slow_latest(const std::vector<event>& events, std::size_t i) {
  const auto mine = touched(events[i], 0);
  std::size_t j = i + 1;
  for (; j < events.size(); ++j) {
    const auto other = touched(events[j], 0);
    if (events[j].what == action::barrier || share(mine.writes, other.writes) ||
        share(mine.writes, other.reads) || share(mine.reads, other.writes))
      break;
  }
  return j;
}

written random_run(std::mt19937& random) {
  written run(2);
  const auto pick = [&](int from) { return static_cast<int>(random() % static_cast<unsigned>(from)); };
  const auto perhaps_with_gaps = [&](const range& memory) {
    const auto block = 1 + random() % 3;
    return pick(3) == 0 ? blocks(memory, block, block + 1 + random() % 4, 1 + random() % 5) : memory;
  };
  const auto plain = [&] {
    return random() % 2 ? shared(random() % 40, 1 + random() % 12) : own(random() % 40, 1 + random() % 12);
  };
  const auto some = [&] { return perhaps_with_gaps(plain()); };
  for (int i = 0; i < 40; ++i) {
    const auto remote = perhaps_with_gaps(shared(random() % 40, 1 + random() % 12));
    switch (pick(8)) {
      case 0:
        run.put(remote, some(), pick(2));
        break;
      case 1:
        run.put_nbi(remote, some(), pick(2));
        break;
      case 2:
        run.get(some(), remote, pick(2));
        break;
      case 3:
        run.get_nbi(some(), remote, pick(2));
        break;
      case 4:
        run.quiet();
        break;
      case 5:
        run.load(plain());
        break;
      case 6:
        run.store(plain());
        break;
      default:
        if (pick(3) == 0) run.barrier();
    }
  }
  return run;
}

TEST(Latest, EqualsTheOracleOnRandomRecordings) {
  const auto seed = std::random_device()();
  std::mt19937 random(seed);
  for (int round = 0; round < 300; ++round) {
    const auto run = random_run(random);
    const auto found = latest(run);
    const auto& events = run.run().pes[0].events;
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (!is_transfer(events[i])) continue;
      ASSERT_EQ(found[i], slow_latest(events, i))
          << "event " << i << " of round " << round << ", seed " << seed;
    }
  }
}

} // namespace
} // namespace windrow::overlap
