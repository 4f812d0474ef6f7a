#include "runtime/player.h"

#include <algorithm>
#include <fstream>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.h"
#include "runtime/loaded_world.h"
#include "runtime/recording.h"

namespace repath {
namespace {

constexpr std::uint64_t kEntryBytesMax = std::uint64_t{256} << 20;
constexpr std::size_t kReadAtOnce = std::size_t{1} << 20;

absl::Status damaged(std::uint64_t entry, const std::string& what) {
  return make_error(absl::StatusCode::kDataLoss, "RECORDING_DAMAGED", "",
                    "entry " + std::to_string(entry) + ": " + what);
}

absl::Status other_form() { return absl::DataLossError("it has another form"); }

// Reads entries from a file, one after the other.
class Entries {
 public:
  explicit Entries(std::istream& file) : file_(file) {}

  // Reads the next one. Returns false at the end, also within an entry.
  bool next() {
    std::uint64_t size = 0;
    unsigned shift = 0;
    for (int c = 0x80; (c & 0x80) != 0; shift += 7) {
      c = file_.get();
      if (c == std::char_traits<char>::eof()) {
        is_cut_off_ = shift > 0;
        return false;
      }
      if (shift < 64) size |= std::uint64_t{static_cast<unsigned>(c) & 0x7f} << shift;
    }
    ++number_;
    if (size == 0 || size > kEntryBytesMax) {
      damage_ = "its size is out of range";
      return true;
    }
    is_cut_off_ = !read_content(size + kEntrySumBytes);
    if (is_cut_off_) return false;
    const std::string sum = content_.substr(size);
    content_.resize(size);
    if (sum != entry_sum(content_)) damage_ = "the checksum does not fit";
    return true;
  }
  std::uint64_t number() const { return number_; }
  // What is wrong with the entry, in words; empty: nothing.
  const std::string& damage() const { return damage_; }
  bool is_cut_off() const { return is_cut_off_; }
  RecordingEntry kind() const {
    return static_cast<RecordingEntry>(static_cast<unsigned char>(content_.front()));
  }
  std::string_view content() const { return std::string_view(content_).substr(1); }

 private:
  // Takes memory only for what is there. Returns false at the end of the file.
  bool read_content(std::uint64_t size) {
    content_.clear();
    while (content_.size() < size) {
      const std::size_t begin = content_.size();
      content_.resize(std::min<std::uint64_t>(size, begin + kReadAtOnce));
      const auto more = static_cast<std::streamsize>(content_.size() - begin);
      if (!file_.read(content_.data() + begin, more)) return false;
    }
    return true;
  }

  std::istream& file_;
  std::string content_;
  std::uint64_t number_ = 0;
  std::string damage_;
  bool is_cut_off_ = false;
};

class Player {
 public:
  Player(const WorldCodec& codec, Executor& executor) : codec_(codec), executor_(executor) {}

  // Plays one entry. An error says what is wrong with it.
  absl::Status play(RecordingEntry kind, EntryReader entry, std::uint64_t number) {
    if (!report_.end.empty()) return absl::DataLossError("it comes after the end");
    if (kind == RecordingEntry::kEnd) {
      report_.end = entry.bytes();
      return entry.is_at_end() && !report_.end.empty() ? absl::OkStatus() : other_form();
    }
    const bool is_beginning = kind == RecordingEntry::kHeader || kind == RecordingEntry::kWorld ||
                              kind == RecordingEntry::kBegin;
    if (is_beginning != (engine_ == nullptr))
      return absl::DataLossError(is_beginning ? "the world begins twice" : "no world is there yet");
    if (!is_beginning && kind != RecordingEntry::kEvents) ++report_.inputs;
    REPATH_RETURN_IF_ERROR(is_beginning ? begin(kind, &entry) : play_input(kind, &entry, number));
    return entry.is_whole() && entry.is_at_end() ? absl::OkStatus() : other_form();
  }
  PlayReport report() const {
    PlayReport report = report_;
    if (engine_ == nullptr) return report;
    report.revision = engine_->revision();
    report.state_hash = engine_->state_hash();
    return report;
  }
  bool has_begun() const { return engine_ != nullptr; }

