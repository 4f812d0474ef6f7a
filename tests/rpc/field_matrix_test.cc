// Every field of every request on every kind of world: it makes a difference that the answer or a
// read-back shows, or it is refused by name. The fields come from the descriptors, so a new one
// must get a line in the table of tests/rpc/fields. A field that a call ignores fails.
#include <algorithm>
#include <functional>
#include <optional>
#include <sstream>

#include "rpc/fields/worlds.h"

namespace repath {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::EnumValueDescriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::MethodDescriptor;
using test::FieldKind;
using test::FieldLine;
using test::FieldOutcome;
using test::FieldPlace;
using test::FieldTable;
using test::MessagePtr;

std::string short_name(const Descriptor& type) {
  return type.full_name().substr(std::string_view("repath.v1.").size());
}

std::vector<std::string> parts_of(const std::string& path) {
  std::vector<std::string> parts;
  std::istringstream in(path);
  for (std::string part; std::getline(in, part, '.');) parts.push_back(part);
  return parts;
}

// "batch.stand[3].cells" -> "batch.stand.cells"
std::string without_places(const std::string& field) {
  std::string plain;
  bool is_place = false;
  for (const char c : field) {
    if (c == '[') is_place = true;
    if (!is_place) plain += c;
    if (c == ']') is_place = false;
  }
  return plain;
}

bool begins_with(const std::string& path, const std::string& start) {
  return path.rfind(start, 0) == 0 && (path.size() == start.size() || path[start.size()] == '.');
}

// Returns whether the call was refused because of an option that does not suit the world or the
// call.
bool is_refusal(const FieldOutcome& outcome) {
  static const std::set<std::string> kReasons{
      "KIND_UNSUITED",      "OPTIONS_CONFLICT", "ALGORITHM_UNSUITED", "HEURISTIC_UNSUITED",
      "SMOOTHING_UNSUITED", "TURNS_UNSUITED",   "FILE_DECIDES",       "METHOD_UNSUITED"};
  return !outcome.status.ok() && kReasons.contains(outcome.fault.reason);
}

// Returns whether the refusal names the field, a part of the request that the field is in, or the
// world: the whole call does not suit it.
bool refuses(const FieldOutcome& outcome, const std::string& path) {
  const std::string field = without_places(outcome.fault.field);
  return is_refusal(outcome) && (field == "world" || begins_with(path, field));
}

class FieldMatrix : public test::FieldWorlds {
 protected:
  void SetUp() override {
    Server::SetUp();
    for (const FieldKind& kind : test::kFieldKinds) {
      make(kind, kind.name);
      for (const FieldLine* line : FieldTable::get().all("shared")) {
        const FieldOutcome done = call_line(line->part(1), kind.name, kind);
        if (line->key().find(kind.letter) != std::string::npos) {
          ASSERT_TRUE(done.status.ok()) << kind.name << ": " << done.status.error_message();
        }
      }
    }
  }

  // Tests all fields of the method's request.
  void walk(const MethodDescriptor& method) { walk(method.name(), "", *method.input_type()); }

 private:
  void walk(const std::string& method, const std::string& prefix, const Descriptor& type) {
    for (int i = 0; i < type.field_count(); ++i) {
      const FieldDescriptor& field = *type.field(i);
      const FieldPlace place{method, prefix + field.name(), short_name(type) + "." + field.name()};
      if (is_tested_elsewhere(place)) continue;
      if (field.message_type() != nullptr) {
        walk(method, place.path + ".", *field.message_type());
      } else if (field.enum_type() != nullptr) {
        for (int v = 0; v < field.enum_type()->value_count(); ++v)
          if (field.enum_type()->value(v)->number() != 0)
            test(place, field, field.enum_type()->value(v));
      } else {
        test(place, field, nullptr);
      }
    }
  }

  // A line "like" names the fields that the same code reads; a line "elsewhere" the test of a
  // field.
  static bool is_tested_elsewhere(const FieldPlace& place) {
    if (FieldTable::get().exact("like", place.full()) != nullptr) return true;
    const FieldLine* line = FieldTable::get().exact("elsewhere", place.full());
    if (line == nullptr) return false;
    std::istringstream where(line->part(1));
    std::string file;
    std::string name;
    where >> file >> name;
    std::ifstream in(REPATH_SOURCE_DIR "/tests/" + file);
    std::ostringstream text;
    text << in.rdbuf();
    EXPECT_NE(text.str().find(name), std::string::npos) << file << " has no " << name;
    return true;
  }

