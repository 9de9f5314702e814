import BackendKit

/// A place in a description.
public struct Place: Sendable, Hashable, CustomStringConvertible {
  /// The file as shown to people.
  public var file: String
  /// The line, from 1; nil if it is not in a file.
  public var line: Int?
  /// The column in characters, from 1.
  public var column: Int?
  /// The keys that lead to the place.
  public var path: [String]

  /// Creates a place.
  public init(file: String, line: Int? = nil, column: Int? = nil, path: [String] = []) {
    self.file = file
    self.line = line
    self.column = column
    self.path = path
  }

  /// The known parts of file, line and keys: `api.yaml:12: resources.todos.page`.
  public var description: String {
    let position = file + (line.map { ":\($0)" } ?? "")
    return path.isEmpty ? position : "\(position): \(path.joined(separator: "."))"
  }
}

extension Place {
  /// Returns the byte offset in a text; nil if the text has no such line.
  public func offset(in bytes: [UInt8]) -> Int? {
    guard let line, let column else { return nil }
    var start = bytes.startIndex
    for _ in 1..<max(line, 1) {
      guard let end = bytes[start...].firstIndex(of: 0x0A) else { return nil }
      start = end + 1
    }
    if line == 1, bytes.starts(with: JSONReader.byteOrderMark) { start += 3 }
    var characters = 1
    while start < bytes.endIndex, characters < column || bytes[start] & 0xC0 == 0x80 {
      start += 1
      if start < bytes.endIndex, bytes[start] & 0xC0 != 0x80 { characters += 1 }
    }
    return start
  }
}

/// A mistake in a description.
public struct Mistake: Error, Sendable, Hashable, CustomStringConvertible {
  /// The place of the mistake.
  public var place: Place
  /// The problem, as a clause without a full stop.
  public var message: String
  /// The remedy, as a clause.
  public var hint: String?

  /// Creates a mistake.
  public init(_ place: Place, _ message: String, hint: String? = nil) {
    self.place = place
    self.message = message
    self.hint = hint
  }

  /// A mistake about an unknown name.
  init(_ place: Place, _ message: String, for name: String, among known: [String], _ kind: String) {
    self.init(place, message, hint: Self.hint(for: name, among: known, kind))
  }

  /// Suggests the closest known name, or lists all.
  static func hint(for name: String?, among known: [String], _ kind: String) -> String {
    name.flatMap { SpellingSuggestion.suggestion(for: $0, among: known) }.map { "did you mean \($0)?" }
      ?? "\(kind): \(known.joined(separator: ", "))"
  }

  /// The place, the problem and the remedy, in one line.
  public var description: String { "\(place): \(message)" + (hint.map { "; \($0)" } ?? "") }
}

/// All mistakes in a description, file by file, in the order of the text.
public struct Mistakes: Error, Sendable, CustomStringConvertible {
  /// The maximum number of reported mistakes.
  public static let most = 20

  /// The mistakes to report.
  public let reported: [Mistake]
  /// The number of further mistakes.
  public let others: Int

  /// Sorts mistakes, each once.
  init(_ mistakes: [Mistake]) {
    let each = mistakes.unique
    var files: [String: Int] = [:]
    for mistake in each where files[mistake.place.file] == nil { files[mistake.place.file] = files.count }
    let keyed = each.enumerated().map { offset, mistake in
      (key: (files[mistake.place.file] ?? 0, mistake.place.line ?? 0, offset), mistake: mistake)
    }
    let ordered = keyed.sorted { $0.key < $1.key }.map(\.mistake)
    reported = Array(ordered.prefix(Self.most))
    others = ordered.count - reported.count
  }

  /// One line per mistake.
  public var description: String {
    reported.map(\.description).joined(separator: "\n") + (others > 0 ? "\n\(others) more mistakes" : "")
  }
}
