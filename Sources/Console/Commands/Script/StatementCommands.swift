import CommandLanguage
import ConsoleSystem

extension Command {
  /// The statements of the script language as rows for help, completion and the reference. The script parser handles
  /// them before commands are looked up.
  static let statements: [Command] = [
    statement(
      .capture, "Store the result of a command in a variable and print nothing",
      [.one(.variable), .word("="), .one(.line)],
      ["The whole list is stored, unless --limit or --page is given."],
      [Example(line: "capture open = count todolist completed=false", says: "a number, as $open")]),
    statement(
      .for, "Run commands for each record of a list, or for each value",
      [.one(.variable), .word("in"), .one(.group)],
      [
        "for row in (list todolist completed=true)", "  update todolist $row.id order=0", "end",
        "for name in ana bo $others runs once for each value; a list counts as its elements.",
        "The whole list is read first; nothing runs if it is incomplete.",
        "break ends the loop, continue starts the next iteration; each must be on its own line.",
      ], alternatives: [[.one(.variable), .word("in"), .some(.free("VALUE"))]]),
    statement(
      .if, "Run commands if a condition holds", [.one(.condition)],
      [
        "if count todolist > 10", "  list todolist", "else if $force = yes or (list todolist user=ana)",
        "  count todolist",
        "else", "  exit 1", "end",
        "help conditions shows what can be tested.",
      ]),
    statement(
      .try, "Continue after a failure", [],
      [
        "try", "  get 99", "else", "  if error notFound", "    create title=new", "  end", "end",
        "$error describes the failure.",
      ]),
    statement(
      .retry, "Run commands again until none of them fails", [.one(.number)],
      [
        "retry 20 every 3", "  get todolist 3", "  expect $last.completed = true", "end",
        "Without every, it waits 1, 2, 4, ... seconds, or as long as the server asks for. A write with an unknown outcome is not repeated.",
      ], alternatives: [[.one(.number), .word("every"), .one(.free("SECONDS"))]]),
    statement(
      .expect, "Fail if a condition is false", [.one(.condition)],
      [
        "expect error and expect status handle the failure of the previous command.",
        "--report tap or --report junit reports each expect to a test harness; as \"NAME\" at the end gives it a name.",
      ],
      [
        Example(line: "expect count intranet >= 3", says: "at least three announcements"),
        Example(line: "expect same (list --sort id) (list --sort id --all)", says: "two lists of the same records"),
      ]),
    statement(
      .assume, "Say what the next statement returns in a preview", [.one(.free("VALUE"))],
      [
        "assume '2026-12-01'", "set @since today - 30d",
        "A preview (--dry-run, or plan source FILE) does not run a shell command, an action or a job, and does not know the time: it takes",
        "the value for the result of the command, capture or set on the next line. A run ignores assume.",
      ]),
    statement(
      .onError, "Choose what a script does after a command fails", [.one(.oneOf(["stop", "continue"]))], [],
      [Example(line: "on-error continue", says: "the following commands run anyway")]),
    statement(
      .exit, "End the run with an exit status", [.optional(.number)],
      ["Without a number, the status reflects what happened: see help exit."],
      [Example(line: "exit 0", says: "ends the run and reports success")]),
    statement(
      .include, "Include the statements of another file in the script's folder", [.one(.file(.read))], [],
      [Example(line: "include nightly.sb", says: "its statements, as if they were written here")]),
  ]

  private static func statement(
    _ keyword: StatementKeyword, _ summary: String, _ arguments: [Argument], _ details: [String],
    _ examples: [Example] = [], alternatives: [[Argument]] = []
  ) -> Command {
    let name = keyword.rawValue
    // The command within a statement has its own effects.
    return Command(
      name, .script, summary, arguments: arguments, alternatives: alternatives, effects: [], details: details,
      examples: examples
    ) { _, _ in
      if keyword == .include {
        throw UsageError(
          "include works only in scripts that are read whole before they run", hint: "source FILE runs a file")
      }
      throw UsageError("\(name) must be on its own line, in a script or at the prompt", hint: "help \(name)")
    }
  }
}
