// Messages of any type with hostile values: numbers at the ends of their ranges, unknown values of
// enums, long lists, names that exist elsewhere.
#pragma once

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <cstdint>
#include <iterator>
#include <limits>
#include <string>
#include <vector>

#include "base/random.h"

namespace repath::test {

class HostileMessage {
 public:
  using Message = google::protobuf::Message;
  using Field = google::protobuf::FieldDescriptor;

  // `names` are worth trying in fields of text.
  HostileMessage(Random* random, const std::vector<std::string>& names)
      : random_(random), names_(names) {}

  // Changes some fields, down to any depth.
  void change(Message* message) {
    for (std::uint32_t times = 1 + random_->below(4); times > 0; --times) change_one(message, 0);
  }

 private:
  static constexpr int kDepthMax = 6;

  template <class T>
  T among(std::initializer_list<T> values) {
    return values.begin()[random_->below(static_cast<std::uint32_t>(values.size()))];
  }
  double real() {
    using Limits = std::numeric_limits<double>;
    return among({0.0, -0.0, 0.5, 1.0, -1.0, 2.5, 7.5, 19.999, 20.0, 1e-300, 1e6, 33554.5, 1e300,
                  -1e300, Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN()});
  }
  std::uint64_t whole() {
    return among<std::uint64_t>({0, 1, 2, 3, 7, 9, 20, 64, 255, 65'535, 1'000'000, 0x7fff'ffff,
                                 0x8000'0000, 0xffff'ffff, 0x7fff'ffff'ffff'ffff, ~0ull});
  }
  std::string text(const Field& field) {
    if (field.type() == Field::TYPE_BYTES) return std::string(random_->below(80), '\x9c');
    const std::uint32_t dice = random_->below(static_cast<std::uint32_t>(names_.size()) + 3);
    if (dice < names_.size()) return names_[dice];
    return among<std::string>({"", std::string(300, 'n'), "no name", "\n", "a/b", "\xc3\x28"});
  }

  void change_one(Message* message, int depth) {
    const auto& type = *message->GetDescriptor();
    if (type.field_count() == 0) return;
    const Field* field = type.field(
        static_cast<int>(random_->below(static_cast<std::uint32_t>(type.field_count()))));
    const auto* reflection = message->GetReflection();
    if (random_->below(12) == 0) return reflection->ClearField(message, field);
    if (!field->is_repeated()) return set(message, field, depth);
    const std::uint32_t more = random_->below(40) == 0 ? random_->below(3000) : random_->below(4);
    for (std::uint32_t i = 0; i <= more; ++i) add(message, field, depth);
  }

  void set(Message* message, const Field* field, int depth) {
    const auto* reflection = message->GetReflection();
    switch (field->cpp_type()) {
      case Field::CPPTYPE_MESSAGE:
        if (depth < kDepthMax) change_one(reflection->MutableMessage(message, field), depth + 1);
        return;
      case Field::CPPTYPE_STRING:
        return reflection->SetString(message, field, text(*field));
      case Field::CPPTYPE_ENUM:
        return reflection->SetEnumValue(message, field, static_cast<int>(random_->below(12)));
      case Field::CPPTYPE_BOOL:
        return reflection->SetBool(message, field, random_->below(2) == 0);
      case Field::CPPTYPE_DOUBLE:
        return reflection->SetDouble(message, field, real());
      case Field::CPPTYPE_FLOAT:
        return reflection->SetFloat(message, field, static_cast<float>(real()));
      case Field::CPPTYPE_UINT64:
        return reflection->SetUInt64(message, field, whole());
      case Field::CPPTYPE_UINT32:
        return reflection->SetUInt32(message, field, static_cast<std::uint32_t>(whole()));
      case Field::CPPTYPE_INT64:
        return reflection->SetInt64(message, field, static_cast<std::int64_t>(whole()));
      case Field::CPPTYPE_INT32:
        return reflection->SetInt32(message, field, static_cast<std::int32_t>(whole()));
    }
  }

  void add(Message* message, const Field* field, int depth) {
    const auto* reflection = message->GetReflection();
    switch (field->cpp_type()) {
      case Field::CPPTYPE_MESSAGE:
        if (depth < kDepthMax) change_one(reflection->AddMessage(message, field), depth + 1);
        return;
      case Field::CPPTYPE_STRING:
        return reflection->AddString(message, field, text(*field));
      case Field::CPPTYPE_ENUM:
        return reflection->AddEnumValue(message, field, static_cast<int>(random_->below(12)));
      case Field::CPPTYPE_BOOL:
        return reflection->AddBool(message, field, random_->below(2) == 0);
      case Field::CPPTYPE_DOUBLE:
        return reflection->AddDouble(message, field, real());
      case Field::CPPTYPE_FLOAT:
        return reflection->AddFloat(message, field, static_cast<float>(real()));
      case Field::CPPTYPE_UINT64:
        return reflection->AddUInt64(message, field, whole());
      case Field::CPPTYPE_UINT32:
        return reflection->AddUInt32(message, field, static_cast<std::uint32_t>(whole()));
      case Field::CPPTYPE_INT64:
        return reflection->AddInt64(message, field, static_cast<std::int64_t>(whole()));
      case Field::CPPTYPE_INT32:
        return reflection->AddInt32(message, field, static_cast<std::int32_t>(whole()));
    }
  }

  Random* random_;
  const std::vector<std::string>& names_;
};

}  // namespace repath::test
