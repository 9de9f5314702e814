import ConsoleSupport
import Foundation
import Testing

/// Conditions that hold for every run, whatever was done to it.
enum Attack {
  /// The password of the user's own backend; it may reach that backend and nothing else.
  static let secret = "corréct/horse+battery"

  /// The statuses that a run may end with: none of them is a trap's.
  static let statuses: Set<Int> = [0, 1, 2, 3, 4, 5, 6, 130, 141]

  /// Runs lines of a script on standard input, one after the other, whatever fails.
  static func run(
    _ lines: [String], _ options: [String], in home: ConsoleRun.Home, directory: String? = nil
  ) async throws -> ConsoleRun {
    let run = try await ConsoleRun.run(
      options + (lines.isEmpty ? [] : ["--stream", "--on-error", "continue"]),
      input: lines.joined(separator: "\n") + "\n", in: home,
      variables: ["SWITCHBOARD_PASSWORD": secret], directory: directory)
    #expect(statuses.contains(run.status), "status \(run.status): \(run.errors.suffix(2000))")
    checkText(run.output)
    checkText(run.errors)
    #expect(!run.output.contains(secret) && !run.errors.contains(secret))
    for folder in [directory, home.folder.path].compactMap({ $0 }) {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder)
      #expect(!names.contains("PWNED"), "a word was run as a command")
    }
    return run
  }

  /// Nothing that a terminal obeys, that turns the direction of writing, or that cannot be seen.
  static func checkText(_ text: String, sourceLocation: SourceLocation = #_sourceLocation) {
    let bad = text.unicodeScalars.first { scalar in
      switch scalar.value {
      case 0x09, 0x0A: false
      case ..<0x20, 0x7F...0x9F, 0x200B, 0x202A...0x202E, 0x2028, 0x2029, 0x2066...0x2069: true
      default: false
      }
    }
    if let bad {
      let place = text.unicodeScalars.firstIndex(of: bad) ?? text.startIndex
      Issue.record(
        "U+\(String(bad.value, radix: 16)) reaches a person: …\(text[..<place].suffix(200).debugDescription)",
        sourceLocation: sourceLocation)
    }
  }
}
