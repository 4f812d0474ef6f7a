#include "ceiling/child_server.h"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <ctime>
#include <fstream>
#include <thread>

#include "ceiling/elapsed.h"

namespace repath::ceiling {
namespace {

constexpr auto kReadyWithin = std::chrono::seconds(20);
constexpr auto kEndWithin = std::chrono::seconds(5);

// Reads and forgets what a server prints, so that it never waits for a reader: with tokens it logs
// every change.
void forget_output(int output) {
  std::array<char, 4096> piece{};
  ssize_t got = 1;
  while (got > 0 || (got < 0 && errno == EINTR)) got = read(output, piece.data(), piece.size());
}

// Between fork and exec: calls only what is safe after a fork of a program with threads.
[[noreturn]] void become(const char* binary, char* const* arguments, int core, int output) {
  keep_to_core(core);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
  sigset_t none{};
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  execv(binary, arguments);
  _exit(127);
}

}  // namespace

std::vector<int> usable_cores() {
  cpu_set_t set{};
  std::vector<int> cores;
  if (sched_getaffinity(0, sizeof(set), &set) != 0) return {0};
  for (int core = 0; core < CPU_SETSIZE; ++core) {
    if (CPU_ISSET(static_cast<std::size_t>(core), &set)) cores.push_back(core);
  }
  return cores;
}

void keep_to_core(int core) {
  cpu_set_t set{};
  CPU_SET(static_cast<std::size_t>(core), &set);
  sched_setaffinity(0, sizeof(set), &set);
}

ChildServer::ChildServer(const std::string& binary, const std::vector<std::string>& arguments,
                         int core, std::string_view mark) {
  if (access(binary.c_str(), X_OK) != 0) {
    why_ = "cannot run " + binary + ": " + std::strerror(errno);
    return;
  }
  std::array<int, 2> pipe_ends{};
  if (pipe2(pipe_ends.data(), O_CLOEXEC) != 0) {
    why_ = std::string("no pipe: ") + std::strerror(errno);
    return;
  }
  std::vector<char*> words{const_cast<char*>(binary.c_str())};
  for (const std::string& argument : arguments)
    words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  process_ = fork();
  if (process_ == 0) become(binary.c_str(), words.data(), core, pipe_ends[1]);
  close(pipe_ends[1]);
  output_ = pipe_ends[0];
  if (process_ < 0) {
    why_ = std::string("no process: ") + std::strerror(errno);
    return;
  }
  await(mark);
}

void ChildServer::await(std::string_view mark) {
  const auto until = Clock::now() + kReadyWithin;
  std::string said;
  std::array<char, 4096> piece{};
  while (Clock::now() < until) {
    pollfd ready{output_, POLLIN, 0};
    if (poll(&ready, 1, 100) <= 0) continue;
    const ssize_t got = read(output_, piece.data(), piece.size());
    if (got <= 0) break;
    said.append(piece.data(), static_cast<std::size_t>(got));
    const std::size_t at = said.find(mark);
    if (at == std::string::npos) continue;
    const std::size_t begin = at + mark.size();
    const std::size_t end = said.find_first_of(" \n", begin);
    if (end == std::string::npos) continue;
    address_ = said.substr(begin, end - begin);
    reader_ = std::thread(forget_output, output_);
    return;
  }
  why_ = "the server did not start: " + said;
}

ChildServer::~ChildServer() {
  if (process_ > 0) {
    ::kill(process_, SIGTERM);
    const auto until = Clock::now() + kEndWithin;
    bool ended = false;
    while (!(ended = waitpid(process_, nullptr, WNOHANG) != 0) && Clock::now() < until) {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    if (!ended) {
      ::kill(process_, SIGKILL);
      waitpid(process_, nullptr, 0);
    }
  }
  if (reader_.joinable()) reader_.join();  // the output ended with the process
  if (output_ >= 0) close(output_);
}

void ChildServer::kill() {
  if (process_ <= 0) return;
  ::kill(process_, SIGKILL);
  waitpid(process_, nullptr, 0);
  process_ = -1;
}

double ChildServer::cpu_seconds() const {
  clockid_t clock{};
  timespec time{};
  if (process_ <= 0 || clock_getcpuclockid(process_, &clock) != 0) return 0;
  if (clock_gettime(clock, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

double ChildServer::resident_bytes() const {
  std::ifstream statm("/proc/" + std::to_string(process_) + "/statm");
  double size_pages = 0;
  double resident_pages = 0;
  statm >> size_pages >> resident_pages;
  return resident_pages * static_cast<double>(sysconf(_SC_PAGESIZE));
}

}  // namespace repath::ceiling
