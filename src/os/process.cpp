// SPDX-License-Identifier: BSD-3-Clause
#include "os/process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <system_error>
#include <utility>

#include "base/fatal.hpp"
#include "windrow/error.hpp"

namespace windrow::os {

namespace {

constexpr int cannot_execute = 127; // as shells report it

std::string sentence(const std::string& program, int reason) {
  return fmt::format("cannot run '{}': {}", program, std::strerror(reason));
}

// 0, or why this very file cannot be executed.
int obstacle(const std::string& path) {
  struct stat file{};
  if (::stat(path.c_str(), &file) != 0) return errno;
  if (S_ISDIR(file.st_mode)) return EISDIR;
  return ::access(path.c_str(), X_OK) == 0 ? 0 : errno;
}

} // namespace

int exit_status::code() const {
  return WIFSIGNALED(wait_status_) ? 128 + WTERMSIG(wait_status_) : WEXITSTATUS(wait_status_);
}

std::string exit_status::text() const {
  if (WIFSIGNALED(wait_status_)) return "was killed by " + signal_text(WTERMSIG(wait_status_));
  return fmt::format("ended with exit code {}", code());
}

std::string signal_text(int signal) {
  return fmt::format("signal {} ({})", signal, ::strsignal(signal));
}

std::vector<int> not_ignored(std::vector<int> signals) {
  std::erase_if(signals, [](int signal) {
    struct sigaction action{};
    ::sigaction(signal, nullptr, &action);
    return action.sa_handler == SIG_IGN;
  });
  return signals;
}

std::vector<int> ending_signals() {
  return not_ignored({SIGHUP, SIGINT, SIGQUIT, SIGTERM});
}

void die_with_parent(pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(128 + SIGKILL);
}

std::string why_not_runnable(const std::string& program) {
  int reason = ENOENT;
  if (program.find('/') != std::string::npos) {
    reason = obstacle(program);
    return reason == 0 ? "" : sentence(program, reason);
  }
  const char* path = std::getenv("PATH");
  std::istringstream folders(std::string(path != nullptr ? path : "/usr/bin:/bin") +
                             ":"); // the last may be empty
  for (std::string folder; std::getline(folders, folder, ':');) {
    const int here = obstacle((folder.empty() ? "." : folder) + "/" + program);
    if (here == 0) return "";
    if (here != ENOENT && here != ENOTDIR) reason = here;
  }
  if (reason == ENOENT)
    return fmt::format("cannot run '{0}': no such program in PATH (did you mean ./{0}?)", program);
  return sentence(program, reason);
}

void execute(const std::vector<std::string>& words) {
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (const auto& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  base::say(sentence(words[0], errno));
  ::_exit(cannot_execute);
}

namespace {

// In a child of a program with one thread; whatever is in the variable's name, as it is no word of a command.
void set_variable(const std::string& text) {
  const auto name = text.substr(0, text.find('='));
  ::setenv(name.c_str(), text.c_str() + std::min(name.size() + 1, text.size()), 1);
}

} // namespace

piped_child start_piped(const std::vector<std::string>& words, child_output wanted,
                        const std::vector<std::string>& variables) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) throw error(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
  piped_child child{0, descriptor(ends[0])};
  const descriptor theirs(ends[1]);
  const pid_t parent = ::getpid();
  child.pid = ::fork();
  if (child.pid < 0) throw error(sentence(words.front(), errno));
  if (child.pid > 0) return child;
  die_with_parent(parent);
  ::dup2(theirs.get(), STDOUT_FILENO);
  if (wanted == child_output::standard_and_errors) ::dup2(theirs.get(), STDERR_FILENO);
  for (const auto& text : variables) set_variable(text);
  execute(words);
}

exit_status wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return exit_status(status);
}

void open_standard_descriptors() {
  int fd = 0;
  while (fd >= 0 && fd <= 2) fd = ::open("/dev/null", O_RDWR);
  if (fd >= 0) ::close(fd);
}

std::optional<descriptor> watch_process(pid_t pid) {
  descriptor watched(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0)));
  if (watched.is_open() || errno == ESRCH) return watched;
  if (errno == EMFILE || errno == ENFILE)
    throw error(fmt::format("cannot watch process {}: {}; raise the limit of open files (ulimit -n)", pid,
                            std::strerror(errno)));
  return {};
}

// The 22nd word of its line; the second is its name in parentheses, which may hold anything.
std::uint64_t start_time_of(pid_t pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  std::string line;
  std::getline(file, line);
  std::istringstream words(line.substr(std::min(line.rfind(')') + 1, line.size())));
  std::string word;
  for (int i = 2; i < 22 && words >> word; ++i) continue;
  return std::strtoull(word.c_str(), nullptr, 10);
}

namespace {

/// Threads made while this lives handle none.
class signals_blocked {
 public:
  signals_blocked() {
    sigset_t all;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~signals_blocked() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  signals_blocked(const signals_blocked&) = delete;
  signals_blocked& operator=(const signals_blocked&) = delete;

 private:
  sigset_t before_{};
};

} // namespace

std::thread start_thread(const char* purpose, std::function<void()> body) {
  const signals_blocked here;
  try {
    return std::thread(std::move(body));
  } catch (const std::system_error& e) {
    throw error(fmt::format("cannot start the thread that {}: {}; raise the limit (ulimit -u)", purpose,
                            e.code().message()));
  }
}

namespace {

std::vector<std::filesystem::path> folders_of_threads() {
  std::error_code none;
  std::vector<std::filesystem::path> result;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/task", none))
    result.push_back(entry);
  return result;
}

} // namespace

bool has_other_threads() {
  return folders_of_threads().size() > 1;
}

std::vector<pid_t> children() {
  std::vector<pid_t> result;
  for (const auto& folder : folders_of_threads()) {
    std::ifstream file(folder / "children");
    for (pid_t pid = 0; file >> pid;) result.push_back(pid);
  }
  return result;
}

} // namespace windrow::os
