import BackendClient
import BackendKit

/// The rows of a file that is imported, one after the other.
struct RowInput {
  /// The forms in which rows can be given.
  enum Format: String, CaseIterable, Sendable {
    case csv, tsv, json, ndjson, yaml

    /// Whether every value is text, whose kind the description of the resource tells.
    var isText: Bool { self == .csv || self == .tsv }

    /// The form that the name of a file tells; nil where it tells none.
    init?(ofFileNamed path: String) {
      let name = path.lowercased()
      guard let dot = name.lastIndex(of: ".") else { return nil }
      switch name[name.index(after: dot)...] {
      case "csv": self = .csv
      case "tsv", "tab": self = .tsv
      case "json": self = .json
      case "ndjson", "jsonl": self = .ndjson
      case "yaml", "yml": self = .yaml
      default: return nil
      }
    }
  }

  /// A row: where it stands, and its fields. A cell of csv and tsv that holds nothing is null.
  struct Row {
    var place: String
    var fields: Object
  }

  let path: String
  let format: Format

  init(_ path: String, format name: String?) throws(UsageError) {
    self.path = path
    guard let name else {
      format = Format(ofFileNamed: path) ?? .ndjson
      return
    }
    guard let format = Format(rawValue: name) else {
      let known = Format.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageError("\"\(name)\" is not a format of import", hint: "write one of \(known)")
    }
    self.format = format
  }

  /// What messages call it.
  var name: String { path == "-" ? "stdin" : path }

  /// Hands on the rows in their order. Throws at the first that cannot be read, with its line.
  func read(_ session: Session, row: (Row) throws -> Void) throws {
    switch format {
    case .csv: try readSeparated(.csv, session, row)
    case .tsv: try readSeparated(.tsv, session, row)
    case .ndjson: try readLines(session, row)
    case .yaml: try readYAML(session, row)
    case .json:
      for record in try InputRecord.read(try session.read(path), as: .objects, from: name, identifier: "id") {
        try row(Row(place: record.description, fields: record.fields ?? Object()))
      }
    }
  }

  /// A list of maps, or one map; read whole.
  private func readYAML(_ session: Session, _ row: (Row) throws -> Void) throws {
    let document: YAMLDocument
    let bytes = try session.read(path)
    let reader = try session.context.surveyor()
    do throws(YAMLMistake) { document = try reader.document(ofYAML: bytes) } catch {
      throw UsageError("\(name)\(error.line.map { ":\($0)" } ?? ""): \(error.message)", hint: "nothing was sent")
    }
    for (index, value) in (document.value.array ?? [document.value]).enumerated() where document.value != .null {
      guard let fields = value.object else {
        throw UsageError("\(name): record \(index + 1) is not a map", hint: "nothing was sent")
      }
      try row(Row(place: "\(name): record \(index + 1)", fields: fields))
    }
  }

  private func readSeparated(
    _ form: SeparatedPrinter.Form, _ session: Session, _ row: (Row) throws -> Void
  ) throws {
    var reader = SeparatedReader(form, name: name)
    var names: [String]?
    var isFirst = true
    func take(_ line: SeparatedReader.Row) throws {
      guard let names else { return names = try header(line) }
      let place = "\(name):\(line.line)"
      guard line.cells.count == names.count else {
        throw UsageError(
          "\(place): the row has \(line.cells.count) cells and the header \(names.count)", hint: "nothing was sent")
      }
      let members = zip(names, line.cells).map { ($0, $1.map { Value.string($0) } ?? .null) }
      try row(Row(place: place, fields: Object(members)))
    }
    try session.stream(path) { piece in
      var piece = piece
      // A byte-order mark is not a part of the first name.
      if isFirst, piece.starts(with: [0xEF, 0xBB, 0xBF]) { piece = piece.dropFirst(3) }
      isFirst = false
      try reader.take(piece, row: take)
    }
    try reader.finish(row: take)
  }

  private func header(_ line: SeparatedReader.Row) throws(UsageError) -> [String] {
    var names: [String] = []
    for (place, cell) in line.cells.enumerated() {
      guard let name = cell, !name.isEmpty else {
        throw UsageError("\(name):\(line.line): column \(place + 1) has no name", hint: "nothing was sent")
      }
      guard !names.contains(where: { $0.utf8.elementsEqual(name.utf8) }) else {
        throw UsageError(
          "\(self.name):\(line.line): the column \"\(name)\" appears twice", hint: "nothing was sent")
      }
      names.append(name)
    }
    return names
  }

  /// An object a line, so that a file of any size is read in the space of one.
  private func readLines(_ session: Session, _ row: (Row) throws -> Void) throws {
    var line: [UInt8] = []
    var number = 1
    func take() throws {
      defer {
        line.removeAll(keepingCapacity: true)
        number += 1
      }
      guard line.contains(where: { $0 > 0x20 }) else { return }
      let place = "\(name):\(number)"
      let value: Value
      do { value = try JSONReader.read(line) } catch {
        throw UsageError(
          "\(place): the line is not a valid JSON object: \(error.words(in: line))", hint: "nothing was sent")
      }
      guard let fields = value.object else {
        throw UsageError(
          "\(place): the line is not a JSON object",
          hint: "--input json reads a list, --input csv a table; nothing was sent")
      }
      try row(Row(place: place, fields: fields))
    }
    try session.stream(path) { piece in
      var rest = piece
      while let end = rest.firstIndex(of: 0x0A) {
        line += rest[..<end]
        try take()
        rest = rest[(end + 1)...]
      }
      line += rest
      guard line.count <= FileContents.limit else {
        throw UsageError(
          "\(name):\(number): the line is longer than \(FileContents.limit >> 20) MiB", hint: "nothing was sent")
      }
    }
    try take()
  }
}
