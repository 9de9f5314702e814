import ConsoleSupport
import Foundation
import TerminalSupport
import TestSupport
import Testing

/// Tab at the console's own prompt, in a folder whose file has a name that somebody else has chosen.
@Suite("File names that the prompt completes") struct FileNamePromptTests {
  struct Command: Sendable, CustomTestStringConvertible {
    /// The line up to the name.
    var line: String
    /// The contents of the file before and after.
    var before: String
    var after: String
    /// The text shown in the end.
    var shown: String?
    var testDescription: String { line }
  }

  static let commands = [
    Command(line: "source ", before: "show output\n", after: "show output\n", shown: "auto"),
    Command(line: "get -o id --from ", before: "3\n", after: "3\n", shown: "3"),
    Command(line: "count --to ", before: "old\n", after: "6\n"),
    Command(line: "count --append ", before: "old\n", after: "old\n6\n"),
  ]

  @Test("the line names exactly that file", arguments: commands, ["", "\"", "'"])
  func names(command: Command, quote: String) async throws {
    let home = try ConsoleRun.Home()
    try await blocking {
      let folder = try OneFileFolder(home.folder.path + "/work")
      let terminal = try ConsoleTerminal.start(in: home, columns: 200, directory: folder.path)
      let row = 100 + Int(command.line.utf8.count) * 4 + Int(quote.utf8.first ?? 0)
      for name in ShellCompletionNamesTests.known + HostileNames.names(20, row: row) {
        let place =
          "seed \(HostileNames.seed), \(String(decoding: name, as: UTF8.self).debugDescription), quote \(quote)"
        try folder.hold(name, command.before)
        if String(validating: name, as: UTF8.self) == nil {
          // It cannot be written in a line, and with other characters it would be another file's.
          terminal.send("\(command.line)\(quote)\tX")
          try terminal.wait("no name; \(place)") { $0.cursorLine.hasSuffix("> \(command.line)\(quote)X") }
          terminal.send(Key.interrupt)
          try terminal.expectPrompt()
          #expect(folder.text == command.before, "\(place)")
        } else {
          let rows = try terminal.run("\(command.line)\(quote)\t")
          if let shown = command.shown { #expect(rows.last == shown, "\(place)") }
          #expect(folder.text == command.after, "\(rows); \(place)")
        }
        #expect(folder.names == [name], "\(place)")
      }
    }
  }
}
