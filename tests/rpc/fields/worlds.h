// A world of each kind with the same ground plan, and calls of any method by its name.
//
// The ground is 20 x 10 units. A wall from x = 9 to x = 11 leaves a passage at z = 7 and above. The
// same places can be asked about on every kind, so one request serves all of them.
#pragma once

#include <google/protobuf/text_format.h>

#include <chrono>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rpc/access_fixture.h"
#include "rpc/fields/table.h"

namespace repath::test {

// One kind of world. The letter stands for it in the table.
struct FieldKind {
  char letter;
  const char* name;
  const char* header;  // of its import
  std::string file;
};

inline constexpr const char* kFieldMap =
    "....................\n....................\n.........##.........\n.........##.........\n"
    ".........##.........\n.........##.........\n.........##.........\n....................\n"
    "....................\n....................\n";
inline constexpr const char* kFieldSwamps =
    "....................\n....................\n.........##.........\n.........##.........\n"
    ".........##....1....\n.........##....1....\n.........##....1....\n.......SS...........\n"
    ".......S............\n....................\n";
inline constexpr const char* kFieldPlan = R"({"floors": [
  {"y": 0, "outer": [[0, 0], [20, 0], [20, 10], [10, 9.8], [0, 10]],
   "holes": [[[9, 2], [11, 2], [11, 7], [9, 7]]]},
  {"y": 4, "outer": [[0, 0], [6, 0], [6, 6], [0, 6]], "area": 3, "flags": 2},
  {"y": 0, "outer": [[30, 0], [34, 0], [34, 4], [30, 4]]}],
 "links": [{"id": 5, "from_floor": 0, "from": [5, 8], "to_floor": 0, "to": [15, 8], "factor": 1.5},
  {"id": 6, "from_floor": 0, "from": [1, 1], "to_floor": 1, "to": [1, 2], "flags": 4}]})";
inline constexpr const char* kFieldObj =
    "v 0 0 0\nv 20 0 0\nv 20 0 2\nv 0 0 2\nv 9 0 2\nv 9 0 7\nv 0 0 7\nv 11 0 2\nv 11 0 7\n"
    "v 20 0 7\nv 20 0 10\nv 0 0 10\nf 1 4 3 2\nf 4 7 6 5\nf 8 9 10 3\nf 7 12 11 10\n"
    "v 3 0.4 3\nv 5 0.4 3\nv 5 0.4 5\nv 3 0.4 5\nf 13 16 15 14\n"
    "v 13 0 7\nv 16 1.4 7\nv 16 1.4 9\nv 13 0 9\nf 17 20 19 18\n"
    "v 12 2.6 2.5\nv 19 2.6 2.5\nv 19 2.6 6.5\nv 12 2.6 6.5\nf 21 24 23 22\n";
// With many nodes that no edge leads to, so that a table of all pairs is large.
inline std::string field_graph() {
  std::string text = R"({"nodes": [
  {"id": 1, "position": [2.5, 0, 2.5], "area": 2}, {"id": 2, "position": [2.5, 0, 8.5]},
  {"id": 3, "position": [10, 0, 8.5]}, {"id": 4, "position": [17.5, 0, 8.5]},
  {"id": 5, "position": [17.5, 0, 2.5]}, {"id": 6, "position": [10, 0, 9.5]},
  {"id": 7, "position": [5.5, 0, 4.5]}, {"id": 9, "position": [2.5, 30, 2.5]},
  {"id": 10, "position": [31.5, 0, 1.5]},
  {"id": 11, "position": [-20, 0, 2.5]}, {"id": 12, "position": [-20, 0, 4.5]},
  {"id": 13, "position": [2.5, 0, 20]}, {"id": 14, "position": [2.5, 60, 2.5]})";
  for (int i = 0; i < 140; ++i)
    text += ", {\"id\": " + std::to_string(1000 + i) + ", \"position\": [" +
            std::to_string(200 + i) + ", 0, 0]}";
  return text + R"(],
 "edges": [{"from": 1, "to": 2, "cost": 7},
  {"from": 1, "to": 2, "cost": 6.5, "key": 1, "flags": 2, "both": false},
  {"from": 2, "to": 3, "width": 1, "area": 3}, {"from": 3, "to": 4}, {"from": 2, "to": 6},
  {"from": 6, "to": 4}, {"from": 4, "to": 5}, {"from": 1, "to": 7},
  {"from": 7, "to": 3, "cost": 9, "width": 1}, {"from": 1, "to": 9},
  {"from": 9, "to": 5, "cost": 40}, {"from": 5, "to": 10, "width": 1},
  {"from": 1, "to": 11}, {"from": 11, "to": 12}]})";
}
inline const FieldKind kFieldKinds[] = {
    {'s', "square", "", kFieldMap},
    {'f', "four", "profiles { name: 'default' topology: TOPOLOGY_4 }", kFieldSwamps},
    {'h', "hex", "profiles { name: 'default' topology: TOPOLOGY_HEX }", kFieldSwamps},
    {'p', "plan", "", kFieldPlan},
    {'o', "obj", "", kFieldObj},
    {'g', "graph", "", field_graph()}};

