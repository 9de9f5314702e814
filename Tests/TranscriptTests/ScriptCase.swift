import ConsoleSupport
import Foundation
import Testing

/// One script of `Tests/Scripts` and what the console answers to it.
///
/// A file of cases begins with what it is about. A case begins with `=== NAME`; its sections with `--- args` (one a
/// line), `--- env` (NAME=VALUE), `--- file NAME` (beside the run), `--- in` (standard input), `--- out`, `--- err` and
/// `--- status`; those left out are empty, or 0. With `escaped` after its title a section has no line ends but `\n`, and
/// `\r`, `\t`, `\\` and `\xNN` stand for bytes.
struct ScriptCase: Sendable, CustomTestStringConvertible {
  /// A part of a case as it stands in its file.
  struct Section: Sendable {
    var title: String
    var body: String

    /// The bytes that it stands for.
    var bytes: [UInt8] { title.hasSuffix(" escaped") ? ScriptCase.unescaped(body) : Array(body.utf8) }
  }

  /// The result of a run, with the parts that differ from run to run masked.
  struct Answer: Equatable, CustomStringConvertible {
    var output: String
    var errors: String
    var status: Int

    // Two texts that look alike may be made of different bytes.
    static func == (left: Answer, right: Answer) -> Bool {
      left.status == right.status && left.output.utf8.elementsEqual(right.output.utf8)
        && left.errors.utf8.elementsEqual(right.errors.utf8)
    }

    var description: String { "output:\n\(output)errors:\n\(errors)status: \(status)\n" }
  }

  var file: String
  var name: String
  var sections: [Section] = []

  var testDescription: String { "\(file): \(name)" }

  /// The console's answer according to the file.
  var expected: Answer {
    Answer(output: text("out"), errors: text("err"), status: Int(text("status").dropLast()) ?? 0)
  }

  /// Runs the script in a home of its own.
  func run() async throws -> Answer {
    let home = try ConsoleRun.Home()
    let folder = home.folder.appending(path: "work")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    for section in sections where section.title.hasPrefix("file ") {
      let name = section.title.split(separator: " ")[1]
      _ = try home.write(String(decoding: section.bytes, as: UTF8.self), to: "work/\(name)")
    }
    let pairs = lines("env").map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
    let arguments = lines("args")
    let own = ConsoleRun.root.appending(path: "config.json").path
    let config =
      arguments.contains("--config") ? [] : ["--config", onlyReads ? try await SharedDemo.shared.configuration() : own]
    let run = try await ConsoleRun.run(
      config + arguments, bytes: sections.first { $0.title.hasPrefix("in") }?.bytes ?? [], in: home,
      variables: Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], $0[1]) }), directory: folder.path)
    return Answer(
      output: Self.masked(run.output, home), errors: Self.masked(run.errors, home), status: run.status)
  }

  private func text(_ title: String) -> String {
    let section = sections.first { $0.title == title || $0.title == title + " escaped" }
    return String(decoding: section?.bytes ?? [], as: UTF8.self)
  }

  private func lines(_ title: String) -> [String] {
    text(title).split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
  }

  /// Ports, durations and folders differ from run to run.
  private static func masked(_ text: String, _ home: ConsoleRun.Home) -> String {
    text.replacing(/127\.0\.0\.1:[0-9]+/, with: "127.0.0.1:PORT").replacing(/[0-9]+ ms/, with: "N ms")
      .replacing(home.folder.path, with: "HOME")
      .replacing(/searched .*; found:/, with: "searched FOLDERS; found:")
  }
}

// MARK: - Files

extension ScriptCase {
  /// All cases of a file.
  static func cases(in file: URL) throws -> [ScriptCase] {
    var cases: [ScriptCase] = []
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
      .dropLast()
    {
      if line.hasPrefix("=== ") {
        cases.append(ScriptCase(file: file.deletingPathExtension().lastPathComponent, name: String(line.dropFirst(4))))
      } else if let last = cases.indices.last {
        if line.hasPrefix("--- ") {
          cases[last].sections.append(Section(title: String(line.dropFirst(4)), body: ""))
        } else if let section = cases[last].sections.indices.last {
          cases[last].sections[section].body += line + "\n"
        }
      }
    }
    return cases
  }

  /// The case as it stands in a file, with another answer.
  func text(with answer: Answer) -> String {
    let kept = sections.filter { section in !["out", "err", "status"].contains { section.title.hasPrefix($0) } }
    let answers = [("out", answer.output), ("err", answer.errors)].filter { !$0.1.isEmpty }.map { title, text in
      let isPlain =
        text.hasSuffix("\n") && !text.utf8.contains { ($0 < 0x20 && $0 != 0x09 && $0 != 0x0A) || $0 == 0x7F }
      let isMistaken = text.split(separator: "\n").contains { $0.hasPrefix("--- ") || $0.hasPrefix("=== ") }
      return isPlain && !isMistaken
        ? Section(title: title, body: text) : Section(title: title + " escaped", body: Self.escaped(text))
    }
    let status = answer.status == 0 ? [] : [Section(title: "status", body: "\(answer.status)\n")]
    return "=== \(name)\n" + (kept + answers + status).map { "--- \($0.title)\n\($0.body)" }.joined()
  }

  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.map { scalar in
      switch scalar {
      case "\\": #"\\"#
      case "\n": "\\n\n"
      case "\r": #"\r"#
      case "\0"..."\u{8}", "\u{B}"..."\u{1F}", "\u{7F}": "\\x" + String(scalar.value + 0x100, radix: 16).dropFirst()
      default: String(scalar)
      }
    }.joined() + "\n"
  }

  fileprivate static func unescaped(_ text: String) -> [UInt8] {
    var bytes: [UInt8] = []
    var rest = text.utf8.filter { $0 != 0x0A }[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "\\"), let kind = rest.popFirst() else {
        bytes.append(byte)
        continue
      }
      switch kind {
      case UInt8(ascii: "n"): bytes.append(0x0A)
      case UInt8(ascii: "r"): bytes.append(0x0D)
      case UInt8(ascii: "t"): bytes.append(0x09)
      case UInt8(ascii: "x"):
        bytes.append(UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) ?? 0x3F)
        rest = rest.dropFirst(2)
      default: bytes.append(kind)
      }
    }
    return bytes
  }
}
