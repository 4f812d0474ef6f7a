// Messages from and to the bytes that raw methods read and write, as gRPC itself does it for the
// others.
#pragma once

#include <google/protobuf/message_lite.h>
#include <grpcpp/impl/codegen/proto_utils.h>
#include <grpcpp/support/byte_buffer.h>

#include "base/check.h"

namespace repath {

// False: the bytes are no such message.
template <class Message>
bool read_message(const grpc::ByteBuffer& bytes, Message* message) {
  grpc::ByteBuffer copy = bytes;  // of the reference: reading takes it
  return grpc::SerializationTraits<Message>::Deserialize(&copy, message).ok();
}

template <class Message>
void write_message(const Message& message, grpc::ByteBuffer* bytes) {
  bool own = false;
  REPATH_CHECK(grpc::SerializationTraits<Message>::Serialize(message, bytes, &own).ok());
}

}  // namespace repath
