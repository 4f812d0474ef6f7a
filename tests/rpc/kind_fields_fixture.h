// Requests with one field set, on a grid, the mesh "house" and the graph "streets".
#pragma once

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rpc/route_fixture.h"

namespace repath::test {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using Names = std::set<std::string_view>;

// Sets a value other than the default: the last one of an enum, 2 for numbers, one element.
inline void set_sample(Message* message, const FieldDescriptor* field) {
  const auto* reflection = message->GetReflection();
  if (field->is_repeated()) {
    if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE) {
      reflection->AddMessage(message, field);
    } else if (field->cpp_type() == FieldDescriptor::CPPTYPE_UINT64) {
      reflection->AddUInt64(message, field, 2);
    } else if (field->cpp_type() == FieldDescriptor::CPPTYPE_DOUBLE) {
      reflection->AddDouble(message, field, 2);
    } else {
      reflection->AddInt32(message, field, 2);
    }
    return;
  }
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_MESSAGE:
      reflection->MutableMessage(message, field);
      break;
    case FieldDescriptor::CPPTYPE_ENUM:
      reflection->SetEnumValue(
          message, field,
          field->enum_type()->value(field->enum_type()->value_count() - 1)->number());
      break;
    case FieldDescriptor::CPPTYPE_BOOL:
      reflection->SetBool(message, field, true);
      break;
    case FieldDescriptor::CPPTYPE_DOUBLE:
      reflection->SetDouble(message, field, 2);
      break;
    case FieldDescriptor::CPPTYPE_UINT32:
      reflection->SetUInt32(message, field, 2);
      break;
    case FieldDescriptor::CPPTYPE_UINT64:
      reflection->SetUInt64(message, field, 2);
      break;
    case FieldDescriptor::CPPTYPE_INT32:
      reflection->SetInt32(message, field, 2);
      break;
    default:
      ADD_FAILURE() << "no sample of " << field->full_name();
  }
}

class KindFields : public RouteServer {
 protected:
  static constexpr const char* kKinds[] = {"grid", "house", "streets"};
  void SetUp() override {
    RouteServer::SetUp();
    import_square("grid", true);
  }

  // `where` is the prefix of the field at fault: "options." and the like. The message is part of
  // the request that `ask` sends.
  static void expect_unsuited(const grpc::Status& status, const std::string& field) {
    EXPECT_EQ(status.error_code(), grpc::INVALID_ARGUMENT)
        << field << ": " << status.error_message();
    EXPECT_EQ(fault_of(status).reason, "KIND_UNSUITED") << field << ": " << status.error_message();
    EXPECT_EQ(fault_of(status).field, field) << status.error_message();
  }
  using Ask = std::function<grpc::Status(const FieldDescriptor*)>;
  static void expect_only(const google::protobuf::Descriptor* of, const Names& suits,
                          const std::string& where, const Ask& ask) {
    for (int i = 0; i < of->field_count(); ++i) {
      const FieldDescriptor* field = of->field(i);
      if (suits.contains(field->name())) continue;
      expect_unsuited(ask(field), where + std::string(field->name()));
    }
  }

  static void put_places(const std::string& world, v1::Location* from, v1::Location* to) {
    const bool is_streets = world == "streets";
    set_place(is_streets ? 0 : 3, 0, is_streets ? 0 : 1, from);
    set_place(is_streets ? 10 : 6, 0, is_streets ? 10 : 1, to);
  }
  template <class Request>
  static v1::QueryOptions* fill(const std::string& world, Request* request) {
    request->set_world(world);
    v1::Location to;
    put_places(world, request->mutable_from(), &to);
    if constexpr (requires { request->add_goals(); }) *request->add_goals() = to;
    if constexpr (requires { request->add_threats(); }) *request->add_threats() = to;
    return request->mutable_options();
  }
  grpc::Status apply_batch(const std::string& world, const v1::ChangeBatch& batch) {
    v1::ApplyChangesRequest request;
    request.set_world(world);
    *request.mutable_batch() = batch;
    Context context;
    v1::ApplyChangesResponse response;
    return worlds_->ApplyChanges(&context, request, &response);
  }
  grpc::Status check(const std::string& world, const FieldDescriptor* field) {
    v1::CheckPathRequest request;
    request.set_world(world);
    if (world != "grid") request.mutable_positions()->Resize(3, 0);
    if (field->name() == "positions") request.mutable_positions()->Resize(2, 0);
    set_sample(&request, field);
    Context context;
    v1::CheckPathResponse response;
    return paths_->CheckPath(&context, request, &response);
  }
};

}  // namespace repath::test
