extension HelpTopic {
  static let scripts = HelpTopic(
    "scripts", "files of commands",
    [
      .text(
        "switchboard -f FILE -- VALUE ... runs one; without -f it is read from standard input. It is read to its end first\nand checked: all mistakes are reported with their position, and nothing was sent."
      ),
      .table([
        ["set @name VALUE", "set a variable"], ["capture name = COMMAND", "store the result of a command"],
        ["for name in (COMMAND) ... end", "run commands for each record"],
        ["if CONDITION ... else ... end", "run commands if a condition holds"],
        ["try ... else ... end", "continue after a failure"], ["expect CONDITION", "fail if it does not hold"],
        ["on-error stop|continue", "what a failure does"], ["include FILE", "another file's statements"],
        ["break  continue", "end a for, or this turn of it"], ["exit [N]", "end with a status"],
        ["# ...", "a comment"],
      ]),
      .text(
        "A line goes on where a quote or a bracket is open, or after a backslash. --check only checks, --stream runs each line\nas it comes, --restricted keeps a script from writing and from files."
      ),
    ],
    examples: [Command.Example(line: "set @title \"a title; with $ and 'quotes'\"", says: "a variable, as $title")])

  static let variables = HelpTopic(
    "variables", "values in commands",
    [
      .table([
        ["$name  ${name}", "what set, capture or for has set"],
        ["$name.field  $name[0].field", "a part of it; ${name[\"a field\"]} for any name"],
        ["$name.count", "how many records or elements"], ["${name:-TEXT}", "TEXT where it is not set or null"],
        ["$1  $2", "the arguments of a script, after --"], ["$env.NAME", "a variable of the environment"],
        ["$last", "the last result: $last.id, $last[0].title, $last.count"],
        [
          "$error",
          "the last failure: $error.code, .message, .exit, .effect, .httpStatus, .id; null if there was none",
        ],
      ]),
      .text(
        "A value is inserted as a value: nothing in it is an option, an operator, a file's name or another command. Commands,\noptions and fields are written out. FIELD=$name keeps the kind of a value, FIELD:={\"a\": $name} inserts JSON. $ is literal in\nsingle quotes and inside JSON strings; elsewhere write \\$. show @ lists the variables that\nwere set, show @name shows one."
      ),
    ],
    examples: [Command.Example(line: "list title~\"${env.NO_SUCH:-door}\"", says: "text where nothing is set")])

  static let expressions = HelpTopic(
    "expressions", "values that are computed",
    [
      .text("They stand in --map, --where, set, if, expect and FIELD:=(…)."),
      .table([
        ["qty + 1  - * / %", "numbers, exactly; + joins texts"],
        ["now  today  date(created)", "moments in UTC; date(text, 'Europe/Berlin') names a zone"],
        ["now - 30d", "spans: 30s, 5m, 12h, 30d, 2w, 6mo, 1y; months clamp"],
        ["A ?? B", "B if A is null, missing or not set"],
        ["lower upper trim replace split length", "text: replace(title, 'old', 'new'), split(name, ' ', 0)"],
        ["matches(title, '^A')", "a regular expression is found"],
        ["round(price, 2)  number  text  not  first  day", "see docs/reference/language.md"],
      ]),
    ],
    examples: [
      Command.Example(
        line: "update todolist order:=(order + 10) --where \"user = ana\" --yes", says: "ten more in each")
    ])

  static let conditions = HelpTopic(
    "conditions", "what if and expect ask",
    [
      .table([
        ["VALUE = VALUE  != < <= > >=", "two values; texts read as numbers where the other is one"],
        ["lower($name) = VALUE", "either side may be an expression: help expressions"],
        ["VALUE ~ TEXT", "text contains another, a list an element"],
        ["VALUE is KIND  is not KIND", "null, missing, text, number, boolean, list or object"],
        ["$name", "neither missing nor null, false, 0 or empty"],
        ["count > 2", "how many records the last result has"],
        ["count TARGET PREDICATE ... > 2", "how many records there are; more than none without an operator"],
        ["(COMMAND) > 2", "how many records a command returns"],
        ["status 404", "the status of the last response"],
        ["header NAME = VALUE", "a header field of the server's last answer; by itself: whether it is there"],
        ["error  error CODE", "how the command before it failed; the codes are those of --errors json"],
        ["same (COMMAND) (COMMAND)", "two commands return the same records"], ["not CONDITION", "the opposite"],
        ["CONDITION and CONDITION  or", "both, one of them; and binds tighter than or"],
      ])
    ],
    examples: [Command.Example(line: "expect not count todolist title=nothing", says: "no such todo")])
}
