#ifndef SWITCHBOARD_CSANDBOX_H
#define SWITCHBOARD_CSANDBOX_H

#include <sys/types.h>

/// A program that is started with as little as possible.
struct SwitchboardSandboxed {
  /// The open file of the program.
  int file;
  /// Whether the file is a script, which its interpreter reads from descriptor 3.
  int is_script;
  /// What the program is called in its arguments.
  const char *name;
  /// The folder in which it begins.
  const char *folder;
  /// Its whole environment, ended by NULL.
  char *const *environment;
  /// Its standard input, output and error.
  int streams[3];
};

/// Starts a program from its open file: in a session of its own, without a terminal, with no descriptor but its standard streams,
/// and without any new privilege. Where the kernel has Landlock it reads the system's folders and itself and writes nothing; where
/// the kernel filters system calls it has no network and cannot leave its group of processes.
///
/// Started by the main thread, it is killed with this process, however that ends.
///
/// Returns 0, or an error number where it cannot be started or the kernel refuses what it says that it can do.
int switchboard_sandbox_start(const struct SwitchboardSandboxed *program, pid_t *process);

/// A pipe whose ends no other program inherits. Returns 0, or -1 with `errno` set.
int switchboard_sandbox_pipe(int ends[2]);

/// Whether the kernel has Landlock.
int switchboard_sandbox_has_landlock(void);

#endif
