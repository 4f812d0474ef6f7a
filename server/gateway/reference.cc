#include "gateway/reference.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>

#include <nlohmann/json.hpp>
#include <vector>

#include "base/check.h"

namespace repath {
namespace {

namespace pb = google::protobuf;

constexpr int kExampleDepth = 3;  // of messages within messages

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

// Returns the comment before an element, or after it on its line, as paragraphs.
template <class Element>
std::string comment_of(const Element& element) {
  pb::SourceLocation where;
  if (!element.GetSourceLocation(&where)) return "";
  const std::string text = escaped(where.leading_comments + where.trailing_comments);
  std::string html = "<p>";
  bool is_code = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_blank_line = text[i] == '\n' && i + 1 < text.size() && text[i + 1] == '\n';
    const bool is_tick = text[i] == '`' && (is_code || text.find('`', i + 1) != text.npos);
    if (is_tick) is_code = !is_code;
    html += is_blank_line ? std::string("</p><p>")
            : is_tick     ? std::string(is_code ? "<code>" : "</code>")
                          : std::string(1, text[i]);
  }
  return html == "<p>" ? "" : html + "</p>";
}

// Returns the first sentence of a comment.
template <class Element>
std::string summary_of(const Element& element) {
  pb::SourceLocation where;
  if (!element.GetSourceLocation(&where)) return "";
  const std::string& text = where.leading_comments;
  const std::size_t end = text.find(". ");
  return escaped(text.substr(0, end == std::string::npos ? text.size() : end + 1));
}

// Protobuf's own types, which every generator knows, have no section.
bool is_well_known(const std::string& full_name) {
  return full_name.rfind("google.protobuf.", 0) == 0;
}

std::string type_link(const std::string& full_name) {
  if (is_well_known(full_name)) return full_name;
  const std::string name = full_name.substr(full_name.rfind("repath.v1.") == 0 ? 10 : 0);
  return "<a href=\"/docs/types#" + full_name + "\">" + name + "</a>";
}

std::string type_name(const pb::FieldDescriptor& field) {
  if (field.message_type() != nullptr) return type_link(field.message_type()->full_name());
  if (field.enum_type() != nullptr) return type_link(field.enum_type()->full_name());
  return field.type_name();
}

std::string type_of_field(const pb::FieldDescriptor& field) {
  if (field.is_map())
    return "map of " + type_name(*field.message_type()->field(0)) + " to " +
           type_name(*field.message_type()->field(1));
  return field.is_repeated() ? "list of " + type_name(field) : type_name(field);
}

std::string table_of(const pb::Descriptor& message) {
  if (message.field_count() == 0) return "<p class=\"none\">no fields</p>";
  std::string html = "<table>";
  for (int i = 0; i < message.field_count(); ++i) {
    const pb::FieldDescriptor& field = *message.field(i);
    const pb::OneofDescriptor* choice = field.real_containing_oneof();
    html += "<tr><td><code>" + field.json_name() + "</code></td><td>" + type_of_field(field) +
            (choice != nullptr ? "<br><small>one of <i>" + choice->name() + "</i></small>" : "") +
            "</td><td>" + comment_of(field) + "</td></tr>";
  }
  return html + "</table>";
}

// Returns a value to begin with, as JSON. Messages deeper than `depth` are empty.
nlohmann::ordered_json example_value(const pb::FieldDescriptor& field, int depth);

// Returns a message to begin with. Of fields that exclude each other it has the first. Fields whose
// mere presence means something are left out: optional numbers, and messages within messages.
nlohmann::ordered_json example_message(const pb::Descriptor& message, int depth) {
  nlohmann::ordered_json json = nlohmann::ordered_json::object();
  const bool is_request = depth == kExampleDepth;
  for (int i = 0; depth > 0 && i < message.field_count(); ++i) {
    const pb::FieldDescriptor& field = *message.field(i);
    const pb::OneofDescriptor* const choice = field.real_containing_oneof();
    if (field.is_map() || field.has_optional_keyword()) continue;
    if (choice != nullptr && choice->field(0) != &field) continue;
    const pb::Descriptor* const type = field.message_type();
    if (type != nullptr && is_well_known(type->full_name())) continue;
    if (!is_request && choice == nullptr && (type != nullptr || field.is_repeated())) continue;
    nlohmann::ordered_json value = example_value(field, depth - 1);
    if (!field.is_repeated()) {
      json[field.json_name()] = std::move(value);
    } else {
      json[field.json_name()] = nlohmann::ordered_json::array();
      if (type != nullptr) json[field.json_name()].push_back(std::move(value));
    }
  }
  return json;
}

nlohmann::ordered_json example_value(const pb::FieldDescriptor& field, int depth) {
  switch (field.cpp_type()) {
    case pb::FieldDescriptor::CPPTYPE_STRING:
      return "";
    case pb::FieldDescriptor::CPPTYPE_BOOL:
      return false;
    case pb::FieldDescriptor::CPPTYPE_MESSAGE:
      return example_message(*field.message_type(), depth);
    case pb::FieldDescriptor::CPPTYPE_ENUM:
      return field.default_value_enum()->name();
    case pb::FieldDescriptor::CPPTYPE_INT64:
    case pb::FieldDescriptor::CPPTYPE_UINT64:
      return "0";
    default:
      return 0;
  }
}

// Returns a request to begin with, as text: its fields with their default values.
std::string example_of(const pb::Descriptor& message) {
  return escaped(example_message(message, kExampleDepth).dump(2));
}

std::string page(const std::string& title, const std::string& body) {
  return "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
         "content=\"width=device-width, initial-scale=1\"><title>" +
         title +
         "</title><link rel=\"icon\" href=\"/icon.svg\"><link rel=\"stylesheet\" "
         "href=\"/docs/docs.css\"><script src=\"/docs/docs.js\" "
         "defer></script></head><body><nav><a href=\"/\">Repath</a> <a href=\"/docs\">API</a> <a "
         "href=\"/docs/types\">types</a></nav><main><h1>" +
         title + "</h1>" + body + "</main></body></html>";
}

std::string stream_note(const pb::MethodDescriptor& method) {
  if (method.client_streaming() && method.server_streaming()) return "stream both ways";
  if (method.client_streaming()) return "stream of requests";
  return method.server_streaming() ? "stream of answers" : "unary";
}

std::string section_of(const pb::MethodDescriptor& method) {
  const std::string path = "/" + method.service()->full_name() + "/" + method.name();
  const bool is_stream = method.client_streaming() || method.server_streaming();
  return "<section id=\"" + method.name() + "\"><h2>" + method.name() + " <small>" +
         stream_note(method) + "</small></h2>" + comment_of(method) + "<p><code>" +
         (is_stream ? "WebSocket " : "POST ") + path + "</code></p><h3>" +
         type_link(method.input_type()->full_name()) + "</h3>" + table_of(*method.input_type()) +
         "<p>Answer: " + type_link(method.output_type()->full_name()) +
         "</p><div class=\"call\" data-path=\"" + path + "\" data-stream=\"" +
         (is_stream ? "yes" : "no") +
         "\"><textarea rows=\"6\" spellcheck=\"false\" aria-label=\"Request as JSON\">" +
         example_of(*method.input_type()) +
         "</textarea><button type=\"button\">Call</button><pre aria-live=\"polite\"></pre></div>"
         "</section>";
}

std::string section_of(const pb::EnumDescriptor& type) {
  std::string html = "<section id=\"" + type.full_name() + "\"><h2>" + type.name() +
                     " <small>enum</small></h2>" + comment_of(type) + "<table>";
  for (int i = 0; i < type.value_count(); ++i)
    html += "<tr><td><code>" + type.value(i)->name() + "</code></td><td>" +
            std::to_string(type.value(i)->number()) + "</td><td>" + comment_of(*type.value(i)) +
            "</td></tr>";
  return html + "</table></section>";
}

// Adds the sections of a message and of the types inside it, by name.
void add_sections(const pb::Descriptor& message, std::map<std::string, std::string>& sections) {
  if (message.options().map_entry() || is_well_known(message.full_name())) return;
  sections[message.full_name()] = "<section id=\"" + message.full_name() + "\"><h2>" +
                                  message.name() + "</h2>" + comment_of(message) +
                                  table_of(message) + "</section>";
  for (int i = 0; i < message.nested_type_count(); ++i)
    add_sections(*message.nested_type(i), sections);
  for (int i = 0; i < message.enum_type_count(); ++i)
    sections[message.enum_type(i)->full_name()] = section_of(*message.enum_type(i));
}

std::string service_page(const pb::ServiceDescriptor& service) {
  std::string html = comment_of(service) +
                     "<p class=\"token\"><label>Token <input type=\"password\" id=\"token\" "
                     "autocomplete=\"off\"></label> if the server asks for one</p>";
  for (int i = 0; i < service.method_count(); ++i) html += section_of(*service.method(i));
  return page(service.name(), html);
}

std::string summary_list(const pb::ServiceDescriptor& service) {
  std::string html = "<h2><a href=\"/docs/" + service.name() + "\">" + service.name() +
                     "</a></h2>" + comment_of(service) + "<table>";
  for (int i = 0; i < service.method_count(); ++i) {
    const pb::MethodDescriptor& method = *service.method(i);
    html += "<tr><td><a href=\"/docs/" + service.name() + "#" + method.name() + "\">" +
            method.name() + "</a></td><td>" + stream_note(method) + "</td><td>" +
            summary_of(method) + "</td></tr>";
  }
  return html + "</table>";
}

constexpr const char* kIntroduction =
    "<p>Every method can be called by gRPC and by WebSocket, and by HTTP unless it streams. The "
    "messages are the same.</p>"
    "<p>By HTTP: POST the request to the method's path, with <code>Content-Type: "
    "application/json</code> or <code>application/proto</code> (the Connect protocol). "
    "<code>Connect-Timeout-Ms</code> sets a deadline, from when the request has come whole. An "
    "error has an HTTP status and a JSON body with <code>code</code>, <code>message</code> and "
    "<code>details</code>, which name the reason and the field; so has every refusal of a request "
    "for the API.</p>"
    "<p>By WebSocket: connect to the method's path with the subprotocol <code>json</code> (text "
    "frames) or <code>proto</code> (binary frames); one message is one frame, in both directions. "
    "An empty text frame ends the client's side. If the call fails, a text frame "
    "<code>{\"error\":{...}}</code> comes last and the close code is 4000 plus gRPC's code; "
    "otherwise it is 1000.</p>"
    "<p>In JSON, names are in lowerCamelCase; the snake_case of the <code>.proto</code> files is "
    "read, too. 64-bit numbers are written as strings, and any number may be sent as one: "
    "<code>\"12\"</code>. Only doubles may have a point or an exponent there: "
    "<code>\"1.5\"</code>, <code>\"1e3\"</code>. A whole number is read as <code>1.0</code> and "
    "<code>1e0</code>, but not in a string. Doubles also have <code>\"Infinity\"</code>, "
    "<code>\"-Infinity\"</code> and <code>\"NaN\"</code>. Bytes are base64. A value of an enum is "
    "its name or its number. A field with its default value (0, false, empty) is left out of "
    "answers, and a field that is <code>null</code> is not set. The text is strict JSON (RFC 8259) "
    "with at most 100 lists and objects within each other; a list has no <code>null</code> and no "
    "list. Two mistakes are not refused: one value in place of a list counts as a list of it, "
    "and a name twice in an object counts as its last value, or joins messages and lists. A "
    "boolean may also be a string: <code>\"true\"</code>, <code>\"yes\"</code>, "
    "<code>\"1\"</code> and their opposites, and a number in a string may have a plus sign or "
    "zeros in front. A double in a string may be hexadecimal, a whole number may not.</p>"
    "<p>A token goes into the header <code>Authorization: Bearer TOKEN</code>, or into one more "
    "subprotocol <code>bearer.TOKEN</code>.</p>";

}  // namespace

std::map<std::string, std::string, std::less<>> make_reference(std::string_view descriptors) {
  pb::FileDescriptorSet files;
  REPATH_CHECK(files.ParseFromArray(descriptors.data(), static_cast<int>(descriptors.size())));
  pb::DescriptorPool pool;
  std::map<std::string, std::string, std::less<>> pages;
  std::map<std::string, std::string> sections;
  std::string index = kIntroduction;
  for (const pb::FileDescriptorProto& made : files.file()) {
    const pb::FileDescriptor* file = pool.BuildFile(made);
    REPATH_CHECK(file != nullptr);
    for (int i = 0; i < file->service_count(); ++i) {
      pages["/docs/" + file->service(i)->name()] = service_page(*file->service(i));
      index += summary_list(*file->service(i));
    }
    for (int i = 0; i < file->message_type_count(); ++i)
      add_sections(*file->message_type(i), sections);
    for (int i = 0; i < file->enum_type_count(); ++i)
      sections[file->enum_type(i)->full_name()] = section_of(*file->enum_type(i));
  }
  pages["/docs"] = page("The API of Repath", index);
  std::string types;
  for (const auto& [name, section] : sections) types += section;
  pages["/docs/types"] = page("Types", types);
  return pages;
}

}  // namespace repath
