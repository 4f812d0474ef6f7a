#include "rpc/world_streams.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/sha256.h"
#include "rpc/call_ledger.h"
#include "rpc/calls.h"
#include "rpc/field.h"
#include "rpc/raw_message.h"
#include "rpc/world_messages.h"

namespace repath {
namespace {

constexpr std::size_t kChunkMax = 1u << 20;

bool is_digest_of(std::string_view bytes, std::string_view file) {
  return std::ranges::equal(bytes, sha256(file), {},
                            [](char c) { return static_cast<std::uint8_t>(c); });
}

}  // namespace

// ---- import ----

void WorldImport::begin() {
  self_ = shared_from_this();
  registry_.imports().add(self_);
  lease_ = StreamLease(access_, [weak = weak_from_this()](absl::Status why) {
    if (const auto import = weak.lock()) import->on_drain(std::move(why));
  });
  StartRead(&part_);
}

void WorldImport::OnReadDone(bool ok) {
  on_strand([this, ok] {
    if (!ok) return StartSendInitialMetadata();
    if (const absl::Status status = take(); !status.ok()) return end(status);
    StartRead(&part_);
  });
}

void WorldImport::OnSendInitialMetadataDone(bool ok) {
  on_strand([this, ok] {
    is_whole_ = true;
    if (!ok) {
      return end(make_error(absl::StatusCode::kCancelled, "CANCELLED", "",
                            "the call ended before its messages did; no world was made"));
    }
    if (const absl::Status status = make_world(); !status.ok()) end(status);
  });
}

void WorldImport::on_drain(absl::Status status) {
  on_strand([this, status = std::move(status)] {
    if (!is_whole_) end(status);
  });
}

void WorldImport::end(const absl::Status& status) {
  is_finished_ = true;
  Finish(to_grpc(status));
}

absl::Status WorldImport::hold(std::uint64_t bytes) {
  REPATH_RETURN_IF_ERROR(registry_.imports().hold(bytes));
  held_ += bytes;
  return absl::OkStatus();
}

absl::Status WorldImport::take() {
  const Field field;
  CallLedger::received(*context_, part_.Length());
  REPATH_RETURN_IF_ERROR(
      check_decoded(decoded_bytes(*v1::ImportWorldRequest::descriptor(), part_)));
  v1::ImportWorldRequest part;
  REPATH_RETURN_IF_ERROR(read_message(part_, &part));
  part_.Clear();
  switch (part.part_case()) {
    case v1::ImportWorldRequest::kHeader:
      if (has_header_)
        return refuse(field / "header", "HEADER_TWICE", "only the first part is a header");
      has_header_ = true;
      header_.Swap(part.mutable_header());
      REPATH_RETURN_IF_ERROR(check_world((field / "header" / "world" / "name").text()));
      REPATH_RETURN_IF_ERROR(check_import_header(header_, registry_));
      return hold(header_.size_bytes());
    case v1::ImportWorldRequest::kChunk:
      if (!has_header_) return refuse(field / "header", "HEADER_MISSING", "must be the first part");
      return take_chunk(part.chunk());
    case v1::ImportWorldRequest::PART_NOT_SET:
      break;
  }
  return refuse(field / "part", "PART_MISSING", "must be a header or a chunk");
}

absl::Status WorldImport::check_world(const std::string& field) {
  const std::string& name = header_.world().name();
  REPATH_RETURN_IF_ERROR(access_.check_world(name, field));
  return lease_.set_world(name, field);
}

absl::Status WorldImport::take_chunk(const std::string& chunk) {
  const Field at = Field() / "chunk";
  REPATH_RETURN_IF_ERROR(registry_.threads().pressure().check(Load::kGrow));
  REPATH_RETURN_IF_ERROR(check_length(chunk, kChunkMax, at));
  const std::uint64_t bytes = map_.size() + chunk.size();
  REPATH_RETURN_IF_ERROR(check_file_size(bytes, registry_, at));
  if (header_.size_bytes() != 0 && bytes > header_.size_bytes()) {
    return refuse(
        at, "SIZE_MISMATCH",
        "the header announces " + std::to_string(header_.size_bytes()) + " bytes, more have come");
  }
  if (bytes > held_) REPATH_RETURN_IF_ERROR(hold(bytes - held_));
  map_ += chunk;
  return absl::OkStatus();
}

absl::Status WorldImport::check_file() {
  const Field header = Field() / "header";
  if (!has_header_) return refuse(header, "HEADER_MISSING", "must be the first part");
  if (header_.size_bytes() != 0 && header_.size_bytes() != map_.size()) {
    return refuse(header / "size_bytes", "SIZE_MISMATCH",
                  "the header announces " + std::to_string(header_.size_bytes()) + " bytes, " +
                      std::to_string(map_.size()) + " have come");
  }
  if (!header_.sha256().empty() && !is_digest_of(header_.sha256(), map_))
    return refuse(header / "sha256", "HASH_MISMATCH",
                  "the chunks have another SHA-256; send the file again");
  return absl::OkStatus();
}

absl::Status WorldImport::make_world() {
  REPATH_RETURN_IF_ERROR(check_file());
  // Reading takes extra memory until the world is made.
  constexpr std::uint64_t kReadingMax = std::uint64_t{1} << 30;
  REPATH_RETURN_IF_ERROR(hold(std::min(8 * std::uint64_t{map_.size()}, kReadingMax)));
  REPATH_ASSIGN_OR_RETURN(NewWorld world, to_imported_world(header_, std::move(map_), registry_));
  set_asker(context_, access_, &world);
  registry_.create(std::move(world), [this](absl::StatusOr<WorldInfo> made) {
    on_strand([this, made = std::move(made)] {
      if (!made.ok()) return end(in_import(made.status()));
      v1::World answer;
      fill_world(*made, &answer);
      write_message(answer, response_);
      audit_made(access_, *made);
      end(absl::OkStatus());
    });
  });
  return absl::OkStatus();
}

// ---- watch ----

void WorldWatch::begin(std::shared_ptr<WorldHost> host, Revision start) {
  host_ = std::move(host);
  on_strand([this, start] {
    stream_ = host_->open_changes(start, std::static_pointer_cast<WorldWatch>(shared_from_this()));
  });
}

void WorldWatch::on_changes(std::vector<LogRecord> records, Revision revision) {
  enqueue([this, records = std::move(records), revision](v1::WatchWorldResponse* message) {
    for (const LogRecord& record : records) {
      if (absl::Status status = fill_change(record, message->add_changes()); !status.ok()) {
        return end(std::move(status), /*at_once=*/true);
      }
    }
    message->set_revision(value(revision));
    message->set_epoch(host_->facts().epoch);
    fill_durable(host_->durable(), message);
  });
}

}  // namespace repath
