// Reads and writes messages as bytes for raw methods, as gRPC does it for the other methods.
#pragma once

#include <google/protobuf/message_lite.h>
#include <grpcpp/impl/codegen/proto_utils.h>
#include <grpcpp/support/byte_buffer.h>

#include "base/check.h"

namespace repath {

// Returns false if the bytes are not such a message.
template <class Message>
bool read_message(const grpc::ByteBuffer& bytes, Message* message) {
  grpc::ByteBuffer copy = bytes;  // copies the reference, because reading takes it
  return grpc::SerializationTraits<Message>::Deserialize(&copy, message).ok();
}

template <class Message>
void write_message(const Message& message, grpc::ByteBuffer* bytes) {
  bool own = false;
  REPATH_CHECK(grpc::SerializationTraits<Message>::Serialize(message, bytes, &own).ok());
}

}  // namespace repath
