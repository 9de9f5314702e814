#ifndef SWITCHBOARD_CSQLTABLES_H
#define SWITCHBOARD_CSQLTABLES_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// The types are SQLite's own. Its functions are not linked: these call them in the library once it is open.

/// The memory that SQLite may take in this process, and the length of a value and of a row.
#define SV_HEAP_BYTES (512LL << 20)
#define SV_LENGTH_BYTES (64 << 20)
#define SV_STEPS 10000
/// The first byte of a stored value that is JSON, and of one that was not loaded.
#define SV_JSON 2
#define SV_UNLOADED 1

/// A table of a backend, and a place in it; what they hold is the caller's.
typedef struct {
  sqlite3_vtab base;
  void *table;
} sv_table;
typedef struct {
  sqlite3_vtab_cursor base;
  void *cursor;
} sv_cursor;

typedef int (*sv_authorizer)(void *context, int action, const char *, const char *, const char *, const char *);

/// Opens the library; false where it is not on this machine, or is too old. Temporary files go into the folder, if it is not NULL.
bool sv_load(const char *folder);

sqlite3 *sv_open(const char *path);
/// No text in double quotes, no extensions, no functions of a schema; lengths are limited.
void sv_restrict(sqlite3 *db);
void sv_close(sqlite3 *db);
int sv_run(sqlite3 *db, const char *sql);
const char *sv_message(sqlite3 *db);
int sv_code(sqlite3 *db);
/// The place of the last error in the text of a statement; -1 where it has none.
int sv_error_offset(sqlite3 *db);
/// Asks every `SV_STEPS` steps of SQLite's machine if it is to stop.
void sv_watch(sqlite3 *db, int (*is_stopped)(void *), void *context);
void sv_authorize(sqlite3 *db, sv_authorizer authorizer, void *context);

/// NULL where it fails, or where there is no statement. `used` is set to the length of the statement in the text.
sqlite3_stmt *sv_prepare(sqlite3 *db, const char *sql, size_t *used);
void sv_finish(sqlite3_stmt *s);
int sv_step(sqlite3_stmt *s);
void sv_reset(sqlite3_stmt *s);
int sv_parameter_count(sqlite3_stmt *s);
const char *sv_parameter_name(sqlite3_stmt *s, int place);
int sv_bind_null(sqlite3_stmt *s, int place);
int sv_bind_number(sqlite3_stmt *s, int place, int64_t number);
int sv_bind_real(sqlite3_stmt *s, int place, double number);
int sv_bind_text(sqlite3_stmt *s, int place, const char *text, size_t length);
int sv_bind_bytes(sqlite3_stmt *s, int place, const void *bytes, size_t length);
int sv_column_count(sqlite3_stmt *s);
const char *sv_column_name(sqlite3_stmt *s, int column);
const char *sv_column_database(sqlite3_stmt *s, int column);
const char *sv_column_table(sqlite3_stmt *s, int column);
const char *sv_column_origin(sqlite3_stmt *s, int column);
int sv_column_type(sqlite3_stmt *s, int column);
int64_t sv_column_number(sqlite3_stmt *s, int column);
double sv_column_real(sqlite3_stmt *s, int column);
const char *sv_column_text(sqlite3_stmt *s, int column, size_t *length);
const void *sv_column_bytes(sqlite3_stmt *s, int column, size_t *length);

int sv_create_module(sqlite3 *db, const char *name, const sqlite3_module *module, void *context);
int sv_declare(sqlite3 *db, const char *sql);
/// Sets what a failed method of a table says.
void sv_fail(sqlite3_vtab *table, const char *message);
const char *sv_collation(sqlite3_index_info *info, int constraint);
int sv_distinct(sqlite3_index_info *info);
/// Whether a constraint is IN; `takes` asks for all its values at once.
bool sv_take_all(sqlite3_index_info *info, int constraint, bool takes);
/// The value of a constraint where it is written in the statement.
sqlite3_value *sv_constant(sqlite3_index_info *info, int constraint);
/// The values of IN one after the other; NULL behind the last.
sqlite3_value *sv_first(sqlite3_value *list);
sqlite3_value *sv_next(sqlite3_value *list);
/// Whether a column is only asked for to be handed to an update that does not change it.
bool sv_is_unchanged(sqlite3_context *c);
bool sv_is_unchanged_value(sqlite3_value *v);
/// What the statement says of conflicts.
int sv_conflict(sqlite3 *db);

int sv_value_type(sqlite3_value *v);
int64_t sv_value_number(sqlite3_value *v);
double sv_value_real(sqlite3_value *v);
const char *sv_value_text(sqlite3_value *v, size_t *length);
void sv_result_null(sqlite3_context *c);
void sv_result_number(sqlite3_context *c, int64_t number);
void sv_result_text(sqlite3_context *c, const char *text, size_t length);
void sv_result_error(sqlite3_context *c, const char *message);
/// Hands on a stored value; false where it was not loaded.
bool sv_result_stored(sqlite3_context *c, sqlite3_stmt *s, int column);

/// Adds the function `sv_key`: two values that SQL may take for equal, whatever the affinities of the comparison, have the same key.
int sv_add_key(sqlite3 *db);
/// Has the functions for dates read moments as lists do, too: with a small `t`, and an offset without a colon.
int sv_add_dates(sqlite3 *db);

#endif
