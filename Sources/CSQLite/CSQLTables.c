#include "CSQLTables.h"

#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CSQLite.h"

#define EACH_FUNCTION(use) \
  use(open_v2) use(close_v2) use(exec) use(errmsg) use(error_offset) use(extended_errcode) use(prepare_v3) use(finalize) \
  use(step) use(reset) use(bind_null) use(bind_int64) use(bind_double) use(bind_text64) use(bind_blob64) \
  use(bind_parameter_count) use(bind_parameter_name) use(column_count) use(column_name) use(column_type) \
  use(column_int64) use(column_double) use(column_text) use(column_bytes) use(column_blob) use(column_value) \
  use(column_database_name) use(column_table_name) use(column_origin_name) use(progress_handler) \
  use(set_authorizer) use(limit) use(db_config) use(create_module_v2) use(declare_vtab) use(vtab_config) \
  use(vtab_collation) use(vtab_distinct) use(vtab_in) use(vtab_in_first) use(vtab_in_next) use(vtab_rhs_value) \
  use(vtab_nochange) use(value_nochange) use(vtab_on_conflict) use(value_type) use(value_int64) use(value_double) use(value_text) \
  use(value_bytes) use(result_null) use(result_int64) use(result_double) use(result_text64) use(result_value) \
  use(result_subtype) use(result_error) use(create_function_v2) use(mprintf) use(free) use(hard_heap_limit64) \
  use(user_data) use(bind_value)

static struct {
#define MEMBER(name) __typeof__(&sqlite3_##name) name;
  EACH_FUNCTION(MEMBER)
  char **temp_directory;
  bool is_open;
} lib;

bool sv_load(const char *folder) {
  if (!lib.is_open) {
    void *handle = sq_library();
    if (!handle) return false;
    bool is_whole = true;
#define FIND(name) is_whole = (lib.name = (__typeof__(lib.name))dlsym(handle, "sqlite3_" #name)) && is_whole;
    EACH_FUNCTION(FIND)
    lib.temp_directory = (char **)dlsym(handle, "sqlite3_temp_directory");
    if (!is_whole) return false;
    lib.hard_heap_limit64(SV_HEAP_BYTES);
    lib.is_open = true;
  }
  // Only while there is no other connection: the library reads it without a lock.
  if (lib.temp_directory && folder && (!*lib.temp_directory || strcmp(*lib.temp_directory, folder) != 0)) {
    lib.free(*lib.temp_directory);
    *lib.temp_directory = lib.mprintf("%s", folder);
  }
  return true;
}

// MARK: Connections

sqlite3 *sv_open(const char *path) {
  sqlite3 *db = NULL;
  int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX;
  if (lib.open_v2(path, &db, flags, NULL) == SQLITE_OK) return db;
  lib.close_v2(db);
  return NULL;
}

