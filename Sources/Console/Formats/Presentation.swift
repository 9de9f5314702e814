import BackendKit

/// What a printer has to know besides the records.
struct Presentation: Hashable, Sendable {
  /// The fields to show, in order; nil shows what there is.
  var columns: [FieldPath]?
  /// What is known of the fields.
  var fields: [FieldDescription] { didSet { learnKinds() } }
  /// Members that are records which fields refer to.
  var related: [RelatedMember] = [] { didSet { learnKinds() } }
  /// The kinds of these, by name.
  private(set) var kinds: [String: FieldDescription.Kind]
  /// The width of the terminal in columns; nil off a terminal, where nothing is cut or wrapped.
  var width: Int?
  /// Whether a terminal reads the output: then raw formats, too, show control characters instead of sending them.
  var isTerminal: Bool
  /// Whether table, csv and tsv begin with the names of the columns.
  var header: Bool
  /// Whether the result is one record by its nature, printed as an object instead of a list.
  var isSingle: Bool
  /// The names of fields with moments that a table at a terminal shows by the clock on the wall.
  var clocks: Set<String> = []
  /// The colors.
  var theme = Theme.plain
  /// Whether a table that cannot fit is printed expanded; otherwise columns are hidden.
  var isExpandable = true
  /// Whether a table wraps long cells instead of cutting them.
  var wraps = false
  /// Whether HTML is shown as its source.
  var isRaw = false
  /// Whether csv and tsv mark texts that a spreadsheet would run.
  var isSpreadsheetSafe = false

  /// A presentation; by itself, of a list off a terminal.
  init(
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
    kinds = Dictionary(fields.map { ($0.name, $0.kind) } + nested) { first, _ in first }
  }

  /// Whether the member with this name is a record that a field refers to.
  func isRelated(_ path: FieldPath) -> Bool { related.contains { $0.name == path.text } }
}

/// A member of records that is itself a record, which one of their fields refers to.
struct RelatedMember: Hashable, Sendable {
  let name: String
  /// What is known of its fields.
  let fields: [FieldDescription]
}
