extension HelpTopic {
  static let scripts = HelpTopic(
    "scripts", "files with commands",
    [
      .text(
        "switchboard -f FILE -- VALUE ... runs a script; without -f it comes from standard input. The whole script is checked first:\nall mistakes are reported with their position before anything is sent."
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
        "A statement continues on the next line while a quote or bracket is open, and after a backslash. --check only checks, --stream\nruns each line as it is read, and --restricted forbids writes, files and shell commands."
      ),
    ],
    examples: [Command.Example(line: "set @title \"a title; with $ and 'quotes'\"", says: "a variable, as $title")])

  static let variables = HelpTopic(
    "variables", "values in commands",
    [
      .table([
        ["$name  ${name}", "a value set by set, capture or for"],
        ["$name.field  $name[0].field", "a part of it; ${name[\"a field\"]} for any name"],
        ["$name.count", "the number of records or elements"], ["${name:-TEXT}", "TEXT if it is not set or null"],
        ["$1  $2", "the arguments of a script, after --"], ["$env.NAME", "an environment variable"],
        ["$last", "the last result: $last.id, $last[0].title, $last.count"],
        [
          "$error",
          "the last failure: $error.code, .message, .exit, .effect, .httpStatus, .id; null if there was none",
        ],
      ]),
      .text(
        "A value never becomes syntax: it cannot turn into an option, an operator or another command. It can be a file name, as in\n--to $name. Names of commands, options and fields cannot be variables. FIELD=$name keeps the type of a value; FIELD:={\"a\": $name}\ninserts JSON. $ is literal in single quotes and in JSON strings; elsewhere write \\$. show @ lists the variables, show @name\nshows one."
      ),
    ],
    examples: [Command.Example(line: "list title~\"${env.NO_SUCH:-door}\"", says: "the text if it is not set")])

  static let expressions = HelpTopic(
    "expressions", "computed values",
    [
      .text("Allowed in --map, --where, set, if, expect and FIELD:=(…)."),
      .table([
        ["qty + 1  - * / %", "exact arithmetic; spaces around the operator; + joins text"],
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
        ["VALUE = VALUE  != < <= > >=", "compare two values; text is read as a number if the other is a number"],
        ["lower($name) = VALUE", "either side may be an expression: help expressions"],
        ["VALUE ~ TEXT", "text contains TEXT, or a list contains it"],
        ["VALUE is KIND  is not KIND", "null, missing, text, number, boolean, list or object"],
        ["$name", "true unless it is missing, null, false, 0 or empty"],
        ["count > 2", "the number of records of the last result"],
        ["count TARGET PREDICATE ... > 2", "the number of records; without an operator: at least one"],
        ["(COMMAND) > 2", "the number of records that a command returns"],
        ["status 404", "the status of the last response"],
        ["header NAME = VALUE", "a header field of the last response; on its own: whether it is present"],
        ["error  error CODE", "the previous command failed, with this code; the codes are those of --errors json"],
        ["same (COMMAND) (COMMAND)", "two commands return the same records"], ["not CONDITION", "the opposite"],
        ["CONDITION and CONDITION  or", "and binds tighter than or"],
      ])
    ],
    examples: [Command.Example(line: "expect not count todolist title=nothing", says: "no such todo")])
}