// Returns the text with every "$w" replaced by the name of a world.
inline std::string with_world(std::string text, const std::string& world) {
  for (std::size_t at = text.find("$w"); at != std::string::npos; at = text.find("$w"))
    text.replace(at, 2, world);
  return text;
}

using MessagePtr = std::unique_ptr<Message>;

inline MessagePtr new_message(const Descriptor& type) {
  return MessagePtr(
      google::protobuf::MessageFactory::generated_factory()->GetPrototype(&type)->New());
}

inline void merge_text(const std::string& text, Message* out) {
  EXPECT_TRUE(google::protobuf::TextFormat::MergeFromString(text, out))
      << out->GetDescriptor()->name() << ": " << text;
}

// Clears what differs between two equal calls, and what only repeats the request: `agent` and
// `options` of read-backs, batches of the history.
inline void clear_volatile(const std::set<std::string>& names, Message* message) {
  const auto* reflection = message->GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection->ListFields(*message, &fields);
  for (const FieldDescriptor* field : fields) {
    if (names.contains(std::string(field->name()))) {
      reflection->ClearField(message, field);
    } else if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE && !field->is_map()) {
      if (!field->is_repeated()) {
        clear_volatile(names, reflection->MutableMessage(message, field));
        continue;
      }
      for (int i = 0; i < reflection->FieldSize(*message, field); ++i)
        clear_volatile(names, reflection->MutableRepeatedMessage(message, field, i));
    }
  }
}

// The outcome of a call.
struct FieldOutcome {
  grpc::Status status;
  Fault fault;
  std::string text;  // of the answers, without what is volatile
  bool operator==(const FieldOutcome& other) const {
    return status.error_code() == other.status.error_code() && text == other.text &&
           fault.reason == other.fault.reason && fault.field == other.fault.field;
  }
};

class FieldWorlds : public Server {
 protected:
  static Limits many_calls() {
    Limits limits;
    limits.watches_per_world_max = 64;
    return limits;
  }
  explicit FieldWorlds(const Limits& limits = many_calls()) : Server(limits) {
    for (const auto* method : all_methods()) methods_[method->name()] = method;
    for (const FieldLine* line : FieldTable::get().all("volatile")) volatile_.insert(line->key());
  }

  const MethodDescriptor& method(const std::string& name) const {
    const auto found = methods_.find(name);
    EXPECT_NE(found, methods_.end()) << "no method " << name;
    return *found->second;
  }
  MessagePtr request_of(const std::string& name, const std::string& text,
                        const std::string& world) {
    MessagePtr request = new_message(*method(name).input_type());
    merge_text(with_world(text, world), request.get());
    return request;
  }

