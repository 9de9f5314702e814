#include "CSQLite.h"

#include <dlfcn.h>
#include <sqlite3.h>

// Opened with the first write: a run that only reads would pay for it at each start.
#define EACH_FUNCTION(use) \
  use(sqlite3_open_v2) use(sqlite3_close_v2) use(sqlite3_busy_timeout) use(sqlite3_exec) use(sqlite3_errmsg) \
  use(sqlite3_last_insert_rowid) use(sqlite3_prepare_v2) use(sqlite3_finalize) use(sqlite3_bind_text) \
  use(sqlite3_bind_int64) use(sqlite3_bind_double) use(sqlite3_step) use(sqlite3_reset) use(sqlite3_clear_bindings) use(sqlite3_column_type) \
  use(sqlite3_column_int64) use(sqlite3_column_text) use(sqlite3_column_bytes)

static struct {
#define MEMBER(name) __typeof__(&name) name;
  EACH_FUNCTION(MEMBER)
  bool is_open;
} lib;

void *sq_library(void) {
  static const char *const names[] = {"libsqlite3.so.0", "libsqlite3.so"};
  void *handle = NULL;
  for (size_t i = 0; i < sizeof names / sizeof *names && !handle; i++) handle = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  return handle;
}

static bool open_library(void) {
  if (lib.is_open) return true;
  void *handle = sq_library();
  if (!handle) return false;
  bool is_whole = true;
#define FIND(name) is_whole = (lib.name = (__typeof__(lib.name))dlsym(handle, #name)) && is_whole;
  EACH_FUNCTION(FIND)
  return lib.is_open = is_whole;
}

#define DB(database) ((sqlite3 *)(database))
#define STATEMENT(statement) ((sqlite3_stmt *)(statement))

int sq_open(const char *path, int busy_milliseconds, sq_database **database) {
  *database = NULL;
  if (!open_library()) return -1;
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOFOLLOW | SQLITE_OPEN_NOMUTEX;
  int code = lib.sqlite3_open_v2(path, (sqlite3 **)database, flags, NULL);
  if (code == SQLITE_OK) lib.sqlite3_busy_timeout(DB(*database), busy_milliseconds);
  return code;
}

void sq_close(sq_database *database) { lib.sqlite3_close_v2(DB(database)); }

int sq_run(sq_database *database, const char *sql) { return lib.sqlite3_exec(DB(database), sql, NULL, NULL, NULL); }
const char *sq_message(sq_database *database) { return lib.sqlite3_errmsg(DB(database)); }
int64_t sq_last_number(sq_database *database) { return lib.sqlite3_last_insert_rowid(DB(database)); }

sq_statement *sq_prepare(sq_database *database, const char *sql) {
  sqlite3_stmt *statement = NULL;
  return lib.sqlite3_prepare_v2(DB(database), sql, -1, &statement, NULL) == SQLITE_OK ? (sq_statement *)statement : NULL;
}

void sq_finish(sq_statement *statement) { lib.sqlite3_finalize(STATEMENT(statement)); }

int sq_bind_text(sq_statement *statement, int place, const char *text, size_t length) {
  if (length > INT32_MAX) return SQLITE_TOOBIG;
  return lib.sqlite3_bind_text(STATEMENT(statement), place, text, (int)length, SQLITE_TRANSIENT);
}

int sq_bind_number(sq_statement *statement, int place, int64_t number) {
  return lib.sqlite3_bind_int64(STATEMENT(statement), place, number);
}

int sq_bind_real(sq_statement *statement, int place, double number) {
  return lib.sqlite3_bind_double(STATEMENT(statement), place, number);
}

int sq_step(sq_statement *statement) { return lib.sqlite3_step(STATEMENT(statement)); }

void sq_reset(sq_statement *statement) {
  lib.sqlite3_reset(STATEMENT(statement));
  lib.sqlite3_clear_bindings(STATEMENT(statement));
}

bool sq_is_null(sq_statement *statement, int column) {
  return lib.sqlite3_column_type(STATEMENT(statement), column) == SQLITE_NULL;
}

int64_t sq_number(sq_statement *statement, int column) { return lib.sqlite3_column_int64(STATEMENT(statement), column); }

const char *sq_text(sq_statement *statement, int column, size_t *length) {
  const unsigned char *text = lib.sqlite3_column_text(STATEMENT(statement), column);
  int bytes = lib.sqlite3_column_bytes(STATEMENT(statement), column);
  *length = text && bytes > 0 ? (size_t)bytes : 0;
  return (const char *)text;
}
