// The decision about each call: the token file in use, the caller and its permission, and the open
// streams that a change of the file ends.
//
// Without a token file everyone may call every method that has a rule (method_rules.h). With one, a
// caller is the token that it gives, or else its client's certificate. The same path serves all
// listeners, with TLS or without.
//
// Thread rule: every function from any thread. Invariants:
// 1. A file that cannot be used changes nothing: the last good one stays in use.
// 2. No message, log line or metric has any part of a secret or of an unreadable line.
// 3. A refusal is the same for a world that exists and for one that does not.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "access/method_rules.h"
#include "access/token_file.h"

namespace repath {

// The credentials that a call brings.
struct Credentials {
  std::optional<std::string_view> authorization;  // "Bearer id.secret"
  // Returns the names of the client's certificate, which TLS has verified. Called at most once.
  std::function<std::vector<std::string>()> certificate_names = nullptr;
  std::string_view trace = {};  // id of the trace to which the call belongs; empty: of none
};

class Access {
 public:
  // Lets everyone call everything.
  Access() = default;
  // Reads the token file. Errors as TokenFile::read().
  static absl::StatusOr<std::unique_ptr<Access>> with_tokens(const std::string& path);
  Access(const Access&) = delete;
  Access& operator=(const Access&) = delete;

  // Returns whether there is no token file. Never changes.
  bool is_open() const { return path_.empty(); }
  // Returns the number of lines in use; 0 without a file.
  std::size_t size() const;

  // Reads the file again, and ends the streams whose caller may not keep them. Returns the error of
  // a file that was not taken: one that cannot be used, or that is empty.
  absl::Status reload();

  // Returns the caller. UNAUTHENTICATED, reason TOKEN_MISSING, TOKEN_INVALID (unknown, wrong or
  // revoked) or CERTIFICATE_UNKNOWN.
  absl::StatusOr<std::shared_ptr<const Principal>> identify(const Credentials& credentials) const;

  // Returns whether the caller may have what all worlds together show, such as /metrics: OK for
  // scope read and a pattern for all worlds. Otherwise as identify(), or PERMISSION_DENIED.
  absl::Status may_see_all(const Credentials& credentials) const;

 private:
  friend class CallAccess;
  friend class StreamLease;
  struct OpenStream {
    std::shared_ptr<const Principal> caller;
    const MethodRule* rule;
    std::string world;  // empty until it is known
    std::function<void(absl::Status)> end;
  };

  std::shared_ptr<const TokenFile> file() const;
  // Returns why a stream must end; OK if it may go on.
  static absl::Status check_still(const TokenFile& file, const OpenStream& stream,
                                  std::string_view field = "world");

  const std::string path_;
  std::mutex reloading_;      // held over a reload, so that no older file replaces a newer one
  mutable std::mutex mutex_;  // guards the rest
  std::shared_ptr<const TokenFile> file_;
  std::map<std::uint64_t, OpenStream> streams_;
  std::uint64_t last_stream_ = 0;

  Access(std::string path, TokenFile file)
      : path_(std::move(path)), file_(std::make_shared<const TokenFile>(std::move(file))) {}
};

// A change for the audit. The line leaves out what is empty or 0.
struct AuditedChange {
  std::string_view world;
  std::string_view session = {};
  std::uint64_t revision = 0;
  bool resumed = false;   // the session was there before
  bool repeated = false;  // the answer is that of an earlier call, and nothing changed
};

// The permission of one call. Copies stay valid as long as the Access.
class CallAccess {
 public:
  // Allows nothing.
  CallAccess() = default;
  // Decides about a call of the method with this rule (null: none). Borrows `access`. Errors as
  // Access::identify(), and PERMISSION_DENIED, reason SCOPE_MISSING or METHOD_HAS_NO_RULE.
  static absl::StatusOr<CallAccess> decide(Access& access, const MethodRule* rule,
                                           const Credentials& credentials);

  // Returns the permission of the call whose handler runs on this thread. It allows nothing outside
  // of a handler.
  static const CallAccess& current();
  // Makes a permission current() on this thread.
  class Scope {
   public:
    explicit Scope(const CallAccess& call);
    ~Scope();
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    const CallAccess* before_;
  };

  // Returns OK if the caller may use the world of that name, or PERMISSION_DENIED, reason
  // WORLD_DENIED and this field of the request. A name that no world can have is denied too.
  absl::Status check_world(std::string_view world, std::string_view field = "world") const;
  // Returns OK if the caller may use every world; else as check_world() with an empty field.
  absl::Status check_all_worlds() const;
  bool sees(std::string_view world) const { return check_world(world).ok(); }
  // Returns the name of the caller's token or certificate; empty if there is none.
  std::string caller_name() const { return caller_ == nullptr ? std::string() : caller_->name; }

  // Returns the name of the call's method; empty for a call that was not decided.
  std::string_view method() const { return rule_ == nullptr ? std::string_view() : rule_->method; }

  // Logs a change with its caller, method and trace. Does nothing if everyone may do everything.
  void audit(const AuditedChange& change) const;

 private:
  friend class StreamLease;
  Access* access_ = nullptr;  // null: allows nothing
  const MethodRule* rule_ = nullptr;
  std::shared_ptr<const Principal> caller_;  // null: anyone
  std::string trace_;                        // of Credentials, for the audit
};

// Keeps a stream known while it is open, so that it ends when its caller may no longer have it.
class StreamLease {
 public:
  StreamLease() = default;
  // `end` ends the stream; it may run on any thread, also within this call and after the lease's
  // end. It must not wait.
  StreamLease(const CallAccess& call, std::function<void(absl::Status)> end);
  ~StreamLease() { release(); }
  StreamLease(StreamLease&& other) noexcept
      : access_(std::exchange(other.access_, nullptr)), id_(other.id_) {}
  StreamLease& operator=(StreamLease&& other) noexcept {
    release();
    access_ = std::exchange(other.access_, nullptr);
    id_ = other.id_;
    return *this;
  }

  // Names the stream's world, once it is known. Returns why the caller may not use it by the file
  // in use now, which may be newer than the call; the error names `field`.
  absl::Status set_world(const std::string& world, std::string_view field = "world");
  void release();

 private:
  Access* access_ = nullptr;  // null: nothing to keep
  std::uint64_t id_ = 0;
};

}  // namespace repath