  // Calls the method with these messages one after the other and the half-close; reads at most
  // `reads` answers, and then cancels. A stream that is read once may have none for `patience`.
  // Returns the end of the call; OK if this function ended it.
  grpc::Status exchange(const MethodDescriptor& method, const std::vector<std::string>& requests,
                        int reads, std::chrono::milliseconds patience,
                        std::vector<grpc::ByteBuffer>* answers) {
    grpc::GenericStub stub(channel_);
    Context context;
    const bool is_endless = method.server_streaming() && reads == 1;
    if (is_endless) context.set_deadline(std::chrono::system_clock::now() + patience);
    grpc::CompletionQueue queue;
    const std::string name = "/" + method.service()->full_name() + "/" + method.name();
    const auto stream = stub.PrepareCall(&context, name, &queue);
    void* tag = nullptr;
    bool ok = false;
    const auto wait = [&] { return queue.Next(&tag, &ok) && ok; };
    stream->StartCall(nullptr);
    wait();
    for (const std::string& request : requests) {
      const grpc::Slice slice(request);
      stream->Write(grpc::ByteBuffer(&slice, 1), nullptr);
      if (!wait()) break;
    }
    stream->WritesDone(nullptr);
    wait();
    int read = 0;
    for (; read < reads; ++read) {
      grpc::ByteBuffer answer;
      stream->Read(&answer, nullptr);
      if (!wait()) break;
      answers->push_back(std::move(answer));
    }
    if (read == reads && method.server_streaming()) context.TryCancel();
    grpc::Status status;
    stream->Finish(&status, nullptr);
    wait();
    const grpc::StatusCode code = status.error_code();
    const bool is_own_end =
        code == grpc::StatusCode::CANCELLED || code == grpc::StatusCode::DEADLINE_EXCEEDED;
    return is_endless && is_own_end ? grpc::Status::OK : status;
  }
  FieldOutcome call(const MethodDescriptor& method, const std::vector<std::string>& requests,
                    int reads) {
    FieldOutcome outcome;
    std::vector<grpc::ByteBuffer> answers;
    outcome.status = exchange(method, requests, reads, std::chrono::milliseconds(400), &answers);
    for (const grpc::ByteBuffer& answer : answers)
      outcome.text += text_of(*method.output_type(), answer);
    outcome.fault = fault_of(outcome.status);
    return outcome;
  }
  // Calls a method that takes one message, or an import with the file of the kind.
  FieldOutcome call(const std::string& name, const Message& request, const FieldKind& kind) {
    const MethodDescriptor& of = method(name);
    std::vector<std::string> requests{request.SerializeAsString()};
    if (name == "ImportWorld") {
      v1::ImportWorldRequest import;
      import.ParseFromString(requests[0]);
      v1::ImportWorldRequest chunk;
      if (import.chunk().empty()) import.set_chunk(kind.file);
      chunk.set_chunk(import.chunk());
      import.mutable_header();
      requests = {request.SerializeAsString(), chunk.SerializeAsString()};
    }
    const bool is_endless = of.server_streaming() && name != "ExportWorld";
    return call(of, requests, is_endless ? 1 : 1000);
  }
  // "METHOD text" as the table has it.
  FieldOutcome call_line(const std::string& line, const std::string& world, const FieldKind& kind) {
    const std::size_t end = line.find(' ');
    const std::string name = line.substr(0, end);
    const std::string text = end == std::string::npos ? "" : line.substr(end + 1);
    return call(name, *request_of(name, text, world), kind);
  }

  void drop(const std::string& name) {
    Context context;
    v1::DeleteWorldRequest request;
    request.set_world(name);
    v1::DeleteWorldResponse response;
    worlds_->DeleteWorld(&context, request, &response);
  }
  // Makes the kind's world, with what the table's "setup" lines add to it.
  void make(const FieldKind& kind, const std::string& name) {
    drop(name);
    const std::string header = "header { world { name: '$w' options { lockstep: true } " +
                               std::string(kind.header) + " } }";
    const FieldOutcome made = call("ImportWorld", *request_of("ImportWorld", header, name), kind);
    ASSERT_TRUE(made.status.ok()) << kind.name << ": " << made.status.error_message();
    for (const FieldLine* line : FieldTable::get().all("setup")) {
      if (line->key().find(kind.letter) == std::string::npos) continue;
      const FieldOutcome done = call_line(line->part(1), name, kind);
      ASSERT_TRUE(done.status.ok())
          << kind.name << ": " << line->part(1) << ": " << done.status.error_message();
    }
  }

 private:
  std::string text_of(const Descriptor& type, const grpc::ByteBuffer& answer) const {
    std::vector<grpc::Slice> slices;
    if (!answer.Dump(&slices).ok()) return "?";
    std::string bytes;
    for (const grpc::Slice& one : slices)
      bytes.append(reinterpret_cast<const char*>(one.begin()), one.size());
    const MessagePtr message = new_message(type);
    EXPECT_TRUE(message->ParseFromString(bytes));
    clear_volatile(volatile_, message.get());
    return message->DebugString();
  }

  std::map<std::string, const MethodDescriptor*> methods_;
  std::set<std::string> volatile_;
};

}  // namespace repath::test
