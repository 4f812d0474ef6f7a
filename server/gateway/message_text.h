// Messages as HTTP carries them, and as gRPC does.
//
// JSON is that of proto3: names in lowerCamelCase (snake_case is read, too), 64-bit numbers as
// strings, bytes in base64, fields with their default value left out. Texts that are not strict
// JSON are refused, see strict_json.h. Four things beyond the mapping of proto3 are accepted: one
// value in place of a list, "yes" or "1" for true, a name twice in an object, and strings such as
// "+1", "007" and "0x10" for numbers.
//
// Thread rule: pure functions.
#pragma once

#include <google/protobuf/descriptor.h>
#include <grpcpp/support/byte_buffer.h>
#include <grpcpp/support/status.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "absl/status/statusor.h"

namespace repath {

enum class Encoding { kJson, kProto };

// Returns how many of a message's bytes must be read or written as text; those of kProto are only
// copied.
constexpr std::size_t text_bytes(Encoding encoding, std::size_t bytes) {
  return encoding == Encoding::kJson ? bytes : 0;
}

// Returns the message as gRPC sends it. INVALID_ARGUMENT, reason JSON_INVALID, if the text is no
// JSON of this message or has an unknown field; the error names the field as far as the reader of
// JSON does. The bytes of kProto are not looked at: the server reads them itself. Takes about a
// second and 30 MiB for the worst 4 MiB of JSON.
absl::StatusOr<grpc::ByteBuffer> to_grpc_bytes(const google::protobuf::Descriptor& type,
                                               Encoding encoding, std::string_view text);

// Returns the status to send to the HTTP client for a call that ended with `status`. gRPC answers a
// request that it cannot read with a bare UNIMPLEMENTED. If `sent` is no message of `type`, that
// status becomes INVALID_ARGUMENT, reason PROTO_INVALID.
grpc::Status with_cause(const grpc::Status& status, const google::protobuf::Descriptor& type,
                        const grpc::ByteBuffer& sent);

// Returns a message that came by gRPC as HTTP carries it.
absl::StatusOr<std::string> from_grpc_bytes(const google::protobuf::Descriptor& type,
                                            Encoding encoding, const grpc::ByteBuffer& bytes);

}  // namespace repath
