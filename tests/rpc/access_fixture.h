// A server that asks for tokens, and calls of any method with any token.
#pragma once

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>
#include <grpcpp/generic/generic_stub.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "access/method_rules.h"
#include "rpc/fixture.h"
#include "support/temp_path.h"

namespace repath::test {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::MethodDescriptor;

inline std::string hex(const Sha256::Digest& digest) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : digest) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

// The line of a token whose secret is "secret-of-ID".
inline std::string token_line(const std::string& id, const std::string& scopes,
                              const std::string& worlds) {
  return "token " + id + " " + scopes + " " + worlds + " " + hex(sha256("secret-of-" + id)) + "\n";
}
inline std::string bearer(const std::string& id) { return "Bearer " + id + ".secret-of-" + id; }

// Every method of every service of the API, as the .proto files have them.
inline std::vector<const MethodDescriptor*> all_methods() {
  std::vector<const MethodDescriptor*> methods;
  const std::string folder = std::string(REPATH_SOURCE_DIR) + "/proto/repath/v1";
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".proto") continue;
    const auto* file = google::protobuf::DescriptorPool::generated_pool()->FindFileByName(
        "repath/v1/" + entry.path().filename().string());
    if (file == nullptr) {
      ADD_FAILURE() << entry.path() << " is not part of the server";
      continue;
    }
    for (int s = 0; s < file->service_count(); ++s)
      for (int m = 0; m < file->service(s)->method_count(); ++m)
        methods.push_back(file->service(s)->method(m));
  }
  return methods;
}

// Sets the field at a dotted path; an empty path sets nothing.
inline void set_path(const MethodDescriptor& method, Message* at, std::string path,
                     const std::string& value) {
  while (!path.empty()) {
    const std::size_t dot = path.find('.');
    const FieldDescriptor* field = at->GetDescriptor()->FindFieldByName(path.substr(0, dot));
    if (field == nullptr) {
      ADD_FAILURE() << method.full_name() << " has no field " << path;
      return;
    }
    if (dot == std::string::npos) {
      at->GetReflection()->SetString(at, field, value);
      return;
    }
    at = at->GetReflection()->MutableMessage(at, field);
    path.erase(0, dot + 1);
  }
}

// Returns a request of the method with this world in the fields of its rule.
inline std::string request_of(const MethodDescriptor& method, const std::string& world) {
  auto* factory = google::protobuf::MessageFactory::generated_factory();
  const std::unique_ptr<Message> request(factory->GetPrototype(method.input_type())->New());
  const MethodRule& rule = *rule_of(method.full_name());
  for (const std::string_view path : {rule.world_field, rule.source_field})
    set_path(method, request.get(), std::string(path), world);
  return request->SerializeAsString();
}

class Guarded : public Server {
 protected:
  void SetUp() override { serve(token_line("all", "read,write,agents,admin", "*")); }
  void TearDown() override {
    server_.reset();  // before what it borrows
    std::remove(path_.c_str());
  }

  void write_tokens(const std::string& lines) { std::ofstream(path_) << lines; }
  void serve(const std::string& lines, const CertificateKeeper* tls = nullptr,
             bool has_reflection = true) {
    server_.reset();
    write_tokens(lines);
    auto access = Access::with_tokens(path_);
    ASSERT_TRUE(access.ok()) << access.status();
    access_ = *std::move(access);
    auto server =
        RpcServer::start({"127.0.0.1:0"}, registry_, {access_.get(), tls, has_reflection});
    ASSERT_TRUE(server.ok()) << server.status();
    server_ = *std::move(server);
    connect(server_->addresses().front());
  }

  // Calls any method with one request and the client's half-close; returns the call's status.
  grpc::Status call(const MethodDescriptor& method, const std::string& request,
                    const std::string& authorization) {
    grpc::GenericStub stub(channel_);
    Context context;
    if (!authorization.empty()) context.AddMetadata("authorization", authorization);
    grpc::CompletionQueue queue;
    const std::string name = "/" + method.service()->full_name() + "/" + method.name();
    const auto stream = stub.PrepareCall(&context, name, &queue);
    void* tag = nullptr;
    bool ok = false;
    const auto wait = [&] { return queue.Next(&tag, &ok) && ok; };
    stream->StartCall(nullptr);
    wait();
    const grpc::Slice slice(request);
    stream->WriteLast(grpc::ByteBuffer(&slice, 1), grpc::WriteOptions(), nullptr);
    wait();
    // A stream that was let in may have no end of its own; its first message is enough.
    grpc::ByteBuffer answer;
    stream->Read(&answer, nullptr);
    if (wait() && method.server_streaming()) context.TryCancel();
    grpc::Status status;
    stream->Finish(&status, nullptr);
    wait();
    return status;
  }

  const std::string path_ = temp_path("tokens");
  std::unique_ptr<Access> access_;
};

}  // namespace repath::test
