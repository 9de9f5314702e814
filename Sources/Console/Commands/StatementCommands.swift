extension Command {
  /// The statements of the script language, for help, completion and the reference. A script's parser takes them before
  /// anything looks for a command.
  static let statements: [Command] = [
    statement(
      .capture, "Store the result of a command in a variable and print nothing",
      [.one(.variable), .word("="), .one(.line)],
      ["A list is kept whole, unless --limit or --page says otherwise."],
      [Example(line: "capture open = count todolist completed=false", says: "a number, as $open")]),
    statement(
      .for, "Run commands for each record of a list", [.one(.variable), .word("in"), .one(.group)],
      [
        "for row in (list todolist completed=true)", "  update todolist $row.id order=0", "end",
        "The whole list is read before the first record is used; an incomplete list is not used.",
      ]),
    statement(
      .if, "Run commands if a condition holds", [.one(.condition)],
      [
        "if count todolist > 10", "  list todolist", "else", "  exit 1", "end",
        "help conditions shows what can be asked.",
      ]),
    statement(
      .try, "Continue after a failure", [],
      [
        "try", "  get 99", "else", "  if error notFound", "    create title=new", "  end", "end",
        "$error tells what failed.",
      ]),
    statement(
      .expect, "Fail if a condition does not hold", [.one(.condition)],
      [
        "An expectation of an error or a status takes the failure of the command before it.",
        "--report tap or --report junit tells a test harness of each.",
      ],
      [
        Example(line: "expect count intranet >= 3", says: "at least three announcements"),
        Example(line: "expect same (list --sort id) (list --sort id --all)", says: "two lists of the same records"),
      ]),
    statement(
      .onError, "Choose what a script does after a command failed", [.one(.oneOf(["stop", "continue"]))], [],
      [Example(line: "on-error continue", says: "the commands after it are run all the same")]),
    statement(
      .exit, "End the run with an exit status", [.optional(.number)],
      ["Without a number the status tells what happened: help exit."],
      [Example(line: "exit 0", says: "ends the run and says that all is well")]),
    statement(
      .include, "Include the statements of another file in the script's folder", [.one(.file(.read))], [],
      [Example(line: "include nightly.sb", says: "its statements, as if they stood here")]),
  ]

  private static func statement(
    _ keyword: StatementKeyword, _ summary: String, _ arguments: [Argument], _ details: [String],
    _ examples: [Example] = []
  ) -> Command {
    let name = keyword.rawValue
    // What a statement carries has effects of its own.
    return Command(
      name, .script, summary, arguments: arguments, effects: [], details: details, examples: examples
    ) { _, _ in
      if keyword == .include {
        throw UsageError(
          "include works only in scripts that are read whole before they run", hint: "source FILE runs a file")
      }
      throw UsageError("\(name) must be on its own line, in a script or at the prompt", hint: "help \(name)")
    }
  }
}