 private:
  absl::Status begin(RecordingEntry kind, EntryReader* entry) {
    if (kind == RecordingEntry::kWorld) {
      file_ += entry->bytes();
      return absl::OkStatus();
    }
    if (kind == RecordingEntry::kHeader) return read_header(entry);
    WorkMeter work(kNoWorkLimits, file_.size());
    REPATH_ASSIGN_OR_RETURN(FiledWorld filed, codec_.read_world(file_, facts_, &work));
    REPATH_ASSIGN_OR_RETURN(
        engine_, make_engine(AnyWorldSpec(std::move(filed)), {limits_, executor_}, incarnation_,
                             &facts_, &work));
    file_ = {};
    return absl::OkStatus();
  }

  absl::Status read_header(EntryReader* entry) {
    const std::string name = entry->bytes();
    const std::string epoch = entry->bytes();
    REPATH_ASSIGN_OR_RETURN(facts_, codec_.read_facts(entry->bytes()));
    facts_.name = report_.world = name;
    facts_.epoch = epoch;
    incarnation_ = entry->number();
    limits_.agents_per_world_max = entry->number();
    limits_.history_mb = entry->number();
    return absl::OkStatus();
  }

  absl::Status play_input(RecordingEntry kind, EntryReader* entry, std::uint64_t number) {
    switch (kind) {
      case RecordingEntry::kRestore:
        return restore(entry);
      case RecordingEntry::kApply:
        return apply(entry);
      case RecordingEntry::kUpsert:
        return upsert(entry);
      case RecordingEntry::kReport:
        return report_positions(entry);
      case RecordingEntry::kRemove:
        return remove(entry);
      case RecordingEntry::kTest:
        return test(entry);
      case RecordingEntry::kEvents:
        return compare_events(entry, number);
      default:
        return play_small(kind, entry);
    }
  }

  absl::Status play_small(RecordingEntry kind, EntryReader* entry) {
    if (kind == RecordingEntry::kAcknowledge) {
      const auto agent = entry->id<AgentId>();
      engine_->acknowledge(agent, entry->id<PathVersion>());
    } else if (kind == RecordingEntry::kFrame) {
      engine_->begin_frame();
      ++report_.frames;
    } else if (kind == RecordingEntry::kPlan) {
      const Micros now = entry->number();
      engine_->plan(entry->number(), now);
    } else if (kind == RecordingEntry::kLatestVerdict) {
      (void)engine_->latest_verdict(entry->id<AgentId>());
    } else if (kind == RecordingEntry::kCapture) {
      const std::string profile = entry->bytes();
      engine_->capture(profile, entry->id<TeamId>()).IgnoreError();
    } else {
      return absl::DataLossError("its kind is not known");
    }
    return absl::OkStatus();
  }

  absl::Status apply(EntryReader* entry) {
    const Micros now = entry->number();
    ApplyChanges changes;
    REPATH_ASSIGN_OR_RETURN(changes.batch, codec_.read_batch(entry->bytes(), facts_));
    return engine_->apply(changes, now).status();
  }

  // Agents that were refused then are refused again, so the result does not matter here.
  absl::Status upsert(EntryReader* entry) {
    const Micros now = entry->number();
    const auto owner = entry->id<OwnerId>();
    std::vector<AgentSpec> agents;
    for (std::uint64_t left = entry->count(); left > 0; --left) {
      REPATH_ASSIGN_OR_RETURN(AgentSpec agent, codec_.read_agent(entry->bytes(), facts_));
      agents.push_back(std::move(agent));
    }
    engine_->upsert_agents(agents, owner, now).IgnoreError();
    return absl::OkStatus();
  }

