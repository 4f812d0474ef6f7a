// The program repathd as a separate process, with its log in a file.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "support/temp_path.h"

extern char** environ;

namespace repath::test {

class Program {
 public:
  explicit Program(std::vector<std::string> arguments) : Program({}, std::move(arguments)) {}
  // Runs it under another program, such as `sh -c 'ulimit ...; exec "$@"' sh`.
  Program(std::vector<std::string> under, std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), REPATHD_PATH);
    arguments.insert(arguments.begin(), under.begin(), under.end());
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, log_.c_str(),
                                     O_CREAT | O_TRUNC | O_WRONLY, 0600);
    EXPECT_EQ(posix_spawnp(&pid_, argv.front(), &actions, nullptr, argv.data(), environ), 0);
    posix_spawn_file_actions_destroy(&actions);
  }
  ~Program() {
    if (pid_ > 0) kill(pid_, SIGKILL);
    if (pid_ > 0) waitpid(pid_, nullptr, 0);
    std::remove(log_.c_str());
  }

  void signal(int number) const { kill(pid_, number); }
  int exit_status() {
    int status = 0;
    waitpid(pid_, &status, 0);
    pid_ = 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  bool is_running() const { return pid_ > 0 && waitpid(pid_, nullptr, WNOHANG) == 0; }
  std::string log() const {
    std::ostringstream text;
    text << std::ifstream(log_).rdbuf();
    return text.str();
  }
  // Returns false if neither text has appeared within ten seconds.
  bool wait_for_log(const std::string& part) const { return wait_for_log(part, part); }
  bool wait_for_log(const std::string& part, const std::string& other) const {
    for (int i = 0; i < 1000; ++i) {
      const std::string text = log();
      if (text.find(part) != text.npos || text.find(other) != text.npos) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }
  std::string last_line() const {
    std::string text = log();
    while (!text.empty() && text.back() == '\n') text.pop_back();
    return text.substr(text.rfind('\n') + 1);
  }

 private:
  const std::string log_ = temp_path("repathd.log");
  pid_t pid_ = 0;
};

inline void expect_refused(const std::vector<std::string>& arguments, int status,
                           const std::string& why) {
  Program program(arguments);
  EXPECT_EQ(program.exit_status(), status);
  EXPECT_NE(program.last_line().find(why), std::string::npos) << program.log();
}

}  // namespace repath::test
