// A server with a small world of each kind, and calls that read worlds back.
#pragma once

#include <google/protobuf/text_format.h>

#include <string>

#include "rpc/route_fixture.h"

namespace repath::test {

// Reads a message in its text form.
template <class Message>
Message message_of(const std::string& text) {
  Message message;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &message)) << text;
  return message;
}

// The result of an export.
struct Exported {
  grpc::Status status;
  v1::ExportWorldResponse::Header header;
  std::string file;
};

class ReadBackServer : public RouteServer {
 protected:
  void SetUp() override {
    RouteServer::SetUp();
    import_square("square", true);
  }
  v1::World create(const std::string& text) {
    const auto request = message_of<v1::CreateWorldRequest>(text);
    Context context;
    v1::World world;
    const grpc::Status status = worlds_->CreateWorld(&context, request, &world);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return world;
  }
  void change(const std::string& world, const std::string& batch) {
    v1::ApplyChangesRequest request;
    request.set_world(world);
    *request.mutable_batch() = message_of<v1::ChangeBatch>(batch);
    apply(request);
  }
  v1::World get(const std::string& name) {
    Context context;
    v1::GetWorldRequest request;
    request.set_world(name);
    v1::World world;
    EXPECT_TRUE(worlds_->GetWorld(&context, request, &world).ok());
    return world;
  }
  template <class Request, class Response>
  grpc::Status call(grpc::Status (v1::WorldService::Stub::*method)(grpc::ClientContext*,
                                                                   const Request&, Response*),
                    const std::string& request, Response* response) {
    Context context;
    return (worlds_.get()->*method)(&context, message_of<Request>(request), response);
  }
  grpc::Status terrain(const std::string& request, v1::GetTerrainResponse* out) {
    return call(&v1::WorldService::Stub::GetTerrain, request, out);
  }
  grpc::Status obstacles(const std::string& request, v1::ListObstaclesResponse* out) {
    return call(&v1::WorldService::Stub::ListObstacles, request, out);
  }
  grpc::Status graph(const std::string& request, v1::GetGraphResponse* out) {
    return call(&v1::WorldService::Stub::GetGraph, request, out);
  }
  Exported export_world(const std::string& request) {
    Context context;
    auto reader = worlds_->ExportWorld(&context, message_of<v1::ExportWorldRequest>(request));
    Exported exported;
    v1::ExportWorldResponse message;
    for (int i = 0; reader->Read(&message); ++i) {
      EXPECT_EQ(message.has_header(), i == 0);
      if (message.has_header()) exported.header = message.header();
      exported.file += message.chunk();
    }
    exported.status = reader->Finish();
    return exported;
  }
  grpc::Status import_file(const std::string& header, const std::string& file, v1::World* world) {
    Context context;
    auto writer = worlds_->ImportWorld(&context, world);
    v1::ImportWorldRequest part;
    *part.mutable_header() = message_of<v1::ImportWorldRequest::Header>(header);
    writer->Write(part);
    part.set_chunk(file);
    writer->Write(part);
    writer->WritesDone();
    return writer->Finish();
  }
  // Exports the world and imports the file as "again".
  v1::World again(const std::string& name) {
    const Exported exported = export_world("world: '" + name + "'");
    EXPECT_TRUE(exported.status.ok()) << exported.status.error_message();
    EXPECT_EQ(exported.header.lost_size(), 0);
    EXPECT_EQ(exported.header.state_hash(), get(name).state_hash());
    v1::World made;
    const grpc::Status status = import_file("world { name: 'again' }", exported.file, &made);
    EXPECT_TRUE(status.ok()) << status.error_message();
    return made;
  }
};

}  // namespace repath::test
