#pragma once

// The part of libedit that Swift sees. histedit.h stays out of sight: its entry points are variadic, which Swift cannot call, and
// carry neither nullability nor lifetimes.

#include <stdbool.h>
#include <wchar.h>

#include "CTerminalGuard.h"

#pragma clang assume_nonnull begin

/// One libedit instance with its streams. Belongs to the thread that made it.
typedef struct le_editor le_editor;

/// What an action tells libedit to do next.
enum {
  le_keep = 0,
  le_end_of_file = 2,
  le_refresh = 4,
  le_move_cursor = 5,
  le_beep = 6,
  le_redisplay = 8,
};

/// The three questions that libedit asks while a line is read, all on the thread that reads it.
typedef struct {
  void *context;
  /// Waits for the next key. 1: `key` is set; 0: end of input; -1: error in errno.
  int (*_Nonnull read_key)(void *context, wchar_t *key);
  /// The prompt; `\1` before and after each escape sequence. The text must live until the next call.
  const wchar_t *_Nonnull (*_Nonnull prompt)(void *context);
  /// Runs for every key bound with `le_bind_action`. Returns one of the values above.
  int (*_Nonnull act)(void *context, wchar_t key);
} le_callbacks;

/// The text being edited; the pointer holds until the next change.
typedef struct {
  const wchar_t *text;
  int length;
  int cursor;
} le_line;

/// Opens an editor on two descriptors, which stay the caller's. NULL: no libedit on this machine, out of memory,
/// or no usable terminal.
le_editor *_Nullable le_open(const char *program, int input, int output, le_callbacks callbacks);
/// Frees the editor without touching the terminal's settings or what was typed ahead.
void le_close(le_editor *editor);

/// Reads `~/.editrc` (or `$EDITRC`), starting from emacs mode, and leaves editing switched on whatever it says.
void le_source_user_file(le_editor *editor);
/// Whether vi mode is on.
bool le_is_vi(le_editor *editor);
/// Binds a key to the action callback, in vi's command mode or else in the mode in which characters are typed.
void le_bind_action(le_editor *editor, wchar_t key, bool in_command_mode);
/// Binds a key to a function of libedit by name, in vi's command mode or else in the mode in which characters are typed.
void le_bind(le_editor *editor, wchar_t key, const wchar_t *function, bool in_command_mode);
/// Switches a terminal flag for the time a line is edited, for instance `-isig`.
void le_set_tty_flag(le_editor *editor, const wchar_t *flag);
/// Gives a line to the history that libedit's own search functions use.
void le_remember(le_editor *editor, const wchar_t *line);
/// Sets the size of that history; it keeps nothing before this call.
void le_set_history_size(le_editor *editor, int size);

/// Reads one line. NULL: see `count`, 0 for end of file or an action's `le_end_of_file`, -1 for an error in errno.
const wchar_t *_Nullable le_read(le_editor *editor, int *count);
le_line le_current(le_editor *editor);
/// Inserts text at the cursor. False: no memory.
bool le_insert(le_editor *editor, const wchar_t *text);
/// Replaces the whole text (not with an empty one: libedit refuses that).
bool le_replace(le_editor *editor, const wchar_t *text);
/// Deletes `count` characters before the cursor.
void le_delete_before(le_editor *editor, int count);
/// Moves the cursor by `count` characters, within the text.
void le_move(le_editor *editor, int count);
/// Draws prompt and text at the terminal's present position, forgetting what was drawn.
void le_draw(le_editor *editor);
/// Puts the terminal into editing mode or back.
void le_set_raw(le_editor *editor, bool raw);
/// Takes over the terminal's present size.
void le_resize(le_editor *editor);
/// Writes bytes to the terminal through the stream that libedit draws on, in order with its drawing.
void le_write(le_editor *editor, const char *bytes, size_t count);

/// Makes the calling thread use UTF-8, whatever the process's locale is. False: this system has no such locale.
bool le_use_utf8(void);
/// Columns that a character takes in the calling thread's locale; -1: it cannot be shown.
int le_width(wchar_t character);
/// Makes a pipe that neither blocks nor is inherited; error in errno.
bool le_pipe(int *ends);

#pragma clang assume_nonnull end
