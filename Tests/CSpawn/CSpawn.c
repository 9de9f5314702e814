#define _GNU_SOURCE
#include "CSpawn.h"

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

int spawn_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int spawn_add_folder(posix_spawn_file_actions_t *actions, const char *path) {
  return posix_spawn_file_actions_addchdir_np(actions, path);
}

int spawn_add_close_from(posix_spawn_file_actions_t *actions, int descriptor) {
  return posix_spawn_file_actions_addclosefrom_np(actions, descriptor);
}

// Close-on-exec by itself.
int spawn_process_descriptor(pid_t process) { return (int)syscall(SYS_pidfd_open, process, 0); }
