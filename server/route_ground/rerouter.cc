#include "route_ground/rerouter.h"

#include "verdicts/agent_book_impl.h"
#include "verdicts/verdicts_impl.h"

namespace repath {

template class Verdicts<RouteKind>;
template class AgentBook<RouteKind>;

}  // namespace repath
