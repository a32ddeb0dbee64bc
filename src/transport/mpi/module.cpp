// SPDX-License-Identifier: BSD-3-Clause
// The one place that knows MPI: compiled once for each MPI into a module of its own. Two-sided messages only,
// and never a call that waits inside MPI: with more processes than processors, MPICH would spin there.
#include <mpi.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "transport/hosts/network.hpp"

namespace {

void check(int code, const char* what) {
  if (code == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(code, text, &length);
  throw std::runtime_error(std::string(what) + " failed: " + text);
}

#ifndef OPEN_MPI
// UCX takes TCP only where there is none.
bool has_rdma_device() {
  std::error_code none;
  const std::filesystem::directory_iterator devices("/sys/class/infiniband", none);
  return !none && devices != std::filesystem::directory_iterator();
}
#endif

constexpr int keep = 0; ///< of an environment variable: what the user has set

// A receive is posted for every message, so each may leave without asking for it: where its first part would
// wait for a round trip, or for the sender's next look, throughput halves. Both libraries, over TCP, would
// ask for messages of 64 KiB. Where a device can fetch a message by itself, asking is cheap and saves copies,
// and the library knows best.
void send_at_once() {
#ifdef OPEN_MPI
  ::setenv("OMPI_MCA_btl_tcp_eager_limit", "131072", keep);
#else
  if (!has_rdma_device()) ::setenv("UCX_RNDV_THRESH", "131072", keep);
#endif
}

#ifndef OPEN_MPI
// What MPI_Finalize would say in the end to the launcher, which takes a process that has not said it for a
// failed one. In PMI's first version, that of mpiexec; srun does not ask for it.
void take_leave_of_launcher() {
  const char* const line = std::getenv("PMI_FD");
  if (line == nullptr || std::getenv("SLURM_STEP_ID") != nullptr) return;
  const int fd = std::atoi(line);
  constexpr char last_word[] = "cmd=finalize\n";
  if (::write(fd, last_word, sizeof last_word - 1) < 0) return;
  for (char c = 0; c != '\n' && ::read(fd, &c, 1) == 1;) continue; // its answer
}
#endif

// Hosts have said good-bye to each other before MPI_Finalize, or one of them has ended the job and the others
// may never come to it.
void leave_alone() {
#ifdef OPEN_MPI
  ::setenv("OMPI_MCA_async_mpi_finalize", "1", keep);
#endif
}

class mpi_network final : public windrow::transport::network {
 public:
  mpi_network() {
    int provided = 0, started = 0;
    MPI_Initialized(&started);
    if (started != 0)
      throw std::runtime_error("the program has started MPI before its job: make the job first");
    send_at_once();
    leave_alone();
    check(MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &provided), "MPI_Init_thread");
    if (provided < MPI_THREAD_SERIALIZED)
      throw std::runtime_error("this MPI is for one thread only (MPI_THREAD_SERIALIZED is not provided)");
    check(MPI_Comm_dup(MPI_COMM_WORLD, &all_), "MPI_Comm_dup");
    MPI_Comm_set_errhandler(all_, MPI_ERRORS_RETURN);
    MPI_Comm_rank(all_, &rank_);
    MPI_Comm_size(all_, &size_);
  }

  ~mpi_network() override { take_leave(); }

  // MPI_Finalize of MPICH 4.0 between hosts hangs now and then (pmodels/mpich 6596).
  void take_leave() override {
    if (left_.exchange(true)) return;
    for (auto& receive : receives_) {
      if (receive == MPI_REQUEST_NULL) continue;
      MPI_Cancel(&receive);
      MPI_Request_free(&receive);
    }
#ifdef OPEN_MPI
    MPI_Finalize();
#else
    take_leave_of_launcher();
#endif
  }

  mpi_network(const mpi_network&) = delete;
  mpi_network& operator=(const mpi_network&) = delete;

  int rank() const override { return rank_; }
  int size() const override { return size_; }

  void allgather(const void* mine, std::size_t bytes, void* all) override {
    MPI_Request request = MPI_REQUEST_NULL;
    const int count = static_cast<int>(bytes);
    check(MPI_Iallgather(mine, count, MPI_BYTE, all, count, MPI_BYTE, all_, &request), "MPI_Iallgather");
    for (int done = 0; done == 0;) {
      check(MPI_Test(&request, &done, MPI_STATUS_IGNORE), "MPI_Test");
      if (done == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
  }

  void listen(std::size_t bytes, int count) override {
    capacity_ = static_cast<int>(bytes);
    receives_.resize(static_cast<std::size_t>(count), MPI_REQUEST_NULL);
    for (int i = 0; i < count; ++i) texts_.push_back(std::make_unique<std::byte[]>(bytes));
    for (std::size_t i = 0; i < texts_.size(); ++i) post(i);
  }

  // The oldest only: receives are matched in the order in which they were posted, so messages of one sender
  // stay in order.
  message receive() override {
    int bytes = 0;
    MPI_Status status;
    if (receives_[oldest_] == MPI_REQUEST_NULL) post_again();
    if (!is_complete(receives_[oldest_], &status)) return {nullptr, 0, 0};
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    return {texts_[oldest_].get(), static_cast<std::size_t>(bytes), status.MPI_SOURCE};
  }

  int send(int to, const std::byte* data, std::size_t bytes) override {
    if (free_.empty()) {
      free_.push_back(sends_.size());
      sends_.push_back(MPI_REQUEST_NULL);
    }
    const auto number = free_.back();
    check(MPI_Isend(data, static_cast<int>(bytes), MPI_BYTE, to, tag, all_, &sends_[number]), "MPI_Isend");
    free_.pop_back();
    return static_cast<int>(number);
  }

  bool is_sent(int number) override {
    const auto i = static_cast<std::size_t>(number);
    if (!is_complete(sends_[i], MPI_STATUS_IGNORE)) return false;
    free_.push_back(i);
    return true;
  }

 private:
  static constexpr int tag = 1;

  // Looks at the network, with system calls, unless the request is complete already. In Open MPI MPI_Testsome
  // does not tell what its own look has found.
  static bool is_complete(MPI_Request& request, MPI_Status* status) {
    int done = 0;
    check(MPI_Test(&request, &done, status), "MPI_Test");
    return done != 0;
  }
  void post_again() {
    post(oldest_);
    oldest_ = (oldest_ + 1) % texts_.size();
  }
  void post(std::size_t i) {
    check(MPI_Irecv(texts_[i].get(), capacity_, MPI_BYTE, MPI_ANY_SOURCE, tag, all_, &receives_[i]),
          "MPI_Irecv");
  }

  std::atomic<bool> left_ = false;
  MPI_Comm all_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 0, capacity_ = 0;
  std::vector<std::unique_ptr<std::byte[]>> texts_; ///< of receives
  std::size_t oldest_ = 0;
  std::vector<MPI_Request> receives_; ///< by text
  std::vector<MPI_Request> sends_;    ///< by number
  std::vector<std::size_t> free_;     ///< sends that are none
};

} // namespace

extern "C" [[gnu::visibility("default")]] windrow::transport::network* windrow_network_5() {
  return new mpi_network;
}
