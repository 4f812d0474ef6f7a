#include "gateway/api_methods.h"

#include <algorithm>
#include <map>

#include "rpc/server.h"

namespace repath {

using google::protobuf::MethodDescriptor;
using google::protobuf::ServiceDescriptor;

const std::vector<const ServiceDescriptor*>& api_services() {
  static const std::vector<const ServiceDescriptor*> all = [] {
    std::vector<const ServiceDescriptor*> services;
    services.reserve(std::size(kServiceNames));
    const auto* pool = google::protobuf::DescriptorPool::generated_pool();
    for (const char* name : kServiceNames) services.push_back(pool->FindServiceByName(name));
    std::ranges::sort(services, {}, [](const auto* service) { return service->full_name(); });
    return services;
  }();
  return all;
}

const MethodDescriptor* find_api_method(std::string_view path) {
  static const auto by_path = [] {
    std::map<std::string, const MethodDescriptor*, std::less<>> methods;
    for (const ServiceDescriptor* service : api_services())
      for (int i = 0; i < service->method_count(); ++i)
        methods.emplace(path_of(*service->method(i)), service->method(i));
    return methods;
  }();
  const auto found = by_path.find(path);
  return found == by_path.end() ? nullptr : found->second;
}

std::string path_of(const MethodDescriptor& method) {
  return "/" + method.service()->full_name() + "/" + method.name();
}

}  // namespace repath