  void test(const FieldPlace& place, const FieldDescriptor& field,
            const EnumValueDescriptor* value) {
    const std::string suffix = value == nullptr ? "" : "=" + std::string(value->name());
    SCOPED_TRACE(place.full() + suffix);
    const FieldLine* same = FieldTable::get().find("same", place, suffix);
    if (same == nullptr) same = FieldTable::get().find("same", place);
    for (const FieldKind& kind : test::kFieldKinds) {
      SCOPED_TRACE(kind.name);
      const bool may_be_same =
          same != nullptr && same->part(1).find(kind.letter) != std::string::npos;
      const FieldLine* row = FieldTable::get().find_for(kind.letter, "row", place, suffix);
      if (row == nullptr) row = FieldTable::get().find_for(kind.letter, "row", place);
      if (row == nullptr) {
        ADD_FAILURE() << "has no row in tests/rpc/fields (" << place.owner << ")";
        return;
      }
      test_on(kind, place, field, value, *row, may_be_same);
      if (FieldTable::get().exact("any", place.method) != nullptr) break;
    }
  }

  // The request without the field, and with it.
  struct Pair {
    MessagePtr without;
    MessagePtr with;
  };
  Pair pair_of(const FieldKind& kind, const FieldPlace& place, const FieldDescriptor& field,
               const EnumValueDescriptor* value, const FieldLine& row, bool is_given) {
    Pair pair{base(kind, place, row, is_given), base(kind, place, row, is_given)};
    Message* owner = owner_in(kind, pair.with.get(), place);
    if (value == nullptr) {
      test::merge_text(test::with_world(row.part(2), world_of(kind, place, row)), owner);
    } else {
      owner->GetReflection()->SetEnumValue(owner, &field, value->number());
    }
    EXPECT_NE(pair.with->SerializeAsString(), pair.without->SerializeAsString())
        << "the row sets nothing";
    return pair;
  }

  // The field makes a difference on this kind, or is refused, or the table excepts it.
  void test_on(const FieldKind& kind, const FieldPlace& place, const FieldDescriptor& field,
               const EnumValueDescriptor* value, const FieldLine& row, bool may_be_same) {
    Pair pair = pair_of(kind, place, field, value, row, /*is_given=*/true);
    FieldOutcome plain = outcome_of(kind, place, row, *pair.without);
    FieldOutcome set = outcome_of(kind, place, row, *pair.with);
    if (plain == set && is_refusal(set) && !refuses(set, place.path)) {
      // This kind refuses what the row gives, so it must also refuse the field alone.
      pair = pair_of(kind, place, field, value, row, /*is_given=*/false);
      plain = outcome_of(kind, place, row, *pair.without);
      set = outcome_of(kind, place, row, *pair.with);
    }
    const bool is_equal = plain == set;
    if (refuses(set, place.path)) return;
    // One exception may be for all values of an enum, and some of them may make a difference.
    if (!is_equal && may_be_same && value != nullptr) return;
    EXPECT_EQ(is_equal, may_be_same)
        << (is_equal ? "is ignored: with and without it " : "makes a difference after all: ")
        << plain.status.error_message() << " (" << plain.fault.field << ")\n"
        << (is_equal ? "" : plain.text + "\n---\n") << set.status.error_message() << " ("
        << set.fault.field << ")\n"
        << set.text;
    if (!set.status.ok() && !is_equal) {
      EXPECT_TRUE(expects(row, set.fault.reason))
          << "failed: " << set.status.error_message() << " (" << set.fault.field << ", "
          << set.fault.reason << ")";
    }
  }

  // A row says "expect REASON", or "expect *", if an error shows that the field is read.
  static bool expects(const FieldLine& row, const std::string& reason) {
    return std::ranges::any_of(row.parts, [&](const std::string& part) {
      return part == "expect *" || part == "expect " + reason;
    });
  }
  static bool has_calls(const FieldLine& row) {
    for (std::size_t i = 3; i < row.parts.size(); ++i)
      if (row.parts[i].rfind("first ", 0) == 0 || row.parts[i].rfind("then ", 0) == 0) return true;
    return false;
  }
  bool is_fresh(const FieldPlace& place, const FieldLine& row) const {
    return rule_of(method(place.method).full_name())->scope != Scope::kRead || has_calls(row);
  }
  std::string world_of(const FieldKind& kind, const FieldPlace& place, const FieldLine& row) const {
    return is_fresh(place, row) ? "fresh" : kind.name;
  }