void sv_restrict(sqlite3 *db) {
  lib.db_config(db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
  lib.db_config(db, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
  lib.db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
  lib.db_config(db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
  lib.db_config(db, SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0, NULL);
  lib.limit(db, SQLITE_LIMIT_LENGTH, SV_LENGTH_BYTES);
  lib.limit(db, SQLITE_LIMIT_SQL_LENGTH, 1 << 20);
  lib.limit(db, SQLITE_LIMIT_WORKER_THREADS, 0);
}

void sv_close(sqlite3 *db) { lib.close_v2(db); }
int sv_run(sqlite3 *db, const char *sql) { return lib.exec(db, sql, NULL, NULL, NULL); }
const char *sv_message(sqlite3 *db) { return lib.errmsg(db); }
int sv_code(sqlite3 *db) { return lib.extended_errcode(db); }
int sv_error_offset(sqlite3 *db) { return lib.error_offset(db); }
void sv_watch(sqlite3 *db, int (*is_stopped)(void *), void *context) {
  lib.progress_handler(db, SV_STEPS, is_stopped, context);
}

void sv_authorize(sqlite3 *db, sv_authorizer authorizer, void *context) {
  lib.set_authorizer(db, authorizer, context);
}

// MARK: Statements

sqlite3_stmt *sv_prepare(sqlite3 *db, const char *sql, size_t *used) {
  sqlite3_stmt *statement = NULL;
  const char *tail = sql;
  if (lib.prepare_v3(db, sql, -1, SQLITE_PREPARE_PERSISTENT, &statement, &tail) != SQLITE_OK) statement = NULL;
  if (used) *used = (size_t)(tail - sql);
  return statement;
}

void sv_finish(sqlite3_stmt *s) { lib.finalize(s); }
int sv_step(sqlite3_stmt *s) { return lib.step(s); }
void sv_reset(sqlite3_stmt *s) { lib.reset(s); }
int sv_parameter_count(sqlite3_stmt *s) { return lib.bind_parameter_count(s); }
const char *sv_parameter_name(sqlite3_stmt *s, int place) { return lib.bind_parameter_name(s, place); }
int sv_bind_null(sqlite3_stmt *s, int place) { return lib.bind_null(s, place); }
int sv_bind_number(sqlite3_stmt *s, int place, int64_t number) { return lib.bind_int64(s, place, number); }
int sv_bind_real(sqlite3_stmt *s, int place, double number) { return lib.bind_double(s, place, number); }

int sv_bind_text(sqlite3_stmt *s, int place, const char *text, size_t length) {
  return lib.bind_text64(s, place, text, length, SQLITE_TRANSIENT, SQLITE_UTF8);
}

int sv_bind_bytes(sqlite3_stmt *s, int place, const void *bytes, size_t length) {
  return lib.bind_blob64(s, place, bytes, length, SQLITE_TRANSIENT);
}

int sv_column_count(sqlite3_stmt *s) { return lib.column_count(s); }
const char *sv_column_name(sqlite3_stmt *s, int column) { return lib.column_name(s, column); }
const char *sv_column_database(sqlite3_stmt *s, int column) { return lib.column_database_name(s, column); }
const char *sv_column_table(sqlite3_stmt *s, int column) { return lib.column_table_name(s, column); }
const char *sv_column_origin(sqlite3_stmt *s, int column) { return lib.column_origin_name(s, column); }
int sv_column_type(sqlite3_stmt *s, int column) { return lib.column_type(s, column); }
int64_t sv_column_number(sqlite3_stmt *s, int column) { return lib.column_int64(s, column); }
double sv_column_real(sqlite3_stmt *s, int column) { return lib.column_double(s, column); }

const char *sv_column_text(sqlite3_stmt *s, int column, size_t *length) {
  const char *text = (const char *)lib.column_text(s, column);
  *length = text ? (size_t)lib.column_bytes(s, column) : 0;
  return text;
}

const void *sv_column_bytes(sqlite3_stmt *s, int column, size_t *length) {
  const void *bytes = lib.column_blob(s, column);
  *length = bytes ? (size_t)lib.column_bytes(s, column) : 0;
  return bytes;
}

// MARK: Virtual tables

int sv_create_module(sqlite3 *db, const char *name, const sqlite3_module *module, void *context) {
  return lib.create_module_v2(db, name, module, context, NULL);
}

int sv_declare(sqlite3 *db, const char *sql) {
  int code = lib.declare_vtab(db, sql);
  // Nothing but the statement itself may read the table, and a conflict is for the services to find.
  if (code == SQLITE_OK) lib.vtab_config(db, SQLITE_VTAB_DIRECTONLY);
  return code;
}

void sv_fail(sqlite3_vtab *table, const char *message) {
  lib.free(table->zErrMsg);
  table->zErrMsg = lib.mprintf("%s", message);
}

const char *sv_collation(sqlite3_index_info *info, int constraint) { return lib.vtab_collation(info, constraint); }
int sv_distinct(sqlite3_index_info *info) { return lib.vtab_distinct(info); }
bool sv_take_all(sqlite3_index_info *info, int constraint, bool takes) {
  return lib.vtab_in(info, constraint, takes ? 1 : -1);
}

sqlite3_value *sv_constant(sqlite3_index_info *info, int constraint) {
  sqlite3_value *value = NULL;
  return lib.vtab_rhs_value(info, constraint, &value) == SQLITE_OK ? value : NULL;
}

sqlite3_value *sv_first(sqlite3_value *list) {
  sqlite3_value *value = NULL;
  return lib.vtab_in_first(list, &value) == SQLITE_OK ? value : NULL;
}

sqlite3_value *sv_next(sqlite3_value *list) {
  sqlite3_value *value = NULL;
  return lib.vtab_in_next(list, &value) == SQLITE_OK ? value : NULL;
}

bool sv_is_unchanged(sqlite3_context *c) { return lib.vtab_nochange(c); }
bool sv_is_unchanged_value(sqlite3_value *v) { return lib.value_nochange(v); }
int sv_conflict(sqlite3 *db) { return lib.vtab_on_conflict(db); }

int sv_value_type(sqlite3_value *v) { return lib.value_type(v); }
int64_t sv_value_number(sqlite3_value *v) { return lib.value_int64(v); }
double sv_value_real(sqlite3_value *v) { return lib.value_double(v); }

const char *sv_value_text(sqlite3_value *v, size_t *length) {
  const char *text = (const char *)lib.value_text(v);
  *length = text ? (size_t)lib.value_bytes(v) : 0;
  return text;
}

void sv_result_null(sqlite3_context *c) { lib.result_null(c); }
void sv_result_number(sqlite3_context *c, int64_t number) { lib.result_int64(c, number); }

void sv_result_text(sqlite3_context *c, const char *text, size_t length) {
  lib.result_text64(c, text, length, SQLITE_TRANSIENT, SQLITE_UTF8);
}

void sv_result_error(sqlite3_context *c, const char *message) { lib.result_error(c, message, -1); }

bool sv_result_stored(sqlite3_context *c, sqlite3_stmt *s, int column) {
  if (lib.column_type(s, column) != SQLITE_BLOB) {
    lib.result_value(c, lib.column_value(s, column));
    return true;
  }
  const char *bytes = lib.column_blob(s, column);
  size_t length = (size_t)lib.column_bytes(s, column);
  if (length == 0 || bytes[0] != SV_JSON) return false;
  lib.result_text64(c, bytes + 1, length - 1, SQLITE_TRANSIENT, SQLITE_UTF8);
  lib.result_subtype(c, 'J');
  return true;
}

// MARK: Keys

/// A number as text has no more than 15 digits, and a comparison may be one of texts.
static double rounded(double number) {
  if (fabs(number) < 1e15 && number == floor(number)) return number == 0 ? 0 : number;
  char text[40];
  snprintf(text, sizeof text, "%.15g", number);
  return strtod(text, NULL);
}

static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// The number that a whole text is, as SQLite takes it for one.
static bool number_of(const char *text, size_t length, double *number) {
  while (length > 0 && is_space(*text)) text++, length--;
  while (length > 0 && is_space(text[length - 1])) length--;
  if (length == 0 || length > 400) return false;
  for (size_t i = 0; i < length; i++) {
    if (!((text[i] >= '0' && text[i] <= '9') || strchr("+-.eE", text[i])) || !text[i]) return false;
  }
  char copy[401];
  memcpy(copy, text, length);
  copy[length] = 0;
  char *end = copy;
  *number = strtod(copy, &end);
  return *end == 0;
}

static void key(sqlite3_context *c, int count, sqlite3_value **values) {
  (void)count;
  size_t length = 0;
  double number = 0;
  // Asked for before the text, which may change it.
  int type = lib.value_type(values[0]);
  switch (type) {
    case SQLITE_NULL: return lib.result_null(c);
    case SQLITE_INTEGER:
    case SQLITE_FLOAT: return lib.result_double(c, rounded(lib.value_double(values[0])));
    default: break;
  }
  const char *text = sv_value_text(values[0], &length);
  if (type == SQLITE_BLOB && length > 0) {
    if (text[0] != SV_JSON) return lib.result_text64(c, text, length, SQLITE_TRANSIENT, SQLITE_UTF8);
    text++, length--;
  }
  if (number_of(text, length, &number)) return lib.result_double(c, rounded(number));
  lib.result_text64(c, text, length, SQLITE_TRANSIENT, SQLITE_UTF8);
}

int sv_add_key(sqlite3 *db) {
  return lib.create_function_v2(
      db, "sv_key", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, NULL, key, NULL, NULL, NULL);
}

// MARK: Dates

/// The connection whose functions for dates are SQLite's own, shared by those that stand for them.
typedef struct {
  sqlite3 *db;
  int uses;
} date_source;
typedef struct {
  date_source *source;
  const char *name;
  sqlite3_stmt *statement;
  int count;
} date_function;

#define MOST_DATE_ARGUMENTS 100

static bool has_digits(const char *text, const char *places) {
  for (; *places; places++) {
    if (text[*places - 'a'] < '0' || text[*places - 'a'] > '9') return false;
  }
  return true;
}

/// Spells a moment as SQLite reads it, with T and a colon in its offset; false where the text needs no other spelling.
/// The copy has room for two bytes more than the text.
static bool respell(const char *text, size_t length, char *copy) {
  if (length < 20 || length > 64 || !has_digits(text, "abcdfgij") || text[4] != '-' || text[7] != '-') return false;
  if (text[10] != 'T' && text[10] != 't' && text[10] != ' ') return false;
  const char *end = text + length;
  bool is_close = (end[-5] == '+' || end[-5] == '-') && has_digits(end - 4, "abcd") && length >= 21;
  if (text[10] != 't' && !is_close) return false;
  memcpy(copy, text, length);
  copy[length] = 0;
  if (copy[10] == 't') copy[10] = 'T';
  if (is_close) {
    memmove(copy + length - 1, copy + length - 2, 3);
    copy[length - 2] = ':';
  }
  return true;
}

/// The statement that calls the function with this number of arguments; NULL where it fails.
static sqlite3_stmt *date_call(date_function *function, int count) {
  if (function->statement && function->count == count) return function->statement;
  date_source *source = function->source;
  if (!source->db) source->db = sv_open(":memory:");
  if (!source->db) return NULL;
  char marks[2 * MOST_DATE_ARGUMENTS + 1] = "";
  for (int i = 0; i < count; i++) strcat(marks, i ? ",?" : "?");
  char text[sizeof marks + 40];
  snprintf(text, sizeof text, "SELECT %s(%s)", function->name, marks);
  lib.finalize(function->statement);
  function->statement = sv_prepare(source->db, text, NULL);
  function->count = count;
  return function->statement;
}

static void call_date(sqlite3_context *c, int count, sqlite3_value **values) {
  date_function *function = lib.user_data(c);
  sqlite3_stmt *s = count > MOST_DATE_ARGUMENTS ? NULL : date_call(function, count);
  bool is_bound = s != NULL;
  for (int i = 0; i < count && is_bound; i++) {
    size_t length = 0;
    char copy[68];
    bool is_text = lib.value_type(values[i]) == SQLITE_TEXT;
    const char *text = is_text ? sv_value_text(values[i], &length) : NULL;
    bool is_other = text && respell(text, length, copy);
    int code = is_other ? sv_bind_text(s, i + 1, copy, strlen(copy)) : lib.bind_value(s, i + 1, values[i]);
    is_bound = code == SQLITE_OK;
  }
  if (is_bound && lib.step(s) == SQLITE_ROW) {
    lib.result_value(c, lib.column_value(s, 0));
  } else {
    bool is_called = count <= MOST_DATE_ARGUMENTS && function->source->db;
    lib.result_error(c, is_called ? lib.errmsg(function->source->db) : "a date cannot be computed", -1);
  }
  if (s) lib.reset(s);
}

static void end_date(void *context) {
  date_function *function = context;
  lib.finalize(function->statement);
  if (--function->source->uses == 0) {
    lib.close_v2(function->source->db);
    free(function->source);
  }
  free(function);
}

int sv_add_dates(sqlite3 *db) {
  static const char *const names[] = {"date", "time", "datetime", "julianday", "unixepoch", "strftime", "timediff"};
  date_source *source = calloc(1, sizeof *source);
  if (!source) return SQLITE_NOMEM;
  int code = SQLITE_OK;
  // Held until all are added.
  source->uses = 1;
  for (size_t i = 0; i < sizeof names / sizeof *names && code == SQLITE_OK; i++) {
    date_function *function = calloc(1, sizeof *function);
    if (!function) {
      code = SQLITE_NOMEM;
      break;
    }
    *function = (date_function){source, names[i], NULL, 0};
    source->uses++;
    // It ends the function where it fails, too.
    code = lib.create_function_v2(
        db, names[i], -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS, function, call_date, NULL, NULL, end_date);
  }
  if (--source->uses == 0) free(source);
  return code;
}
