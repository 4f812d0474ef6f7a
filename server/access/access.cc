#include "access/access.h"

#include <spdlog/spdlog.h>

#include "base/error.h"

namespace repath {
namespace {

absl::Status unauthenticated(std::string_view reason, std::string_view why) {
  return make_error(absl::StatusCode::kUnauthenticated, reason, "", why);
}

absl::Status denied(std::string_view reason, std::string_view field, const std::string& why) {
  return make_error(absl::StatusCode::kPermissionDenied, reason, field, why);
}

absl::Status world_denied(const Principal& caller, std::string_view field) {
  return denied("WORLD_DENIED", field, caller.name + " has no pattern that matches this name");
}

absl::Status scope_missing(const Principal& caller, Scope scope) {
  return denied("SCOPE_MISSING", "",
                caller.name + " needs the scope `" + std::string(name_of(scope)) + "`, it has " +
                    to_text(caller.scopes));
}

// Returns the token of "Bearer id.secret"; the scheme's case does not matter.
std::optional<std::string_view> bearer_token(std::string_view authorization) {
  constexpr std::string_view kScheme = "bearer ";
  if (authorization.size() <= kScheme.size()) return std::nullopt;
  for (std::size_t i = 0; i < kScheme.size(); ++i) {
    const char c = authorization[i];
    if ((c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c) != kScheme[i])
      return std::nullopt;
  }
  return authorization.substr(kScheme.size());
}

thread_local const CallAccess* current_call = nullptr;

}  // namespace

// ---- the file ----

absl::StatusOr<std::unique_ptr<Access>> Access::with_tokens(const std::string& path) {
  REPATH_ASSIGN_OR_RETURN(TokenFile file, TokenFile::read(path));
  return std::unique_ptr<Access>(new Access(path, std::move(file)));
}

std::shared_ptr<const TokenFile> Access::file() const {
  const std::lock_guard lock(mutex_);
  return file_;
}

std::size_t Access::size() const { return is_open() ? 0 : file()->size(); }

absl::Status Access::check_still(const TokenFile& file, const OpenStream& stream,
                                 std::string_view field) {
  const auto now = file.find_again(*stream.caller);
  if (now == nullptr)
    return unauthenticated("TOKEN_REVOKED", stream.caller->name + " is no longer in use");
  if (!now->scopes.has(stream.rule->scope)) return scope_missing(*now, stream.rule->scope);
  if (!stream.world.empty() && !now->worlds.match(stream.world)) return world_denied(*now, field);
  return absl::OkStatus();
}

absl::Status Access::reload() {
  if (is_open()) return absl::OkStatus();
  const std::lock_guard in_order(reloading_);
  REPATH_ASSIGN_OR_RETURN(TokenFile read, TokenFile::read(path_));
  // A program that writes the file in place empties it first.
  if (read.is_blank())
    return make_error(absl::StatusCode::kInvalidArgument, "TOKEN_FILE", "",
                      path_ +
                          ": is empty; is the file still being written? A file without tokens "
                          "has a comment");
  const auto file = std::make_shared<const TokenFile>(std::move(read));
  std::vector<std::pair<std::function<void(absl::Status)>, absl::Status>> ended;
  {
    const std::lock_guard lock(mutex_);
    file_ = file;
    for (const auto& [id, stream] : streams_) {
      if (absl::Status why = check_still(*file, stream); !why.ok())
        ended.emplace_back(stream.end, std::move(why));
    }
  }
  for (const auto& [end, why] : ended) end(why);
  spdlog::info("tokens lines={} streams_ended={}", file->size(), ended.size());
  return absl::OkStatus();
}

// ---- the caller ----

absl::StatusOr<std::shared_ptr<const Principal>> Access::identify(
    const Credentials& credentials) const {
  const auto file = this->file();
  if (credentials.authorization) {
    const auto token = bearer_token(*credentials.authorization);
    auto caller = token ? file->find_token(*token) : nullptr;
    if (caller != nullptr) return caller;
    return unauthenticated("TOKEN_INVALID",
                           "the token is unknown, wrong or revoked; the header `authorization` is "
                           "`Bearer ID.SECRET`");
  }
  const auto names =
      credentials.certificate_names ? credentials.certificate_names() : std::vector<std::string>();
  if (names.empty())
    return unauthenticated("TOKEN_MISSING",
                           "this server needs a token: send the header `authorization: Bearer "
                           "ID.SECRET`");
  auto caller = file->find_certificate(names);
  if (caller != nullptr) return caller;
  return unauthenticated("CERTIFICATE_UNKNOWN",
                         "no name of the client's certificate has a line in the token file");
}

absl::Status Access::may_see_all(const Credentials& credentials) const {
  if (is_open()) return absl::OkStatus();
  REPATH_ASSIGN_OR_RETURN(const auto caller, identify(credentials));
  if (!caller->scopes.has(Scope::kRead)) return scope_missing(*caller, Scope::kRead);
  if (!caller->worlds.match_all())
    return denied("WORLD_DENIED", "",
                  caller->name + " needs the pattern `*`: figures of all worlds");
  return absl::OkStatus();
}

// ---- a call ----

absl::StatusOr<CallAccess> CallAccess::decide(Access& access, const MethodRule* rule,
                                              const Credentials& credentials) {
  CallAccess call;
  if (rule == nullptr)
    return denied("METHOD_HAS_NO_RULE", "", "the server has no rule who may call this method");
  call.access_ = &access;
  call.rule_ = rule;
  if (access.is_open()) return call;
  REPATH_ASSIGN_OR_RETURN(call.caller_, access.identify(credentials));
  call.trace_ = credentials.trace;
  if (!call.caller_->scopes.has(rule->scope)) return scope_missing(*call.caller_, rule->scope);
  if (!rule->source_field.empty() && !call.caller_->scopes.has(rule->source_scope))
    return scope_missing(*call.caller_, rule->source_scope);
  return call;
}

const CallAccess& CallAccess::current() {
  static const CallAccess nothing;
  return current_call != nullptr ? *current_call : nothing;
}

CallAccess::Scope::Scope(const CallAccess& call) : before_(current_call) { current_call = &call; }
CallAccess::Scope::~Scope() { current_call = before_; }

absl::Status CallAccess::check_world(std::string_view world, std::string_view field) const {
  if (access_ == nullptr)
    return denied("METHOD_HAS_NO_RULE", "", "the call was not checked before its handler");
  if (caller_ == nullptr || caller_->worlds.match(world)) return absl::OkStatus();
  return world_denied(*caller_, field);
}

absl::Status CallAccess::check_all_worlds() const {
  if (access_ == nullptr) return check_world("");
  if (caller_ == nullptr || caller_->worlds.match_all()) return absl::OkStatus();
  return denied("WORLD_DENIED", "", caller_->name + " needs the pattern `*`: it is for all worlds");
}

void CallAccess::audit(const AuditedChange& change) const {
  if (caller_ == nullptr) return;
  std::string rest;
  if (!change.session.empty()) rest += " session=" + std::string(change.session);
  if (change.revision != 0) rest += " revision=" + std::to_string(change.revision);
  if (change.resumed) rest += " resumed=true";
  if (change.repeated) rest += " repeated=true";
  if (!trace_.empty()) rest += " trace=" + trace_;
  spdlog::info("audit who=\"{}\" what={} world={}{}", caller_->name, rule_->method, change.world,
               rest);
}

// ---- open streams ----

StreamLease::StreamLease(const CallAccess& call, std::function<void(absl::Status)> end) {
  if (call.caller_ == nullptr) return;
  access_ = call.access_;
  Access::OpenStream stream{call.caller_, call.rule_, "", std::move(end)};
  absl::Status still;
  {
    const std::lock_guard lock(access_->mutex_);
    // The file may have changed since the call was let in.
    still = Access::check_still(*access_->file_, stream);
    id_ = ++access_->last_stream_;
    access_->streams_.emplace(id_, stream);
  }
  if (!still.ok()) stream.end(still);
}

absl::Status StreamLease::set_world(const std::string& world, std::string_view field) {
  if (access_ == nullptr) return absl::OkStatus();
  // One lock: a reload sees the world, or the world is judged by what the reload brought.
  const std::lock_guard lock(access_->mutex_);
  Access::OpenStream& stream = access_->streams_.at(id_);
  stream.world = world;
  return Access::check_still(*access_->file_, stream, field);
}

void StreamLease::release() {
  Access* const access = std::exchange(access_, nullptr);
  if (access == nullptr) return;
  const std::lock_guard lock(access->mutex_);
  access->streams_.erase(id_);
}

}  // namespace repath
