#include "gateway/message_text.h"

#include <google/protobuf/message.h>
#include <google/protobuf/util/json_util.h>
#include <grpcpp/support/slice.h>

#include <memory>
#include <vector>

#include "base/error.h"

namespace repath {
namespace {

namespace pb = google::protobuf;

std::unique_ptr<pb::Message> make_message(const pb::Descriptor& type) {
  return std::unique_ptr<pb::Message>(
      pb::MessageFactory::generated_factory()->GetPrototype(&type)->New());
}

std::string joined(const grpc::ByteBuffer& bytes) {
  std::vector<grpc::Slice> slices;
  std::string all;
  if (!bytes.Dump(&slices).ok()) return all;
  all.reserve(bytes.Length());
  for (const grpc::Slice& slice : slices)
    all.append(static_cast<const char*>(static_cast<const void*>(slice.begin())), slice.size());
  return all;
}

// The reader of JSON quotes the text, which may be any bytes. A status must be UTF-8.
std::string printable(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c < 0x20 || c > 0x7E) c = '?';
  return out;
}

}  // namespace

absl::StatusOr<grpc::ByteBuffer> to_grpc_bytes(const pb::Descriptor& type, Encoding encoding,
                                               std::string_view text) {
  std::string bytes;
  if (encoding == Encoding::kJson) {
    const auto message = make_message(type);
    const auto status = pb::util::JsonStringToMessage({text.data(), text.size()}, message.get());
    if (!status.ok())
      return invalid_field("JSON_INVALID", "",
                           "the body is no JSON of " + type.full_name() + ": " +
                               printable({status.message().data(), status.message().size()}));
    bytes = message->SerializeAsString();
    text = bytes;
  }
  const grpc::Slice slice(text.data(), text.size());
  return grpc::ByteBuffer(&slice, 1);
}

absl::StatusOr<std::string> from_grpc_bytes(const pb::Descriptor& type, Encoding encoding,
                                            const grpc::ByteBuffer& bytes) {
  std::string text = joined(bytes);
  if (encoding == Encoding::kProto) return text;
  const auto message = make_message(type);
  std::string json;
  if (!message->ParseFromString(text) || !pb::util::MessageToJsonString(*message, &json).ok())
    return absl::InternalError("the answer cannot be written as JSON");
  return json;
}

}  // namespace repath
