import BackendKit

/// What a printer has to know besides the records.
struct Presentation: Hashable, Sendable {
  /// The fields to show, in order; nil shows what there is.
  var columns: [FieldPath]?
  /// What is known of the fields.
  var fields: [FieldDescription] { didSet { kinds = Self.kinds(of: fields) } }
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
  /// The colors.
  var theme = Theme.plain
  /// Whether a table that cannot fit is printed expanded; otherwise columns are hidden.
  var isExpandable = true
  /// Whether a table wraps long cells instead of cutting them.
  var wraps = false
  /// Whether HTML is shown as its source.
  var isRaw = false

  /// A presentation; by itself, of a list off a terminal.
  init(
    columns: [FieldPath]? = nil, fields: [FieldDescription] = [], width: Int? = nil, isTerminal: Bool = false,
    header: Bool = true, isSingle: Bool = false
  ) {
    self.columns = columns
    self.fields = fields
    kinds = Self.kinds(of: fields)
    self.width = width
    self.isTerminal = isTerminal
    self.header = header
    self.isSingle = isSingle
  }

  private static func kinds(of fields: [FieldDescription]) -> [String: FieldDescription.Kind] {
    Dictionary(fields.map { ($0.name, $0.kind) }) { first, _ in first }
  }
}
