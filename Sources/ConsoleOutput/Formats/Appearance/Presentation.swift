package import BackendKit

/// The settings of a printer, besides the records.
package struct Presentation: Hashable, Sendable {
  /// The fields to show, in order; nil for all.
  package var columns: [FieldPath]?
  /// The known fields.
  package var fields: [FieldDescription] { didSet { learnKinds() } }
  /// Members with the records that fields refer to.
  package var related: [RelatedMember] = [] { didSet { learnKinds() } }
  private(set) var kinds: [String: FieldDescription.Kind]
  /// The fields that are files, by name.
  private(set) var files: [String: FileField] = [:]
  /// The width of the terminal in columns; nil without a terminal, where nothing is cut or wrapped.
  package var width: Int?
  /// True if the output is a terminal: raw formats then escape control characters.
  var isTerminal: Bool
  /// True if table, csv and tsv begin with the column names.
  var header: Bool
  /// True if the result is by nature a single record, printed as an object instead of a list.
  package var isSingle: Bool
  /// The fields whose moments a table at a terminal shows in local time.
  package var clocks: Set<String> = []
  package var theme = Theme.plain
  /// True if a table that does not fit is printed expanded; otherwise columns are hidden.
  package var isExpandable = true
  /// True if a table wraps long cells instead of cutting them.
  package var wraps = false
  /// True if HTML is shown as source.
  package var isRaw = false
  /// True if csv and tsv mark texts that a spreadsheet would run as formulas.
  package var isSpreadsheetSafe = false

  /// A presentation; by default, of a list without a terminal.
  package init(
    columns: [FieldPath]? = nil, fields: [FieldDescription] = [], width: Int? = nil, isTerminal: Bool = false,
    header: Bool = true, isSingle: Bool = false
  ) {
    self.columns = columns
    self.fields = fields
    kinds = [:]
    self.width = width
    self.isTerminal = isTerminal
    self.header = header
    self.isSingle = isSingle
    learnKinds()
  }

  private mutating func learnKinds() {
    let nested = related.flatMap { member in member.fields.map { ("\(member.name).\($0.name)", $0.kind) } }
    files = Dictionary(fields.compactMap { field in field.file.map { (field.name, $0) } }) { first, _ in first }
    kinds = Dictionary(fields.map { ($0.name, $0.kind) } + nested) { first, _ in first }
  }

  /// The state of a field for people: for a file, its facts.
  func state(of path: FieldPath, in record: Record) -> FieldState {
    record.state(of: path).shown(as: files[path.text])
  }

  /// Returns whether the member of this name is a record that a field refers to.
  func isRelated(_ path: FieldPath) -> Bool { related.contains { $0.name == path.text } }
}

extension FieldState {
  /// The state for people: for a file, its facts.
  func shown(as file: FileField?) -> FieldState {
    guard let file, case .value(let value) = self, value != .null else { return self }
    return .value(.string(file.shown(value)))
  }
}

/// A member of records that is itself a record, which one of their fields refers to.
package struct RelatedMember: Hashable, Sendable {
  package let name: String
  /// The known fields of the record.
  package let fields: [FieldDescription]

  /// A member of this name, with the known fields of its record.
  package init(name: String, fields: [FieldDescription]) {
    self.name = name
    self.fields = fields
  }
}
