"""Datasette over a SQLite file with two tables. datasette_server.py PORT FOLDER"""
import os, sqlite3, sys

file = sys.argv[2] + "/desk.db"
base = sqlite3.connect(file)
base.execute("create table items(id integer primary key, name text, n integer, state text, note text)")
base.executemany("insert into items values(?,?,?,?,?)", [
    (i, f"item {i:02}", i * 7 % 31, ["open", "held", "done"][i % 3], None if i % 4 else f"note {i}") for i in range(1, 246)])
base.execute("create table pairs(a text, b text, n integer, primary key(a, b))")
base.executemany("insert into pairs values(?,?,?)", [(f"a{i % 3}", f"b/{i}", i) for i in range(1, 10)])
base.commit()
base.close()
os.execv(os.path.dirname(sys.executable) + "/datasette", ["datasette", file, "-p", sys.argv[1], "-h", "127.0.0.1"])
