#include "runtime/failure.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <spdlog/spdlog.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>

#include "absl/strings/str_cat.h"

namespace repath {
namespace {

std::string demangled(const char* name) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> readable(
      abi::__cxa_demangle(name, nullptr, nullptr, &status), std::free);
  return status == 0 ? readable.get() : name;
}

// Returns for example "repath::World::view(ViewId) const (repathd+0x1234)"; addr2line takes the
// offset. A return address lies behind its call, so the look-up goes one byte earlier.
std::string name_of_call(void* address) {
  Dl_info info{};
  char* const call = static_cast<char*>(address) - 1;
  if (dladdr(call, &info) == 0 || info.dli_fname == nullptr) return "?";
  const std::string file(info.dli_fname);
  const auto offset = static_cast<std::uintptr_t>(call - static_cast<char*>(info.dli_fbase));
  const std::string place =
      absl::StrCat(file.substr(file.rfind('/') + 1), "+0x", absl::Hex(offset));
  return info.dli_sname == nullptr ? place : demangled(info.dli_sname) + " (" + place + ")";
}

// Returns the text as the value of a log line's key, without quotes inside.
std::string quotable(std::string text) {
  std::replace(text.begin(), text.end(), '"', '\'');
  return text;
}

}  // namespace

Failure describe(const std::exception_ptr& thrown) {
  Failure failure;
  try {
    std::rethrow_exception(thrown);
  } catch (const CheckFailed& check) {
    failure.reason = check.what();
    for (std::size_t i = 0; i < check.frame_count(); ++i)
      failure.calls.push_back(name_of_call(check.frames()[i]));
  } catch (const std::exception& error) {
    failure.reason = std::string("exception: ") + error.what();
  } catch (...) {
    failure.reason = "exception of an unknown type";
  }
  return failure;
}

void log_failure(std::string_view world, std::string_view during, std::string_view outcome,
                 const Failure& failure) {
  spdlog::critical("check_failed world=\"{}\" reason=\"{}\" during={} outcome=\"{}\"", world,
                   quotable(failure.reason), during, outcome);
  for (std::size_t i = 0; i < failure.calls.size(); ++i)
    spdlog::critical("check_failed world=\"{}\" call={} at=\"{}\"", world, i, failure.calls[i]);
}

}  // namespace repath
