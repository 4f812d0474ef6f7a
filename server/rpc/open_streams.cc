#include "rpc/open_streams.h"

#include <grpc/grpc.h>
#include <grpc/support/alloc.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string_view>

namespace repath {
namespace {

using Json = nlohmann::json;

// Takes the text over. Returns null if there is none.
Json parse(char* text) {
  if (text == nullptr) return {};
  Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  gpr_free(text);
  return json;
}

// Returns a member of an object; null also where gRPC gave none, because it has forgotten it since.
const Json& member(const Json& object, const char* name) {
  static const Json null;
  const auto at = object.find(name);
  return at == object.end() ? null : *at;
}

std::string text(const Json& object, const char* name) {
  const auto* const text = member(object, name).get_ptr<const std::string*>();
  return text == nullptr ? "" : *text;
}

// Channelz writes numbers of 64 bits as texts, and leaves out those that are 0.
std::uint64_t number(const Json& object, const char* name) {
  return std::strtoull(text(object, name).c_str(), nullptr, 10);
}

std::uint64_t streams_of(std::uint64_t socket) {
  const Json facts = parse(grpc_channelz_get_socket(static_cast<intptr_t>(socket)));
  const Json& data = member(member(facts, "socket"), "data");
  const std::uint64_t ended = number(data, "streamsSucceeded") + number(data, "streamsFailed");
  const std::uint64_t begun = number(data, "streamsStarted");
  return begun - std::min(begun, ended);
}

void add_streams(std::uint64_t server, absl::flat_hash_map<std::string, std::uint64_t>& streams) {
  constexpr std::string_view kTransport = "chttp2 ";  // before the peer in a socket's name
  constexpr intptr_t kPage = 500;
  std::uint64_t next = 0;
  while (true) {
    const Json page = parse(grpc_channelz_get_server_sockets(static_cast<intptr_t>(server),
                                                             static_cast<intptr_t>(next), kPage));
    const Json& sockets = member(page, "socketRef");
    for (const Json& socket : sockets) {
      const std::uint64_t id = number(socket, "socketId");
      const std::string name = text(socket, "name");
      if (name.starts_with(kTransport)) streams[name.substr(kTransport.size())] = streams_of(id);
      next = id + 1;
    }
    if (sockets.empty() || member(page, "end") == true) return;
  }
}

}  // namespace

absl::flat_hash_map<std::string, std::uint64_t> open_streams() {
  absl::flat_hash_map<std::string, std::uint64_t> streams;
  const Json servers = parse(grpc_channelz_get_servers(0));
  for (const Json& server : member(servers, "server"))
    add_streams(number(member(server, "ref"), "serverId"), streams);
  return streams;
}

}  // namespace repath
