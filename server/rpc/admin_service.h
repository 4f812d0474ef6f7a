// The service that looks after a server. Thread rule and ownership as in services.h.
#pragma once

#include "repath/v1/admin.grpc.pb.h"
#include "rpc/services.h"

namespace repath {

class AdminService final : public v1::AdminService::CallbackService {
 public:
  // Borrows the registry.
  explicit AdminService(Registry& registry) : registry_(registry) {}

  UnaryCall* Backup(CallContext*, const v1::BackupRequest*, v1::BackupResponse*) override;
  UnaryCall* ListSessions(CallContext*, const v1::ListSessionsRequest*,
                          v1::ListSessionsResponse*) override;
  UnaryCall* CloseSession(CallContext*, const v1::CloseSessionRequest*,
                          v1::CloseSessionResponse*) override;

 private:
  Registry& registry_;
};

}  // namespace repath
