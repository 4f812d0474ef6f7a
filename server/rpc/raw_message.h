// Messages as bytes: how much memory they take once they are read, reading and writing them. A few
// bytes can stand for a large message: an empty agent takes two on the wire and about two hundred
// in memory.
#pragma once

#include <google/protobuf/descriptor.h>
#include <grpc/byte_buffer.h>
#include <grpcpp/impl/codegen/proto_utils.h>
#include <grpcpp/support/byte_buffer.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "absl/status/status.h"
#include "base/check.h"
#include "base/error.h"

namespace repath {

// Greatest memory that one request or message of a stream may take. Four MiB of anything that a
// game sends take less.
inline constexpr std::uint64_t kDecodedBytesMax = std::uint64_t{64} << 20;

// Return about how much memory the message of that type takes that the bytes stand for. They stop
// counting beyond kDecodedBytesMax. Bytes that are no message count as far as they can be read.
// O(bytes); short messages are not looked at and count as a multiple of their length.
std::uint64_t decoded_bytes(const google::protobuf::Descriptor& type, std::string_view bytes);
std::uint64_t decoded_bytes(const google::protobuf::Descriptor& type,
                            const grpc::ByteBuffer& bytes);
std::uint64_t decoded_bytes(const google::protobuf::Descriptor& type, grpc_byte_buffer* bytes);

// Reads the message of a raw method as gRPC does it for the other methods. INVALID_ARGUMENT with
// reason PROTO_INVALID for bytes that are no such message.
template <class Message>
absl::Status read_message(const grpc::ByteBuffer& bytes, Message* message) {
  grpc::ByteBuffer copy = bytes;  // copies the reference, because reading takes it
  if (grpc::SerializationTraits<Message>::Deserialize(&copy, message).ok()) return absl::OkStatus();
  return make_error(absl::StatusCode::kInvalidArgument, "PROTO_INVALID", "",
                    "the bytes are no " + Message::descriptor()->full_name());
}

// Writes the answer of a raw method.
template <class Message>
void write_message(const Message& message, grpc::ByteBuffer* bytes) {
  bool own = false;
  REPATH_CHECK(grpc::SerializationTraits<Message>::Serialize(message, bytes, &own).ok());
}

// RESOURCE_EXHAUSTED with reason MESSAGE_TOO_LARGE if a message of that size is too large.
absl::Status check_decoded(std::uint64_t decoded);

}  // namespace repath
