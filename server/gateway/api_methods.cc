#include "gateway/api_methods.h"

#include <algorithm>
#include <map>

#include "rpc/server.h"

namespace repath {

using google::protobuf::MethodDescriptor;
using google::protobuf::ServiceDescriptor;

const std::vector<const ServiceDescriptor*>& api_services() {
  static const std::vector<const ServiceDescriptor*> kServices = [] {
    std::vector<const ServiceDescriptor*> services;
    const auto* pool = google::protobuf::DescriptorPool::generated_pool();
    for (const char* name : kServiceNames) services.push_back(pool->FindServiceByName(name));
    std::ranges::sort(services, {}, [](const auto* service) { return service->full_name(); });
    return services;
  }();
  return kServices;
}

const MethodDescriptor* find_api_method(std::string_view path) {
  static const auto kMethods = [] {
    std::map<std::string, const MethodDescriptor*, std::less<>> methods;
    for (const ServiceDescriptor* service : api_services())
      for (int i = 0; i < service->method_count(); ++i)
        methods.emplace(path_of(*service->method(i)), service->method(i));
    return methods;
  }();
  const auto found = kMethods.find(path);
  return found == kMethods.end() ? nullptr : found->second;
}

std::string path_of(const MethodDescriptor& method) {
  return "/" + method.service()->full_name() + "/" + method.name();
}

}  // namespace repath
