// The descriptors 0, 1 and 2 of a program. Each of them that is closed when the program begins gets
// /dev/null in its place. Otherwise the next file that is opened would get its number: log lines
// would be written into it. Such a stream goes on to fail: stdin cannot be read, stdout and stderr
// cannot be written.
//
// repathd and repath have a file of this name each, because client/ and server/ share no code.
#pragma once

namespace repath {

// Does so. main() must call it, so that the linker takes this file. The work is then done earlier,
// ahead of the initialisers of shared libraries, which open descriptors.
void hold_standard_streams();

}  // namespace repath
