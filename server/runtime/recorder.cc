#include "runtime/recorder.h"

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <boost/asio/post.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <utility>

#include "base/error.h"
#include "runtime/threads.h"
#include "spdlog/spdlog.h"

namespace repath {
namespace {

constexpr std::uint64_t kEndBytes = 256;  // left for the entry that says why a recording ended

absl::Status cannot_record(const std::string& path, int error) {
  return make_error(absl::StatusCode::kUnavailable, "RECORDING_FAILED", "",
                    "cannot write the recording " + path + ": " + std::strerror(error));
}

}  // namespace

// The file. Entries gather while the disk is busy, and are then written together.
class Recorder::File : public std::enable_shared_from_this<File> {
 public:
  File(int descriptor, std::string path, const RecordingPlace& place)
      : descriptor_(descriptor),
        path_(std::move(path)),
        bytes_max_(place.bytes_max),
        total_(place.total),
        disk_(*place.disk) {}
  ~File() { ::close(descriptor_); }

  bool has_ended() const { return has_ended_; }

  void send(std::string_view bytes) {
    {
      const std::lock_guard lock(mutex_);
      waiting_ += bytes;
      if (waiting_.size() > kBacklogMax) end("the disk is too slow");
      if (std::exchange(is_scheduled_, true)) return;
    }
    boost::asio::post(disk_, [self = shared_from_this()] { self->write_all(); });
  }
  void write_all() {
    const std::lock_guard writing(writing_);
    for (std::string bytes = take(); !bytes.empty(); bytes = take()) write(bytes);
    if (has_ended() && !std::exchange(is_marked_, true)) write_end();
  }

 private:
  std::string take() {
    const std::lock_guard lock(mutex_);
    if (waiting_.empty()) is_scheduled_ = false;
    return std::exchange(waiting_, {});
  }

  // Writes whole entries.
  void write(std::string_view entries) {
    if (has_ended()) return;
    const char* why = "it is as large as --record-mb allows";
    if (written_ + entries.size() + kEndBytes <= bytes_max_) {
      why = total_->take(entries.size());
      const int error = why == nullptr ? write_bytes(entries) : 0;
      if (error != 0) why = std::strerror(error);
    }
    if (why == nullptr) {
      written_ += entries.size();
      return;
    }
    const std::lock_guard lock(mutex_);
    end(why);
  }
  // Cuts off what was written of an entry that is not whole, and says why there is no more.
  void write_end() {
    const auto end = static_cast<off_t>(written_.load());
    if (::ftruncate(descriptor_, end) != 0 || ::lseek(descriptor_, end, SEEK_SET) != end) return;
    (void)write_bytes(EntryWriter().add(std::string_view(why_)).finish(RecordingEntry::kEnd));
  }
  // Returns 0, or the error.
  int write_bytes(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t n = ::write(descriptor_, bytes.data(), bytes.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return errno;
      bytes.remove_prefix(static_cast<std::size_t>(n));
    }
    return 0;
  }

  // REQUIRES: mutex_ is held.
  void end(const char* why) {
    if (has_ended()) return;
    why_ = why;
    has_ended_ = true;
    spdlog::warn("recording ended file={} bytes={} reason=\"{}\"", path_, written_.load(), why);
  }

  const int descriptor_;
  const std::string path_;
  const std::uint64_t bytes_max_;
  const std::shared_ptr<RecordingTotal> total_;
  boost::asio::thread_pool& disk_;
  std::atomic<bool> has_ended_{false};
  std::atomic<std::uint64_t> written_{0};  // bytes of whole entries
  std::mutex writing_;                     // held by the thread that writes
  bool is_marked_ = false;                 // guarded by writing_
  std::string why_;                        // set before has_ended_
  std::mutex mutex_;                       // guards the two members below
  std::string waiting_;
  bool is_scheduled_ = false;
};

Recorder::Recorder(std::shared_ptr<File> file, std::string path)
    : file_(std::move(file)), path_(std::move(path)) {}

Recorder::~Recorder() { file_->write_all(); }

absl::StatusOr<std::unique_ptr<Recorder>> Recorder::begin(const RecordingPlace& place,
                                                          const WorldFacts& facts,
                                                          const EngineParts& parts,
                                                          std::uint64_t incarnation,
                                                          std::unique_ptr<Engine>* engine) {
  std::error_code error;
  std::filesystem::create_directories(place.folder, error);
  const std::string path = place.folder + "/" + facts.name + "-" + std::to_string(wall_now_us()) +
                           std::string(kRecordingEnding);
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0) return cannot_record(path, errno);
  auto recorder = std::unique_ptr<Recorder>(
      new Recorder(std::make_shared<File>(descriptor, path, place), path));
  recorder->file_->send(kRecordingForm);
  EntryWriter header;
  header.add(std::string_view(facts.name)).add(std::string_view(facts.epoch));
  header.add(std::string_view(place.codec->write_facts(facts, nullptr)));
  header.add(incarnation).add(parts.limits.agents_per_world_max);
  header.add(parts.limits.history_mb);  // it takes memory from kept searches
  recorder->add(header, RecordingEntry::kHeader);
  std::unique_ptr<ByteSource> source = place.codec->write_world(copy_whole(**engine), facts);
  std::string file;
  for (std::string part; source->next(&part); part.clear()) {
    file += part;
    recorder->add(EntryWriter().add(std::string_view(part)), RecordingEntry::kWorld);
  }
  source.reset();  // a copy of the world
  recorder->add({}, RecordingEntry::kBegin);
  WorkMeter work(kNoWorkLimits, file.size());
  REPATH_ASSIGN_OR_RETURN(FiledWorld filed, place.codec->read_world(file, facts, &work));
  file = {};
  WorldFacts as_now = facts;
  REPATH_ASSIGN_OR_RETURN(
      *engine, make_engine(AnyWorldSpec(std::move(filed)), parts, incarnation, &as_now, &work));
  (*engine)->set_tap(recorder.get());
  spdlog::info("recording world={} file={}", facts.name, path);
  return recorder;
}

