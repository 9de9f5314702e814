import BackendKit

/// A place in a description.
public struct Place: Sendable, Hashable, CustomStringConvertible {
  /// The file as people know it.
  public var file: String
  /// The line, from 1; nil where it stands in no file.
  public var line: Int?
  /// The column in characters, from 1.
  public var column: Int?
  /// The keys that lead to it.
  public var path: [String]

  /// A place.
  public init(file: String, line: Int? = nil, column: Int? = nil, path: [String] = []) {
    self.file = file
    self.line = line
    self.column = column
    self.path = path
  }

  /// The file, the line and the keys, as far as they are known: `api.yaml:12: resources.todos.page`.
  public var description: String {
    let position = file + (line.map { ":\($0)" } ?? "")
    return path.isEmpty ? position : "\(position): \(path.joined(separator: "."))"
  }
}

extension Place {
  /// The offset of the place in a text; nil if the text has no such line.
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

/// Something that is wrong with a description.
public struct Mistake: Error, Sendable, Hashable, CustomStringConvertible {
  /// The place of the mistake.
  public var place: Place
  /// The problem, as a clause without a full stop.
  public var message: String
  /// The right form, as a clause, or nil.
  public var hint: String?

  /// A mistake.
  public init(_ place: Place, _ message: String, hint: String? = nil) {
    self.place = place
    self.message = message
    self.hint = hint
  }

  /// A mistake about a name that is not known.
  init(_ place: Place, _ message: String, for name: String, among known: [String], _ kind: String) {
    self.init(place, message, hint: Self.hint(for: name, among: known, kind))
  }

  /// The known name that is closest, or else all of them.
  static func hint(for name: String?, among known: [String], _ kind: String) -> String {
    name.flatMap { SpellingSuggestion.suggestion(for: $0, among: known) }.map { "did you mean \($0)?" }
      ?? "\(kind): \(known.joined(separator: ", "))"
  }

  /// One line: the place, what is wrong, what would be right.
  public var description: String { "\(place): \(message)" + (hint.map { "; \($0)" } ?? "") }
}

/// All that is wrong with a description, file by file, in the order in which it stands there.
public struct Mistakes: Error, Sendable, CustomStringConvertible {
  /// At most so many are reported.
  public static let most = 20

  /// The mistakes that are reported.
  public let reported: [Mistake]
  /// The number of further mistakes.
  public let others: Int

  /// The mistakes of a list, each once.
  init(_ mistakes: [Mistake]) {
    var seen: Set<Mistake> = []
    let each = mistakes.filter { seen.insert($0).inserted }
    var files: [String: Int] = [:]
    for mistake in each where files[mistake.place.file] == nil { files[mistake.place.file] = files.count }
    let keyed = each.enumerated().map { offset, mistake in
      (key: (files[mistake.place.file] ?? 0, mistake.place.line ?? 0, offset), mistake: mistake)
    }
    let ordered = keyed.sorted { $0.key < $1.key }.map(\.mistake)
    reported = Array(ordered.prefix(Self.most))
    others = ordered.count - reported.count
  }

  /// A line for each.
  public var description: String {
    reported.map(\.description).joined(separator: "\n") + (others > 0 ? "\n\(others) more mistakes" : "")
  }
}