  // The method's plain request, with the messages that hold the field and what the row gives.
  MessagePtr base(const FieldKind& kind, const FieldPlace& place, const FieldLine& row,
                  bool is_given) {
    const std::string world = world_of(kind, place, row);
    const FieldTable& table = FieldTable::get();
    const FieldLine* line = table.exact(std::string("base-") + kind.letter, place.method);
    if (line == nullptr) line = table.exact("base", place.method);
    EXPECT_NE(line, nullptr) << "no base of " << place.method;
    MessagePtr request = request_of(place.method, line == nullptr ? "" : line->part(1), world);
    Message* owner = owner_in(kind, request.get(), place);
    std::string given = is_given ? row.part(1) : "";
    if (given.rfind("/ ", 0) == 0) {  // for the whole request
      test::merge_text(test::with_world(given.substr(2), world), request.get());
      given.clear();
    }
    while (!given.empty() && given[0] == '!') {  // "!goals": without the list of the base
      const std::size_t end = std::min(given.find(' '), given.size());
      const std::string name = given.substr(1, end - 1);
      const FieldDescriptor* cleared = owner->GetDescriptor()->FindFieldByName(name);
      EXPECT_NE(cleared, nullptr) << owner->GetDescriptor()->name() << " has no " << name;
      if (cleared != nullptr) owner->GetReflection()->ClearField(owner, cleared);
      given.erase(0, std::min(end + 1, given.size()));
    }
    test::merge_text(test::with_world(given, world), owner);
    return request;
  }
  // Returns the message that has the field; makes it, and those around it, in the table's form.
  static Message* owner_in(const FieldKind& kind, Message* request, const FieldPlace& place) {
    Message* at = request;
    std::string path;
    std::vector<std::string> parts = parts_of(place.path);
    parts.pop_back();
    for (const std::string& part : parts) {
      path += (path.empty() ? "" : ".") + part;
      const FieldDescriptor* field = at->GetDescriptor()->FindFieldByName(part);
      const auto* reflection = at->GetReflection();
      bool is_new = false;
      if (field->is_repeated()) {
        is_new = reflection->FieldSize(*at, field) == 0;
        at = is_new ? reflection->AddMessage(at, field)
                    : reflection->MutableRepeatedMessage(at, field, 0);
      } else {
        is_new = !reflection->HasField(*at, field);
        at = reflection->MutableMessage(at, field);
      }
      const FieldPlace here{place.method, path, short_name(*field->message_type())};
      const FieldLine* form =
          is_new ? FieldTable::get().find_for(kind.letter, "form", here) : nullptr;
      if (form != nullptr) test::merge_text(form->part(1), at);
    }
    return at;
  }

  // Returns the call's outcome; of a call that changes a world, with what is read back.
  FieldOutcome outcome_of(const FieldKind& kind, const FieldPlace& place, const FieldLine& row,
                          const Message& request) {
    if (!is_fresh(place, row)) {
      const std::string key = kind.letter + place.method + request.SerializeAsString();
      if (const auto known = known_.find(key); known != known_.end()) return known->second;
      return known_[key] = call(place.method, request, kind);
    }
    make(kind, "fresh");
    for (const char* name : {"other", "another", "third"}) drop(name);
    std::string text;
    for (std::size_t i = 3; i < row.parts.size(); ++i)
      if (row.parts[i].rfind("first ", 0) == 0)
        text += call_line(row.parts[i].substr(6), "fresh", kind).text;
    FieldOutcome outcome = call(place.method, request, kind);
    if (!outcome.status.ok()) return outcome;
    std::vector<std::string> reads;
    if (rule_of(method(place.method).full_name())->scope != Scope::kRead)
      for (const FieldLine* line : FieldTable::get().all("probe")) reads.push_back(line->part(1));
    for (std::size_t i = 3; i < row.parts.size(); ++i)
      if (row.parts[i].rfind("then ", 0) == 0) reads.push_back(row.parts[i].substr(5));
    const FieldLine* made = FieldTable::get().exact("makes", place.method);
    for (const std::string& read : reads) {
      const FieldOutcome back = call_line(read, made == nullptr ? "fresh" : made->part(1), kind);
      outcome.text += "--- " + read + "\n" + back.fault.reason + back.text;
    }
    outcome.text = text + outcome.text;
    return outcome;
  }

  std::map<std::string, FieldOutcome> known_;  // of calls that only read
};

void walk_service(const std::string& service,
                  const std::function<void(const MethodDescriptor&)>& walk) {
  int walked = 0;
  for (const MethodDescriptor* method : test::all_methods()) {
    if (method->service()->name() != service) continue;
    walk(*method);
    ++walked;
  }
  EXPECT_GT(walked, 0);
}

TEST_F(FieldMatrix, OfPathService) {
  walk_service("PathService", [this](const auto& method) { walk(method); });
}
TEST_F(FieldMatrix, OfDebugService) {
  walk_service("DebugService", [this](const auto& method) { walk(method); });
}
TEST_F(FieldMatrix, OfAgentService) {
  walk_service("AgentService", [this](const auto& method) { walk(method); });
}
TEST_F(FieldMatrix, OfWorldService) {
  walk_service("WorldService", [this](const auto& method) { walk(method); });
}
TEST_F(FieldMatrix, OfAdminService) {
  walk_service("AdminService", [this](const auto& method) { walk(method); });
}

}  // namespace
}  // namespace repath
