// Which addresses a server may listen on without protection.
//
// Thread rule: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace repath {

// Returns whether only this machine reaches the address: unix:/path, localhost:PORT,
// 127.x.x.x:PORT or [::1]:PORT.
bool is_local_address(std::string_view address);

// Returns whether a request with this Host header may be served. An address, "localhost" and each
// of `names` is allowed, with or without a port. Other names are refused, because a page of another
// site can point its own name at this machine. An empty header is allowed: browsers always send
// one.
bool is_allowed_host(std::string_view host, const std::vector<std::string>& names);

}  // namespace repath
