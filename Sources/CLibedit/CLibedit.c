#define _GNU_SOURCE
#include "CLibedit.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <histedit.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

// Opened with the first editor: a script, which edits nothing, would pay for it at each start.
#define EACH_FUNCTION(use) \
  use(el_cursor) use(el_end) use(el_init) use(el_resize) use(el_source) use(el_deletestr) use(el_wget) use(el_wgets) \
  use(el_winsertstr) use(el_wline) use(el_wreplacestr) use(el_wset) use(history_w) use(history_wend) use(history_winit)

static struct {
#define MEMBER(name) __typeof__(&name) name;
  EACH_FUNCTION(MEMBER)
} lib;

// The name differs between distributions; the functions do not.
static bool open_library(void) {
  static const char *const names[] = {"libedit.so.2", "libedit.so.0", "libedit.so"};
  void *handle = NULL;
  for (size_t i = 0; i < sizeof names / sizeof *names && !handle; i++) handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  if (!handle) return false;
  bool is_whole = true;
#define FIND(name) is_whole = (lib.name = (__typeof__(lib.name))dlsym(handle, #name)) && is_whole;
  EACH_FUNCTION(FIND)
  return is_whole;
}

#define el_cursor lib.el_cursor
#define el_end lib.el_end
#define el_init lib.el_init
#define el_resize lib.el_resize
#define el_source lib.el_source
#define el_deletestr lib.el_deletestr
#define el_wget lib.el_wget
#define el_wgets lib.el_wgets
#define el_winsertstr lib.el_winsertstr
#define el_wline lib.el_wline
#define el_wreplacestr lib.el_wreplacestr
#define el_wset lib.el_wset
#define history_w lib.history_w
#define history_wend lib.history_wend
#define history_winit lib.history_winit

struct le_editor {
  EditLine *el;
  HistoryW *history;
  FILE *input, *output;
  le_callbacks callbacks;
};

// libedit keeps the pointers given to EL_ADDFN.
static const wchar_t action_name[] = L"line-editor-action";
static const wchar_t action_text[] = L"Key of the program";

static le_editor *owner(EditLine *el) {
  void *data = NULL;
  el_wget(el, EL_CLIENTDATA, &data);
  return data;
}

static int read_key(EditLine *el, wchar_t *key) {
  le_editor *editor = owner(el);
  return editor->callbacks.read_key(editor->callbacks.context, key);
}

static const wchar_t *prompt(EditLine *el) {
  le_editor *editor = owner(el);
  return editor->callbacks.prompt(editor->callbacks.context);
}

static unsigned char act(EditLine *el, wint_t key) {
  le_editor *editor = owner(el);
  return (unsigned char)editor->callbacks.act(editor->callbacks.context, (wchar_t)key);
}

static FILE *open_copy(int descriptor, const char *mode) {
  int copy = dup(descriptor);
  if (copy < 0) return NULL;
  FILE *file = fdopen(copy, mode);
  if (!file) close(copy);
  return file;
}

void le_close(le_editor *editor) {
  if (editor->el) {
    // With editing off, el_end leaves the terminal alone; otherwise it would throw away what was typed ahead.
    el_wset(editor->el, EL_EDITMODE, 0);
    el_end(editor->el);
  }
  if (editor->history) history_wend(editor->history);
  if (editor->input) fclose(editor->input);
  if (editor->output) fclose(editor->output);
  free(editor);
}

le_editor *le_open(const char *program, int input, int output, le_callbacks callbacks) {
  if (!open_library()) return NULL;
  le_editor *editor = calloc(1, sizeof *editor);
  if (!editor) return NULL;
  editor->callbacks = callbacks;
  editor->input = open_copy(input, "r");
  editor->output = open_copy(output, "w");
  editor->history = history_winit();
  if (editor->input && editor->output && editor->history)
    editor->el = el_init(program, editor->input, editor->output, editor->output);
  if (!editor->el) {
    le_close(editor);
    return NULL;
  }
  el_wset(editor->el, EL_CLIENTDATA, editor);
  el_wset(editor->el, EL_HIST, history_w, editor->history);
  el_wset(editor->el, EL_GETCFN, read_key);
  el_wset(editor->el, EL_PROMPT_ESC, prompt, L'\1');
  el_wset(editor->el, EL_ADDFN, action_name, action_text, act);
  return editor;
}

void le_source_user_file(le_editor *editor) {
  el_wset(editor->el, EL_EDITOR, L"emacs");
  el_source(editor->el, NULL);
  el_wset(editor->el, EL_EDITMODE, 1);
}

bool le_is_vi(le_editor *editor) {
  const wchar_t *mode = NULL;
  return el_wget(editor->el, EL_EDITOR, &mode) == 0 && mode && mode[0] == L'v';
}

void le_bind(le_editor *editor, wchar_t key, const wchar_t *function, bool in_command_mode) {
  const wchar_t name[] = {key, 0};
  if (in_command_mode)
    el_wset(editor->el, EL_BIND, L"-a", name, function, NULL);
  else
    el_wset(editor->el, EL_BIND, name, function, NULL);
}

void le_bind_action(le_editor *editor, wchar_t key, bool in_command_mode) {
  le_bind(editor, key, action_name, in_command_mode);
}

void le_set_tty_flag(le_editor *editor, const wchar_t *flag) {
  el_wset(editor->el, EL_SETTY, L"-d", flag, NULL);
}

void le_set_history_size(le_editor *editor, int size) {
  HistEventW event;
  history_w(editor->history, &event, H_SETSIZE, size);
}

void le_remember(le_editor *editor, const wchar_t *line) {
  HistEventW event;
  history_w(editor->history, &event, H_ENTER, line);
}

const wchar_t *le_read(le_editor *editor, int *count) { return el_wgets(editor->el, count); }

le_line le_current(le_editor *editor) {
  const LineInfoW *line = el_wline(editor->el);
  return (le_line){line->buffer, (int)(line->lastchar - line->buffer), (int)(line->cursor - line->buffer)};
}

bool le_insert(le_editor *editor, const wchar_t *text) { return el_winsertstr(editor->el, text) == 0; }
bool le_replace(le_editor *editor, const wchar_t *text) { return el_wreplacestr(editor->el, text) == 0; }
void le_delete_before(le_editor *editor, int count) { el_deletestr(editor->el, count); }
void le_move(le_editor *editor, int count) { el_cursor(editor->el, count); }
void le_draw(le_editor *editor) {
  fflush(editor->output);
  el_wset(editor->el, EL_REFRESH);
}
void le_set_raw(le_editor *editor, bool raw) { el_wset(editor->el, EL_PREP_TERM, raw ? 1 : 0); }
void le_resize(le_editor *editor) { el_resize(editor->el); }

void le_write(le_editor *editor, const char *bytes, size_t count) {
  fwrite(bytes, 1, count, editor->output);
  fflush(editor->output);
}

bool le_use_utf8(void) {
  locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
  if (!utf8) return false;
  uselocale(utf8);
  return true;
}

int le_width(wchar_t character) { return wcwidth(character); }
bool le_pipe(int *ends) { return pipe2(ends, O_NONBLOCK | O_CLOEXEC) == 0; }
