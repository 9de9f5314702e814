#ifndef SWITCHBOARD_CSPAWN_H
#define SWITCHBOARD_CSPAWN_H

#include <spawn.h>
#include <sys/types.h>

// What is not a part of POSIX, and therefore not in Swift's view of the C library.

/// A pipe whose ends no child inherits. Returns 0, or -1 with `errno` set.
int spawn_pipe(int ends[2]);

/// Has the child begin in a folder. Returns an error number, 0 for none.
int spawn_add_folder(posix_spawn_file_actions_t *actions, const char *path);

/// Has the child close every descriptor from this one on. Returns an error number, 0 for none.
int spawn_add_close_from(posix_spawn_file_actions_t *actions, int descriptor);

/// A descriptor that can be read from once the process has ended. Returns -1 with `errno` set where there is none.
int spawn_process_descriptor(pid_t process);

#endif