void Recorder::add(const EntryWriter& entry, RecordingEntry kind) {
  if (!file_->has_ended()) file_->send(entry.finish(kind));
}

void Recorder::on_restore(std::span<const RestoredAgent> agents, std::span<const std::string> bytes,
                          Micros now) {
  EntryWriter entry;
  entry.add(now).add(std::uint64_t{agents.size()});
  for (std::size_t i = 0; i < agents.size(); ++i) {
    entry.add(agents[i].owner).add(agents[i].position_age_us).add(agents[i].spec.position);
    entry.add(std::string_view(bytes[i]));
  }
  add(entry, RecordingEntry::kRestore);
}

void Recorder::on_apply(const std::string& bytes, Micros now) {
  add(EntryWriter().add(now).add(std::string_view(bytes)), RecordingEntry::kApply);
}

void Recorder::on_upsert(std::span<const std::string> bytes, OwnerId owner, Micros now) {
  EntryWriter entry;
  entry.add(now).add(owner).add(std::uint64_t{bytes.size()});
  for (const std::string& agent : bytes) entry.add(std::string_view(agent));
  add(entry, RecordingEntry::kUpsert);
}

void Recorder::on_report(std::span<const PositionReport> positions, Micros now) {
  EntryWriter entry;
  entry.add(now).add(std::uint64_t{positions.size()});
  for (const PositionReport& report : positions)
    entry.add(report.id).add(report.position).add(report.path_version);
  add(entry, RecordingEntry::kReport);
}

void Recorder::on_remove(std::span<const AgentId> agents, EventReason reason) {
  EntryWriter entry;
  entry.add(reason).add(std::uint64_t{agents.size()});
  for (const AgentId agent : agents) entry.add(agent);
  add(entry, RecordingEntry::kRemove);
}

void Recorder::on_acknowledge(AgentId agent, PathVersion version) {
  add(EntryWriter().add(agent).add(version), RecordingEntry::kAcknowledge);
}

void Recorder::on_frame() { add({}, RecordingEntry::kFrame); }

void Recorder::on_plan(WorkUnits budget, Micros now) {
  add(EntryWriter().add(now).add(std::uint64_t{budget}), RecordingEntry::kPlan);
}

void Recorder::on_latest_verdict(AgentId agent) {
  add(EntryWriter().add(agent), RecordingEntry::kLatestVerdict);
}

void Recorder::on_capture(const std::string& profile, TeamId team) {
  add(EntryWriter().add(std::string_view(profile)).add(team), RecordingEntry::kCapture);
}

void Recorder::on_test(const TestChanges& command) {
  EntryWriter entry;
  entry.add(std::string_view(command.batch_bytes)).add(std::uint64_t{command.pairs.size()});
  for (const TestChanges::Pair& pair : command.pairs)
    entry.add(std::string_view(pair.profile)).add(pair.team).add(pair.from).add(pair.to);
  add(entry, RecordingEntry::kTest);
}

void Recorder::on_events(std::span<const AgentEvent> events) {
  if (events.empty()) return;
  events_ += events.size();
  for (const AgentEvent& event : events) add_event(event, &sum_);
  add(EntryWriter().add(std::uint64_t{events.size()}).add(sum_.value()), RecordingEntry::kEvents);
}

}  // namespace repath
