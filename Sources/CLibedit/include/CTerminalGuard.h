#pragma once

// The part of keeping a terminal sane that runs inside signal handlers, hence in C.

#include <stdbool.h>

#pragma clang assume_nonnull begin

/// Installs the handlers: a signal that ends the process first restores an armed terminal; a changed window and a
/// continued process write a byte to `wake`. A disposition that somebody else has set is left alone.
void tg_install(int wake);
/// Takes the handlers back where they are still ours.
void tg_remove(void);
/// Remembers the settings of the terminal as those to restore. False: `terminal` is none.
bool tg_arm(int terminal, int output, bool paste);
/// Nothing to restore any more.
void tg_disarm(void);
/// Restores an armed terminal, once. Async-signal-safe.
void tg_restore(void);
/// Runs a program, found on the path, with its arguments on the terminal and waits for its end; Ctrl-C and Ctrl-\ are its
/// own meanwhile. Its exit status, 128 and the signal where one ended it, or a negative error number.
int tg_run(char *_Nullable const *_Nonnull words);
/// Whether the window has changed since the last call.
bool tg_take_resized(void);
/// Whether the process was continued after a stop since the last call.
bool tg_take_continued(void);

#pragma clang assume_nonnull end
