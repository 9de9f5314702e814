import CommandLanguage
import ConsoleSystem

/// A page of help that belongs to no single command.
struct HelpTopic: Sendable {
  let name: String
  let summary: String
  /// Paragraphs, and tables of two columns.
  let parts: [Part]
  let examples: [Command.Example]

  enum Part: Sendable {
    case text(String)
    case table([[String]])
  }

  init(_ name: String, _ summary: String, _ parts: [Part], examples: [Command.Example] = []) {
    self.name = name
    self.summary = summary
    self.parts = parts
    self.examples = examples
  }

  static let all: [HelpTopic] = [
    .targets, .predicates, .assignments, .bulk, .transfer, .formats, .output, .scripts, .variables, .expressions,
    .conditions, .mcp, .settings,
    .prompt,
    .psql,
    .exit,
  ]

  static let targets = HelpTopic(
    "targets", "what a command works on",
    [
      .table([
        ["BACKEND", "its default resource"], ["BACKEND/RESOURCE", "one of its resources"],
        ["RESOURCE", "a resource of the current backend"],
        ["RESOURCE/ID/RESOURCE", "a resource within a record, at any depth, also after BACKEND/"],
        ["PLUGIN:ADDRESS", "a server that is not in the configuration"],
      ]),
      .text(
        "The first word after a command is the target if it has one of these forms. Without it, the command works on the current target,\nwhich use sets. Write -- before an ID that looks like a target."
      ),
      .text(
        "An identifier of several parts, as the description defines it, has slashes between them: repos/octo/hello/issues. Write any other\nslash in an identifier as %2F, or quote the identifier: images/\"team/app\"/tags."
      ),
    ],
    examples: [
      Command.Example(line: "list placeholder/users/1/todos --per-page 2", says: "a resource within a record"),
      Command.Example(line: "get -- 3", says: "3 is an identifier, even if it also names something else"),
    ])

  static let predicates = HelpTopic(
    "predicates", "which records a list shows",
    [
      .text("A predicate is one word, without spaces. If there are several, all must match."),
      .table([
        ["FIELD=VALUE  FIELD!=VALUE", "equal, and its exact opposite"],
        ["FIELD<VALUE  <=  >  >=", "before, after: numbers by value, text by code point"],
        ["FIELD~TEXT", "the text contains it"], ["a.b=VALUE", "a field of an object"],
      ]),
      .text("--where takes an expression, with spaces around its operators:"),
      .table([
        ["and  or  not  ( )", "combine conditions"], ["FIELD in (A, B)", "one of several values"],
        ["FIELD is null", "the field is null; is not null is the opposite"],
        ["FIELD is missing", "the field is absent"],
      ]),
      .text(
        "They mean the same on every backend. The console does locally what a server does not support; the output shows how many records\nwere read for that, and explain shows it beforehand."
      ),
    ],
    examples: [
      Command.Example(line: "list title~room", says: "titles that contain room"),
      Command.Example(
        line: "list placeholder/todos --where \"completed = true and userId in (1, 2)\" --per-page 3",
        says: "the completed todos of two users"),
      Command.Example(line: "count --where \"not (id >= 3)\"", says: "the first two"),
    ])

  static let assignments = HelpTopic(
    "assignments", "how fields are given to create and update",
    [
      .table([
        ["FIELD=TEXT", "text; a number or boolean if the field has that type"],
        ["FIELD:=JSON", "a value: text in quotes, number, true, false, null, list, object"],
        ["FIELD=@FILE", "the text of a file"], ["FIELD:=@FILE", "the JSON of a file"],
        ["--unset FIELD", "clears the field (update)"],
      ]),
      .text(
        "Text in '…' is literal; \"…\" has the escapes \\n, \\t, \\\", \\\\ and \\u{1F600}. Write \\@ for a leading @."
      ),
    ],
    examples: [Command.Example(line: "create todolist title=\"Buy milk\" order:=3", says: "text and a number")])

