extension HelpTopic {
  static let scripts = HelpTopic(
    "scripts", "files with commands",
    [
      .text(
        "switchboard -f FILE -- VALUE ... runs one; without -f it is read from standard input. It is first read to its end\nand checked: all mistakes are reported with their position before anything is sent."
      ),
      .table([
        ["set @name VALUE", "set a variable"], ["capture name = COMMAND", "store the result of a command"],
        ["for name in (COMMAND) ... end", "run commands for each record"],
        ["if CONDITION ... else ... end", "run commands if a condition holds"],
        ["try ... else ... end", "continue after a failure"], ["expect CONDITION", "fail if the condition is false"],
        ["on-error stop|continue", "what a failure does"], ["include FILE", "another file's statements"],
        ["break  continue", "end the loop, or skip to the next iteration"], ["exit [N]", "end with a status"],
        ["# ...", "a comment"],
      ]),
      .text(
        "A statement continues on the next line while a quote or a bracket is open, or after a backslash. --check only checks,\n--stream runs each line as it is read, --restricted forbids writes, files and shell commands."
      ),
    ],
    examples: [Command.Example(line: "set @title \"a title; with $ and 'quotes'\"", says: "a variable, as $title")])

  static let variables = HelpTopic(
    "variables", "values in commands",
    [
      .table([
        ["$name  ${name}", "a value set by set, capture or for"],
        ["$name.field  $name[0].field", "a part of it; ${name[\"a field\"]} for any name"],
        ["$name.count", "how many records or elements"], ["${name:-TEXT}", "TEXT if it is not set or null"],
        ["$1  $2", "the arguments of a script, after --"], ["$env.NAME", "an environment variable"],
        ["$last", "the last result: $last.id, $last[0].title, $last.count"],
        [
          "$error",
          "the last failure: $error.code, .message, .exit, .effect, .httpStatus, .id; null if there was none",
        ],
      ]),
      .text(
        "A value is inserted as a value: nothing in it is read as an option, an operator or another command; where a file name is\nexpected, it names the file. Commands, options and fields must be written out. FIELD=$name keeps the kind of a value,\nFIELD:={\"a\": $name} inserts JSON. $ is literal in single quotes and inside JSON strings; elsewhere write \\$. show @ lists\nthe variables, show @name shows one."
      ),
    ],
    examples: [Command.Example(line: "list title~\"${env.NO_SUCH:-door}\"", says: "the text if it is not set")])

  static let expressions = HelpTopic(
    "expressions", "computed values",
    [
      .text("Allowed in --map, --where, set, if, expect and FIELD:=(…)."),
      .table([
        ["qty + 1  - * / %", "exact arithmetic, with blanks around the operator; + joins text"],
        ["now  today  date(created)", "dates and times in UTC; date(text, 'Europe/Berlin') uses a zone"],
        ["now - 30d", "durations: 30s, 5m, 12h, 30d, 2w, 6mo, 1y; months clamp to the last day"],
        ["A ?? B", "B if A is null, missing or not set"],
        ["lower upper trim replace split length", "text: replace(title, 'old', 'new'), split(name, ' ', 0)"],
        ["matches(title, '^A')", "matches a regular expression"],
        ["round(price, 2)  number  text  not  first  day", "see docs/reference/language.md"],
      ]),
    ],
    examples: [
      Command.Example(
        line: "update todolist order:=(order + 10) --where \"user = ana\" --yes", says: "ten more in each")
    ])

  static let conditions = HelpTopic(
    "conditions", "what if and expect can test",
    [
      .table([
        ["VALUE = VALUE  != < <= > >=", "two values; text is read as a number if the other value is one"],
        ["lower($name) = VALUE", "either side may be an expression: help expressions"],
        ["VALUE ~ TEXT", "text contains TEXT, or a list contains it"],
        ["VALUE is KIND  is not KIND", "null, missing, text, number, boolean, list or object"],
        ["$name", "neither missing nor null, false, 0 or empty"],
        ["count > 2", "how many records the last result has"],
        ["count TARGET PREDICATE ... > 2", "the number of records; without an operator: at least one"],
        ["(COMMAND) > 2", "how many records a command returns"],
        ["status 404", "the status of the last response"],
        ["header NAME = VALUE", "a header field of the last response; on its own: whether it is present"],
        ["error  error CODE", "how the previous command failed; the codes are those of --errors json"],
        ["same (COMMAND) (COMMAND)", "two commands return the same records"], ["not CONDITION", "the opposite"],
        ["CONDITION and CONDITION  or", "both, one of them; and binds tighter than or"],
      ])
    ],
    examples: [Command.Example(line: "expect not count todolist title=nothing", says: "no such todo")])
}
