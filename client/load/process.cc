#include "load/process.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <system_error>
#include <thread>

#include "cli/read_file.h"

namespace repath::load {
namespace {

namespace fs = std::filesystem;

std::optional<std::string> contents(const std::string& path) {
  std::error_code error;
  return cli::read_file(path, error);
}

double ticks_a_second() { return static_cast<double>(sysconf(_SC_CLK_TCK)); }

// Inodes of sockets that listen at a TCP port (state 0A), from one of /proc/net/tcp and tcp6.
void add_tcp_inodes(const std::string& table, unsigned port, std::set<std::string>& inodes) {
  std::ifstream file(table);
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream fields(line);
    std::string slot, local, remote, state, queues, timer, retries, uid, timeout, inode;
    fields >> slot >> local >> remote >> state >> queues >> timer >> retries >> uid >> timeout >>
        inode;
    const std::size_t colon = local.find(':');
    if (state != "0A" || colon == std::string::npos) continue;
    if (std::stoul(local.substr(colon + 1), nullptr, 16) == port) inodes.insert(inode);
  }
}

// Returns the process that called listen() on the socket at `path`, as the kernel reports it to a
// peer.
std::optional<int> pid_listening_at_path(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) return std::nullopt;
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  const int client = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (client < 0) return std::nullopt;
  // The address of a unix socket is passed as one of any kind.
  const void* any = &address;
  ucred peer{};
  socklen_t size = sizeof peer;
  const bool is_known = connect(client, static_cast<const sockaddr*>(any), sizeof address) == 0 &&
                        getsockopt(client, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0;
  close(client);
  return is_known ? std::optional(static_cast<int>(peer.pid)) : std::nullopt;
}

bool holds_one_of(const fs::path& process, const std::set<std::string>& inodes) {
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(process / "fd", error)) {
    const std::string target = fs::read_symlink(entry.path(), error).string();
    if (error || !target.starts_with("socket:[")) continue;
    if (inodes.contains(target.substr(8, target.size() - 9))) return true;
  }
  return false;
}

}  // namespace

std::optional<ProcessUse> use_of(int pid) {
  const std::string folder = "/proc/" + std::to_string(pid);
  const auto stat = contents(folder + "/stat");
  const auto memory = contents(folder + "/statm");
  if (!stat || !memory) return std::nullopt;
  // The name in parentheses may hold anything; the numbers begin behind the last one.
  std::istringstream fields(stat->substr(stat->rfind(')') + 2));
  std::string skipped;
  constexpr int kFieldsBeforeUser = 11;
  for (int i = 0; i < kFieldsBeforeUser; ++i) fields >> skipped;
  double user = 0;
  double system = 0;
  fields >> user >> system;
  std::istringstream pages(*memory);
  double size = 0;
  double resident = 0;
  pages >> size >> resident;
  constexpr double kMegabyte = 1024 * 1024;
  return ProcessUse{(user + system) / ticks_a_second(),
                    resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / kMegabyte};
}

std::optional<int> pid_listening_at(const std::string& address) {
  if (address.starts_with("unix:")) return pid_listening_at_path(address.substr(5));
  std::set<std::string> inodes;
  unsigned port = 0;
  const std::size_t colon = address.rfind(':');
  if (colon == std::string::npos) return std::nullopt;
  std::from_chars(address.data() + colon + 1, address.data() + address.size(), port);
  add_tcp_inodes("/proc/net/tcp", port, inodes);
  add_tcp_inodes("/proc/net/tcp6", port, inodes);
  if (inodes.empty()) return std::nullopt;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/proc", error)) {
    const std::string name = entry.path().filename().string();
    int pid = 0;
    const auto [end, bad] = std::from_chars(name.data(), name.data() + name.size(), pid);
    if (bad != std::errc{} || end != name.data() + name.size()) continue;
    if (holds_one_of(entry.path(), inodes)) return pid;
  }
  return std::nullopt;
}

std::optional<double> machine_cpu_seconds() {
  std::ifstream file("/proc/stat");
  std::string word;
  double user = 0, nice = 0, system = 0, idle = 0, io_wait = 0, irq = 0, soft_irq = 0, steal = 0;
  file >> word >> user >> nice >> system >> idle >> io_wait >> irq >> soft_irq >> steal;
  if (!file) return std::nullopt;
  return (user + nice + system + irq + soft_irq + steal) / ticks_a_second();
}

int cores() { return static_cast<int>(std::thread::hardware_concurrency()); }

}  // namespace repath::load
