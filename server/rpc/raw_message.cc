#include "rpc/raw_message.h"

#include <google/protobuf/message.h>
#include <grpc/byte_buffer_reader.h>
#include <grpcpp/support/slice.h>

#include <algorithm>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "base/error.h"

namespace repath {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

// Games send many short messages and must not pay for the count. Short messages hold little.
constexpr std::size_t kShortBytes = 256;
constexpr std::uint64_t kShortFactor = 16;
constexpr std::uint64_t kAllocation = 16;  // bytes that an allocation takes beyond its own
constexpr std::uint64_t kUnknownField = 32;

// Reads Protobuf's wire format (protobuf.dev/programming-guides/encoding) and adds up what its
// fields take in memory. Stops at the first byte that cannot be read.
class DecodedCount {
 public:
  std::uint64_t count(const Descriptor& type, std::string_view bytes) {
    add_message(type, bytes);
    return sum_;
  }

 private:
  enum Format : std::uint8_t { kVarint = 0, kFixed64 = 1, kDelimited = 2, kFixed32 = 5 };

  void add_message(const Descriptor& type, std::string_view bytes) {
    sum_ += size_of(type) + kAllocation;
    while (!bytes.empty() && sum_ <= kDecodedBytesMax) {
      std::uint64_t tag = 0;
      if (!take_varint(&bytes, &tag)) return;
      const FieldDescriptor* const field = type.FindFieldByNumber(static_cast<int>(tag >> 3));
      if (field == nullptr) sum_ += kUnknownField;
      std::uint64_t length = 0;
      switch (tag & 7) {
        case kVarint:
          if (!take_varint(&bytes, &length)) return;
          length = 0;
          break;
        case kFixed64:
          length = 8;
          break;
        case kFixed32:
          length = 4;
          break;
        case kDelimited:
          if (!take_varint(&bytes, &length)) return;
          break;
        default:
          return;  // groups are of another time
      }
      if (length > bytes.size()) return;
      const std::string_view content = bytes.substr(0, length);
      bytes.remove_prefix(length);
      if ((tag & 7) == kDelimited)
        add_delimited(field, content);
      else if (field != nullptr && field->is_repeated())
        sum_ += sizeof(std::uint64_t);
    }
  }

  void add_delimited(const FieldDescriptor* field, std::string_view content) {
    if (field == nullptr) {
      sum_ += content.size();
    } else if (field->message_type() != nullptr) {
      add_message(*field->message_type(), content);
    } else if (field->cpp_type() == FieldDescriptor::CPPTYPE_STRING) {
      sum_ += sizeof(std::string) + kAllocation + content.size();
    } else {  // packed numbers, in an array that grows by doubling
      const auto is_last = [](char byte) { return (static_cast<unsigned char>(byte) & 0x80) == 0; };
      const std::uint64_t most =
          static_cast<std::uint64_t>(std::ranges::count_if(content, is_last));
      sum_ += std::max<std::uint64_t>(most * sizeof(std::uint64_t), content.size()) * 3 / 2;
    }
  }

  static bool take_varint(std::string_view* bytes, std::uint64_t* value) {
    *value = 0;
    for (std::size_t i = 0; i < bytes->size() && i < 10; ++i) {
      const auto byte = static_cast<unsigned char>((*bytes)[i]);
      *value |= std::uint64_t{byte & 0x7fu} << (7 * i);
      if ((byte & 0x80) != 0) continue;
      bytes->remove_prefix(i + 1);
      return true;
    }
    return false;
  }

  std::uint64_t size_of(const Descriptor& type) {
    const auto [known, is_new] = sizes_.try_emplace(&type, 0);
    if (is_new) {
      known->second = google::protobuf::MessageFactory::generated_factory()
                          ->GetPrototype(&type)
                          ->SpaceUsedLong();
    }
    return known->second;
  }

  std::uint64_t sum_ = 0;
  absl::flat_hash_map<const Descriptor*, std::uint64_t> sizes_;
};

std::string_view text_of(const grpc::Slice& slice) {
  return {static_cast<const char*>(static_cast<const void*>(slice.begin())), slice.size()};
}

}  // namespace

std::uint64_t decoded_bytes(const google::protobuf::Descriptor& type, std::string_view bytes) {
  if (bytes.size() <= kShortBytes) return bytes.size() * kShortFactor;
  return DecodedCount().count(type, bytes);
}

std::uint64_t decoded_bytes(const Descriptor& type, const grpc::ByteBuffer& bytes) {
  if (bytes.Length() <= kShortBytes) return bytes.Length() * kShortFactor;
  grpc::Slice all;
  return bytes.DumpToSingleSlice(&all).ok() ? decoded_bytes(type, text_of(all)) : 0;
}

std::uint64_t decoded_bytes(const Descriptor& type, grpc_byte_buffer* bytes) {
  const std::size_t length = grpc_byte_buffer_length(bytes);
  if (length <= kShortBytes) return length * kShortFactor;
  grpc_byte_buffer_reader reader;
  if (grpc_byte_buffer_reader_init(&reader, bytes) == 0) return 0;
  const grpc::Slice all(grpc_byte_buffer_reader_readall(&reader), grpc::Slice::STEAL_REF);
  grpc_byte_buffer_reader_destroy(&reader);
  return decoded_bytes(type, text_of(all));
}

absl::Status check_decoded(std::uint64_t decoded) {
  if (decoded <= kDecodedBytesMax) return absl::OkStatus();
  return make_error(absl::StatusCode::kResourceExhausted, "MESSAGE_TOO_LARGE", "",
                    "the message takes more than 64 MiB in memory, the limit of one; send fewer "
                    "parts at a time");
}

}  // namespace repath
