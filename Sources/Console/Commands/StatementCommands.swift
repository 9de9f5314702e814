extension Command {
  /// The statements of the script language, for help, completion and the reference. A script's parser takes them before
  /// anything looks for a command.
  static let statements: [Command] = [
    statement(
      "capture", "Keep what a command comes to, and show nothing of it", "VARIABLE = LINE",
      ["A list is kept whole, unless --limit or --page says otherwise."],
      [Example(line: "capture open = count todolist completed=false", says: "a number, as $open")]),
    statement(
      "for", "Do something with each record of a list", "VARIABLE in (LINE)",
      [
        "for row in (list todolist completed=true)", "  update todolist $row.id order=0", "end",
        "The whole list is read before the first record is used; one that is cut short is used not at all.",
      ]),
    statement(
      "if", "Do something where a condition holds", "CONDITION",
      [
        "if count todolist > 10", "  list todolist", "else", "  exit 1", "end",
        "help conditions shows what can be asked.",
      ]),
    statement(
      "try", "Go on after a failure", "",
      [
        "try", "  get 99", "else", "  if error notFound", "    create title=new", "  end", "end",
        "$error tells what failed.",
      ]),
    statement(
      "expect", "End with a failure where a condition does not hold", "CONDITION",
      [
        "An expectation of an error or a status takes the failure of the command before it.",
        "--report tap or --report junit tells a test harness of each.",
      ],
      [
        Example(line: "expect count intranet >= 3", says: "at least three announcements"),
        Example(line: "expect same (list --sort id) (list --sort id --all)", says: "two lists of the same records"),
      ]),
    statement(
      "on-error", "Choose what a script does after a command failed", "stop|continue", [],
      [Example(line: "on-error continue", says: "the commands after it are run all the same")]),
    statement(
      "exit", "End the run with a status", "[N]", ["Without a number the status tells what happened: help exit."],
      [Example(line: "exit 0", says: "ends the run and says that all is well")]),
    statement(
      "include", "Take in the statements of another file, found beside the script", "FILE", [],
      [Example(line: "include nightly.sb", says: "its statements, as if they stood here")]),
  ]

  private static func statement(
    _ name: String, _ summary: String, _ arguments: String, _ details: [String], _ examples: [Example] = []
  ) -> Command {
    Command(name, summary, arguments: arguments, details: details, examples: examples) { _, _ in
      if name == "include" {
        throw UsageError("include is of scripts that are read to their end first", hint: "source FILE runs a file")
      }
      throw UsageError("\(name) stands in a line of its own, in a script or at the prompt", hint: "help \(name)")
    }
  }
}