  absl::Status restore(EntryReader* entry) {
    const Micros now = entry->number();
    std::vector<RestoredAgent> agents;
    for (std::uint64_t left = entry->count(); left > 0; --left) {
      RestoredAgent agent;
      agent.owner = entry->id<OwnerId>();
      agent.position_age_us = entry->number();
      const MapPoint position = entry->point();
      REPATH_ASSIGN_OR_RETURN(agent.spec, codec_.read_agent(entry->bytes(), facts_));
      agent.spec.position = position;
      agents.push_back(std::move(agent));
    }
    const MemoryLimitLifted lifted(engine_.get(), facts_.settings);
    return engine_->restore_agents(agents, now);
  }

  absl::Status report_positions(EntryReader* entry) {
    const Micros now = entry->number();
    std::vector<PositionReport> positions;
    for (std::uint64_t left = entry->count(); left > 0; --left) {
      PositionReport report;
      report.id = entry->id<AgentId>();
      report.position = entry->point();
      report.path_version = entry->id<PathVersion>();
      positions.push_back(report);
    }
    engine_->report_positions(positions, now).IgnoreError();
    return absl::OkStatus();
  }

  absl::Status remove(EntryReader* entry) {
    const auto reason = entry->id<EventReason>();
    std::vector<AgentId> agents;
    for (std::uint64_t left = entry->count(); left > 0; --left)
      agents.push_back(entry->id<AgentId>());
    engine_->remove_agents(agents, reason);
    return absl::OkStatus();
  }

  // A dry run leaves views, and facts about the ground, behind. So does this one.
  absl::Status test(EntryReader* entry) {
    TestChanges command;
    REPATH_ASSIGN_OR_RETURN(command.batch, codec_.read_batch(entry->bytes(), facts_));
    for (std::uint64_t left = entry->count(); left > 0; --left) {
      TestChanges::Pair pair;
      pair.profile = entry->bytes();
      pair.team = entry->id<TeamId>();
      pair.from = entry->point();
      pair.to = entry->point();
      command.pairs.push_back(std::move(pair));
    }
    engine_->test(command).IgnoreError();
    return absl::OkStatus();
  }

  absl::Status compare_events(EntryReader* entry, std::uint64_t number) {
    const std::uint64_t count = entry->number();
    const std::uint64_t sum = entry->number();
    const std::vector<AgentEvent> events = engine_->take_events();
    for (const AgentEvent& event : events) add_event(event, &sum_);
    report_.events += events.size();
    if (report_.difference.empty() && (events.size() != count || sum_.value() != sum))
      report_.difference = "entry " + std::to_string(number) + ": " +
                           std::to_string(events.size()) + " events came where there were " +
                           std::to_string(count) +
                           (events.size() == count ? ", and they differ from those" : "");
    return absl::OkStatus();
  }

  const WorldCodec& codec_;
  Executor& executor_;
  Limits limits_;
  WorldFacts facts_;
  std::uint64_t incarnation_ = 0;
  std::string file_;  // of the world, until it is made
  std::unique_ptr<Engine> engine_;
  Checksum sum_;
  PlayReport report_;
};

}  // namespace

absl::StatusOr<PlayReport> play_recording(const std::string& path, const WorldCodec& codec,
                                          Executor& executor) {
  std::ifstream file(path, std::ios::binary);
  std::string form(kRecordingForm.size(), ' ');
  if (!file.read(form.data(), static_cast<std::streamsize>(form.size())) || form != kRecordingForm)
    return make_error(absl::StatusCode::kNotFound, "RECORDING_UNREADABLE", "",
                      path + " is no recording that this version reads");
  Entries entries(file);
  Player player(codec, executor);
  while (entries.next()) {
    if (!entries.damage().empty()) return damaged(entries.number(), entries.damage());
    const absl::Status played =
        player.play(entries.kind(), EntryReader(entries.content()), entries.number());
    if (!played.ok()) return damaged(entries.number(), std::string(played.message()));
  }
  PlayReport report = player.report();
  if (!player.has_begun())
    return damaged(entries.number(), "the recording ends before the world" +
                                         (report.end.empty() ? "" : "; " + report.end));
  report.is_cut_off = entries.is_cut_off();
  return report;
}

}  // namespace repath
