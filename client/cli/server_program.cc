#include "cli/server_program.h"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <sstream>

namespace repath::cli {
namespace {

constexpr int kNotRun = 127;  // as the shell numbers it

struct Ended {
  int status = kNotRun;
  std::string output;
};

// Runs a program, collects its output and waits for its end. Its errors go to our stderr.
Ended run(std::vector<std::string> words) {
  std::array<int, 2> ends{};
  if (::pipe(ends.data()) != 0) return {};
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(ends[1], STDOUT_FILENO);
    for (const int end : ends) ::close(end);
    ::execvp(arguments.front(), arguments.data());
    ::_exit(kNotRun);
  }
  ::close(ends[1]);
  Ended ended;
  std::array<char, 4096> piece{};
  for (ssize_t n = 0; child > 0 && (n = ::read(ends[0], piece.data(), piece.size())) > 0;)
    ended.output.append(piece.data(), static_cast<std::size_t>(n));
  ::close(ends[0]);
  int status = 0;
  if (child > 0 && ::waitpid(child, &status, 0) == child && WIFEXITED(status))
    ended.status = WEXITSTATUS(status);
  return ended;
}

// Reads lines "NAME VALUE".
std::map<std::string, std::string> facts_in(const std::string& text) {
  std::map<std::string, std::string> facts;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t space = std::min(line.find(' '), line.size());
    facts[line.substr(0, space)] = line.substr(std::min(space + 1, line.size()));
  }
  return facts;
}

}  // namespace

std::string server_program_near(const std::filesystem::path& folder) {
  if (folder.empty()) return "repathd";
  std::error_code error;
  for (const auto& program : {folder / "repathd", folder.parent_path() / "sbin" / "repathd"})
    if (std::filesystem::is_regular_file(program, error)) return program;
  return "repathd";
}

ServerFacts ask_server_program(std::vector<std::string> arguments) {
  std::error_code error;
  const auto own = std::filesystem::read_symlink("/proc/self/exe", error);
  const std::string program = server_program_near(own.parent_path());
  arguments.insert(arguments.begin(), {program, "--log-level", "off"});
  const Ended ended = run(std::move(arguments));
  ServerFacts answer{ended.status, facts_in(ended.output)};
  if (!answer.facts.empty()) return answer;
  answer.facts["message"] =
      ended.status == kNotRun
          ? "cannot run " + program + "; it must stand beside repath, in ../sbin or in PATH"
          : program + " ended with exit status " + std::to_string(ended.status) + " and no answer";
  return answer;
}

std::uint64_t ServerFacts::number(const std::string& name) const {
  return std::stoull(facts.at(name));
}

client::Error ServerFacts::error() const {
  const auto text = [&](const char* name) {
    const auto at = facts.find(name);
    return at == facts.end() ? std::string() : at->second;
  };
  client::Error error;
  error.code = client::Code::kFailedPrecondition;
  error.reason = text("reason");
  error.message = text("message");
  return error;
}

}  // namespace repath::cli
