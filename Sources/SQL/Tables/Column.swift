import BackendKit

struct Column {
  enum Source {
    /// A field of the record.
    case field(FieldPath)
    /// The identifier, if no described field holds it.
    case identifier
    /// A part of the identifiers of the owners, by its place.
    case owner(Int)
    /// The whole record.
    case record
  }

  var name: String
  var source: Source
  /// The proved type of its values; `any` if unknown.
  var kind: FieldDescription.Kind
  /// True if the column is left out of `*`.
  var isHidden = false
  /// True if every record is known to have a value in the column.
  var isNeverNull = false
  /// True if the column holds the identifier.
  var isIdentifier = false
  /// A possible value of its field, if others may be impossible.
  var example: String?

  /// The path under which a service can be asked for it.
  var path: FieldPath? { if case .field(let path) = source { path } else { nil } }

  /// The declared type, which determines comparisons.
  var declaration: String {
    switch kind {
    case .text, .html, .date, .day: "TEXT"
    case .integer, .boolean: "INTEGER"
    case .number: "REAL"
    case .object, .list, .any: ""
    }
  }
}

struct Columns {
  private(set) var all: [Column] = []
  /// Fields without a column of their own.
  private(set) var omitted: [String] = []
  private var names = Set(["rowid", "_record", "_rowid_", "oid"].map { ExactText($0) })
  /// SQLite's own limit.
  private static let most = 2_000

  init(_ resource: SQLResource) {
    let description = resource.description
    let identifier = description.identifier
    for (place, name) in Owners(resource.owners).names.enumerated() {
      add(Column(name: name, source: .owner(place), kind: .text, isHidden: true, isNeverNull: true))
    }
    // Undescribed records have their identifier, and themselves.
    let isHeld = description.source != .sample && description.fields.contains { $0.name == identifier.field }
    let isOwn = !isHeld && identifier.form != .none && identifier.namesRecords
    if isOwn {
      let kind: FieldDescription.Kind =
        identifier.form == .integer && !identifier.likely.contains(.type) ? .integer : .text
      add(
        Column(
          name: identifier.field ?? "_id", source: .identifier, kind: kind, isNeverNull: true,
          isIdentifier: true))
    }
    for field in description.fields where !isOwn || field.name != identifier.field { add(field, of: description) }
    for field in description.fields { addNested(field, in: field.name) }
    all.append(
      Column(
        name: Self.recordName, source: .record, kind: .object, isHidden: !description.fields.isEmpty, isNeverNull: true)
    )
  }

  static let recordName = "_record"

  /// The index of a column by name, as SQLite finds it.
  func place(of name: String) -> Int? {
    let name = name.asciiLowercased
    return all.firstIndex { $0.name.asciiLowercased.hasSameBytes(as: name) }
  }

  private mutating func add(_ field: FieldDescription, of resource: ResourceDescription) {
    guard !field.isSecret else { return }
    let proved = field.proved
    let isIdentifier = field.name == resource.identifier.field
    let isThere = !proved.isNullable && proved.isRequired
    add(
      Column(
        // A record proves nothing about the next one.
        name: field.name, source: .field(FieldPath(field.name)), kind: resource.source == .sample ? .any : proved.kind,
        isNeverNull: isThere || isIdentifier && resource.identifier.namesRecords, isIdentifier: isIdentifier,
        example: field.values.first?.text))
  }

  private mutating func addNested(_ field: FieldDescription, in path: String) {
    guard field.proved.kind == .object, !field.isSecret else { return }
    for inner in field.fields where !inner.isSecret {
      let name = path + "." + inner.name
      add(Column(name: name, source: .field(FieldPath(name)), kind: inner.proved.kind, isHidden: true))
      addNested(inner, in: name)
    }
  }

  private mutating func add(_ column: Column) {
    guard all.count < Self.most - 1, !column.name.isEmpty, !column.name.utf8.contains(0),
      names.insert(ExactText(column.name.asciiLowercased)).inserted
    else { return omitted.append(column.name) }
    all.append(column)
  }

  /// The declaration of the table for SQLite.
  var declaration: String {
    let columns = all.map { "\(SQLWords.inQuotes($0.name)) \($0.declaration)\($0.isHidden ? " HIDDEN" : "")" }
    return "CREATE TABLE t(\(columns.joined(separator: ", ")))"
  }
}

extension String {
  /// The text with ASCII letters in lowercase, as SQLite compares names.
  var asciiLowercased: String {
    String(decoding: utf8.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}

extension SQLWords {
  /// The columns of a resource's table, in order; with `all`, including hidden ones.
  package static func columns(of resource: SQLResource, all: Bool) -> [String] {
    Columns(resource).all.filter { all || !$0.isHidden }.map(\.name)
  }
}
