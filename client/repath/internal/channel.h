// Makes gRPC channels with a client's security. Not installed.
#pragma once

#include <grpcpp/channel.h>
#include <grpcpp/support/channel_arguments.h>

#include <memory>
#include <string>

#include "repath/security.h"

namespace repath::client {

// Makes a channel to `address`, with TLS if `security` has any. Each call on it carries the token.
std::shared_ptr<grpc::Channel> make_channel(const std::string& address, const Security& security,
                                            const grpc::ChannelArguments& arguments = {});

}  // namespace repath::client
