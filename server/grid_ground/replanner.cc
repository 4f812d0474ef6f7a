#include "grid_ground/replanner.h"

#include "verdicts/agent_book_impl.h"
#include "verdicts/verdicts_impl.h"

namespace repath {

template class Verdicts<GridKind>;
template class AgentBook<GridKind>;

}  // namespace repath
