#include "gateway/message_text.h"

#include <google/protobuf/message.h>
#include <google/protobuf/util/json_util.h>
#include <google/protobuf/util/type_resolver.h>
#include <google/protobuf/util/type_resolver_util.h>
#include <grpcpp/support/slice.h>

#include <algorithm>
#include <memory>
#include <vector>

#include "base/error.h"
#include "gateway/strict_json.h"
#include "rpc/status.h"

namespace repath {
namespace {

namespace pb = google::protobuf;

std::unique_ptr<pb::Message> make_message(const pb::Descriptor& type) {
  return std::unique_ptr<pb::Message>(
      pb::MessageFactory::generated_factory()->GetPrototype(&type)->New());
}

const std::string kTypeServer = "type.googleapis.com";

pb::util::TypeResolver& types() {
  static const std::unique_ptr<pb::util::TypeResolver> all(
      pb::util::NewTypeResolverForDescriptorPool(kTypeServer,
                                                 pb::DescriptorPool::generated_pool()));
  return *all;
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

std::string snake_case(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const bool is_upper = c >= 'A' && c <= 'Z';
    if (is_upper) out += '_';
    out += static_cast<char>(is_upper ? c - 'A' + 'a' : c);
  }
  return out;
}

bool is_path(std::string_view path) {
  return !path.empty() && std::ranges::all_of(path, [](char c) {
    return c == '_' || c == '.' || c == '[' || c == ']' || (c >= '0' && c <= '9') ||
           (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
  });
}

// Returns the field as the .proto files name it; empty if there can be no such field.
std::string field_at(std::string_view path) { return is_path(path) ? snake_case(path) : ""; }

// An error of Protobuf's reader of JSON, taken apart. The reader writes "(from.cell.x): invalid
// value ..." or "(from) nme: Cannot find field."; if the text is no JSON at all, it quotes the
// place in two more lines.
struct Complaint {
  std::string field;  // as it is named in the .proto files; empty: the text as a whole
  std::string what;
};
Complaint complaint_of(std::string_view message) {
  const std::string_view line = message.substr(0, message.find('\n'));
  std::string_view path;
  std::string_view rest = line;
  if (const std::size_t end = rest.find(')'); rest.starts_with('(') && end != rest.npos) {
    path = rest.substr(1, end - 1);
    rest.remove_prefix(end + 1);
    while (!rest.empty() && (rest.front() == ' ' || rest.front() == ':')) rest.remove_prefix(1);
  }
  std::string field = field_at(path);
  constexpr std::string_view kUnknown = ": Cannot find field.";
  if (rest.ends_with(kUnknown)) {
    const std::string_view name = rest.substr(0, rest.size() - kUnknown.size());
    if (!is_path(name)) return {std::move(field), "a field is unknown"};
    if (!field.empty()) field += '.';
    return {field + std::string(name), "there is no such field"};
  }
  return {std::move(field), printable(rest)};
}

absl::Status json_invalid(const pb::Descriptor& type, const std::string& field,
                          const std::string& what) {
  return invalid_field("JSON_INVALID", field,
                       "the body is no JSON of " + type.full_name() + ": " + what);
}

}  // namespace

absl::StatusOr<grpc::ByteBuffer> to_grpc_bytes(const pb::Descriptor& type, Encoding encoding,
                                               std::string_view text) {
  std::string bytes;
  if (encoding == Encoding::kJson) {
    if (const auto fault = find_json_fault(text))
      return json_invalid(type, field_at(fault->path), fault->what);
    // Not by way of a message, which may be a hundred times as large as its text.
    const auto status = pb::util::JsonToBinaryString(
        &types(), kTypeServer + ("/" + type.full_name()), {text.data(), text.size()}, &bytes);
    if (!status.ok()) {
      const Complaint complaint = complaint_of({status.message().data(), status.message().size()});
      return json_invalid(type, complaint.field, complaint.what);
    }
    text = bytes;
  }
  const grpc::Slice slice(text.data(), text.size());
  return grpc::ByteBuffer(&slice, 1);
}

grpc::Status with_cause(const grpc::Status& status, const pb::Descriptor& type,
                        const grpc::ByteBuffer& sent) {
  const bool may_be_unread =
      status.error_code() == grpc::UNIMPLEMENTED && status.error_details().empty();
  if (!may_be_unread || make_message(type)->ParseFromString(joined(sent))) return status;
  return to_grpc(invalid_field("PROTO_INVALID", "", "the bytes are no " + type.full_name()));
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