  static let formats = HelpTopic(
    "formats", "how results look",
    [
      .table([
        ["table", "columns, for people"], ["expanded", "one line per field, for people"], ["json", "one document"],
        ["ndjson", "one record per line"], ["yaml", "one document"],
        ["csv", "with a header, quoted as RFC 4180 says"], ["tsv", "with a header"],
        ["id", "identifiers only"],
      ]),
      .text(
        "-o FORMAT sets the format of one command, set output FORMAT of all. again FORMAT shows the last result in another format, without\na request."
      ),
    ],
    examples: [
      Command.Example(line: "list -o csv --fields id,title", says: "two columns as CSV"),
      Command.Example(line: "get 3 -o json", says: "one record as an object"),
    ])

  static let output = HelpTopic(
    "output", "where results go",
    [
      .table([
        ["--to FILE", "write to FILE, which is replaced only once the result is complete"],
        ["--append FILE", "append to FILE"], ["COMMAND | SHELL COMMAND", "pipe into a shell command"],
        ["!SHELL COMMAND", "run a shell command"], ["tee FILE", "also write all further results to FILE"],
      ]),
      .text(
        "Without -o, the suffix of the file name sets the format: .csv, .tsv, .json, .ndjson or .yaml. Suffixes of other formats, such as\n.xlsx, are refused."
      ),
      .text("A script may use the shell only if the console was started with --allow-shell."),
    ],
    examples: [Command.Example(line: "list -o id --to /dev/null", says: "discard the output")])

  static let settings = HelpTopic(
    "settings", "what set changes",
    [
      .table(
        Settings.allRows.map { ["\($0.name) \($0.value.name)", $0.help] } + [
          ["BACKEND.OPTION VALUE", "an option of a plugin"]
        ]),
      .text(
        "They apply to this session. To set them at each start, use \"settings\" in the configuration, or the file init next to it."
      ),
    ], examples: [Command.Example(line: "set perPage 5", says: "five records per page")])

  static let prompt = HelpTopic(
    "prompt", "what the prompt can contain",
    [.table(Prompt.places.map { ["%\($0.place)", $0.meaning] })],
    examples: [Command.Example(line: "set prompt \"%b%m> \"", says: "only the backend and its mark")])

  static let psql = HelpTopic(
    "psql", "psql commands that work at a terminal",
    [.table(Aliases.rows.map { ["\\\($0.name)", $0.meaning] } + [["\\e", "edit the line in $VISUAL or $EDITOR"]])])

  static let exit = HelpTopic(
    "exit", "what the exit status means",
    [
      .table(ExitStatus.allCases.map { [String($0.rawValue), $0.meaning] }),
      .text(
        "If several commands fail with --on-error continue, the status is the first of 6, 5, 4, 1 that applies. A usage error after\nsomething was sent gives 1, and so does a write that was done but whose record could not be read back.\nA write that the server accepted but did not store gives 0 and a warning, or 1 with --strict.\nAn interrupted write gives 130, 143 or 129; its message says that the outcome is unknown. A SIGTERM after another one or a\nSIGHUP, or a signal while no command is running, ends the process immediately.\nexit N in a script ends it with status N, from 0 to 255."
      ),
    ])
}

extension Aliases.Row {
  fileprivate var meaning: String {
    let command = command.last == "$" ? String(command.dropLast()) : command
    return command + (self.command.last == "$" ? (alone?.hasSuffix("TOGGLE") == true ? "on|off" : "…") : "")
  }
}

extension ExitStatus {
  var meaning: String {
    switch self {
    case .success: "success"
    case .failure: "a command failed"
    case .usage: "usage error; nothing was sent"
    case .configuration: "configuration or plugin"
    case .unreachable: "the backend cannot be reached or is unavailable (429, 502, 503, 504): try again later"
    case .partial: "a list or a bulk command was cut short"
    case .unknownOutcome: "the outcome of a write is unknown"
    case .hungUp: "the terminal was closed (SIGHUP)"
    case .interrupted: "interrupted (SIGINT)"
    case .brokenPipe: "output pipe closed (SIGPIPE)"
    case .terminated: "terminated (SIGTERM)"
    }
  }
}
