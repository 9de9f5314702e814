#pragma once

// The part of keeping a terminal sane that runs inside signal handlers, hence in C.

#include <stdbool.h>

#pragma clang assume_nonnull begin

/// Installs the handlers: every signal that ends a process first restores an armed terminal, and then does what it did
/// before; a changed window and a continued process write a byte to `wake`, unless that is negative. A disposition that
/// somebody else has set is left alone, but for crashes, which then follow it.
void tg_install(int wake);
/// Whether the handlers are installed.
bool tg_is_installed(void);
/// Takes the handlers back where they are still ours.
void tg_remove(void);
/// Remembers the settings of the terminal as those to restore, and what its output is sent then: a sequence of at most 64
/// bytes and, unless it shows the screen of before, the end of a row. False: `terminal` is none, or the sequence too long.
bool tg_arm(int terminal, int output, const char *sequence, bool ends_row);
/// Whether there is something to restore.
bool tg_is_armed(void);
/// Nothing to restore any more.
void tg_disarm(void);
/// Restores an armed terminal and removes the folder that is kept, once. Async-signal-safe.
void tg_restore(void);
/// Keeps a folder until it is removed, or until the process ends, by a signal also. False: its path is too long.
bool tg_keep_folder(const char *path);
/// Removes the folder that is kept, with the files in it. Async-signal-safe.
void tg_remove_folder(void);
/// Runs a program, found on the path, with its arguments and its environment on the terminal and waits for its end; Ctrl-C
/// and Ctrl-\ are its own meanwhile. Whenever `wake` can be read from, `is_over` is asked and takes what is there; once it
/// says so, the program is sent SIGTERM, and SIGKILL where it goes on. Its exit status, 128 and the signal where one ended
/// it, or a negative error number.
int tg_run(
    char *_Nullable const *_Nonnull words, char *_Nullable const *_Nonnull variables, int wake, void *context,
    bool (*is_over)(void *context));
/// Whether the window has changed since the last call.
bool tg_take_resized(void);
/// Whether the process was continued after a stop since the last call.
bool tg_take_continued(void);

#pragma clang assume_nonnull end
