// One channel and the services on it. Not installed.
#pragma once

#include <memory>
#include <string>

#include "repath/internal/calls.h"
#include "repath/internal/channel.h"
#include "repath/v1/agent.grpc.pb.h"
#include "repath/v1/path.grpc.pb.h"
#include "repath/v1/world.grpc.pb.h"

namespace repath::client {

// A server that was restarted is noticed within some seconds.
inline grpc::ChannelArguments patience() {
  grpc::ChannelArguments arguments;
  arguments.SetInt(GRPC_ARG_INITIAL_RECONNECT_BACKOFF_MS, 100);
  arguments.SetInt(GRPC_ARG_MIN_RECONNECT_BACKOFF_MS, 1000);  // the longest wait for an answer
  arguments.SetInt(GRPC_ARG_MAX_RECONNECT_BACKOFF_MS, 5000);
  return arguments;
}

struct Stubs {
  Stubs(const std::string& address, const Security& security)
      : channel(make_channel(address, security, patience())),
        worlds(v1::WorldService::NewStub(channel)),
        paths(v1::PathService::NewStub(channel)),
        agents(v1::AgentService::NewStub(channel)) {}

  std::shared_ptr<grpc::Channel> channel;
  std::unique_ptr<v1::WorldService::Stub> worlds;
  std::unique_ptr<v1::PathService::Stub> paths;
  std::unique_ptr<v1::AgentService::Stub> agents;
  std::shared_ptr<Calls> calls = std::make_shared<Calls>();
};

}  // namespace repath::client
