#include "access/address_rule.h"

#include <arpa/inet.h>

#include <algorithm>

namespace repath {
namespace {

bool is_ip4(const std::string& text) {
  in_addr address{};
  return inet_pton(AF_INET, text.c_str(), &address) == 1;
}

bool is_ip6(const std::string& text) {
  in6_addr address{};
  return inet_pton(AF_INET6, text.c_str(), &address) == 1;
}

// Returns the host in lower case without its port, and without the brackets of an IPv6 address.
std::string host_of(std::string_view address) {
  std::string host(address);
  std::ranges::transform(host, host.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  if (!host.empty() && host.front() == '[') {
    const std::size_t end = host.find(']');
    return end == std::string::npos ? host : host.substr(1, end - 1);
  }
  return host.substr(0, host.find(':'));
}

}  // namespace

bool is_local_address(std::string_view address) {
  if (address.rfind("unix:", 0) == 0) return true;
  const std::string host = host_of(address);
  return host == "localhost" || host == "::1" || (is_ip4(host) && host.rfind("127.", 0) == 0);
}

bool is_allowed_host(std::string_view header, const std::vector<std::string>& names) {
  if (header.empty()) return true;
  const std::string host = host_of(header);
  return host == "localhost" || is_ip4(host) || is_ip6(host) ||
         std::ranges::any_of(names, [&](const std::string& name) { return host_of(name) == host; });
}

}  // namespace repath
