#ifndef SWITCHBOARD_CSQLITE_H
#define SWITCHBOARD_CSQLITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "CSQLTables.h"

/// An open database file. One thread at a time may use it and its statements.
typedef struct sq_database sq_database;
/// A prepared statement of a database.
typedef struct sq_statement sq_statement;

/// What functions return that is no failure, and the two failures that are told apart.
#define SQ_OK 0
#define SQ_BUSY 5
#define SQ_ROW 100
#define SQ_DONE 101

/// The library, opened; NULL where it is not on this machine.
void *sq_library(void);

/// Opens a file that is there for reading and writing; an empty one is a database, too. No part of the path may be a link.
/// Returns a code of SQLite's; -1 where the library is not on this machine. `database` is set where there is something to close.
int sq_open(const char *path, int busy_milliseconds, sq_database **database);
void sq_close(sq_database *database);

/// Runs statements that return nothing.
int sq_run(sq_database *database, const char *sql);
/// What SQLite says of the last failure.
const char *sq_message(sq_database *database);
/// The number of the row that was added last.
int64_t sq_last_number(sq_database *database);

/// Prepares a statement; NULL where that fails.
sq_statement *sq_prepare(sq_database *database, const char *sql);
void sq_finish(sq_statement *statement);
/// Parameters are counted from 1. The text is copied.
int sq_bind_text(sq_statement *statement, int place, const char *text, size_t length);
int sq_bind_number(sq_statement *statement, int place, int64_t number);
int sq_bind_real(sq_statement *statement, int place, double number);
/// SQ_ROW, SQ_DONE, or a failure.
int sq_step(sq_statement *statement);
/// Makes the statement ready to be run again, without values.
void sq_reset(sq_statement *statement);
/// Columns are counted from 0.
bool sq_is_null(sq_statement *statement, int column);
int64_t sq_number(sq_statement *statement, int column);
/// The text of a column, good until the next step; `length` is set to its bytes.
const char *sq_text(sq_statement *statement, int column, size_t *length);

#endif
