import BackendKit

extension TableLayout {
  /// How much a column matters where there is not room for all of it, the most important first.
  enum Rank: Int, Sendable, Comparable {
    /// What names the record: never cut, never hidden.
    case identifier
    /// What a person knows the record by.
    case title
    /// Numbers, dates, words.
    case short
    /// Long text, markup, nested values.
    case long
    /// No record has a value here.
    case empty

    static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
  }

  /// The least widths of columns that can be cut, by rank: first the long ones give way, titles last.
  private static let floors: [[Rank: Int]] = [
    [.long: 24, .empty: 8],
    [.long: 16, .short: 12, .empty: 8],
    [.long: 12, .short: 10, .title: 20, .empty: 8],
    [.long: 8, .short: 8, .title: 12, .empty: 8],
    [.long: 8, .short: 8, .title: 8, .empty: 8],
  ]

  /// Widens the columns for these records, whose cells `rows` holds, and narrows them again to the terminal; false
  /// where they cannot be made to fit.
  mutating func fit(_ records: some Collection<Record>, _ rows: [[String]], width: Int?) -> Bool {
    for row in rows {
      for (place, cell) in row.enumerated() {
        columns[place].content = max(columns[place].content, DisplayWidth.columns(of: cell))
      }
    }
    for place in columns.indices {
      columns[place].judge(records)
      columns[place].width = max(columns[place].width, columns[place].content)
    }
    return width.map { narrow(to: $0) } ?? true
  }

  /// Hides columns, the least important and rightmost first, until the others fit; returns the names of the hidden.
  mutating func hide(toFit width: Int) -> [String] {
    var hidden: [Column] = []
    let natural = columns
    // Somewhat readable columns are worth more than all of them.
    while columns.count > 1, !narrow(to: width, floors: Self.floors.dropLast()) {
      guard let place = columns.indices.max(by: { (columns[$0].rank, $0) < (columns[$1].rank, $1) }) else { break }
      hidden.append(columns.remove(at: place))
      // The others have room again.
      let names = Set(hidden.map(\.path))
      columns = natural.filter { !names.contains($0.path) }
      for place in columns.indices { columns[place].width = max(columns[place].width, columns[place].naturalWidth) }
    }
    _ = narrow(to: width)
    return natural.map(\.path).filter { path in hidden.contains { $0.path == path } }.map(\.text)
  }

  private mutating func narrow(to width: Int) -> Bool {
    if narrow(to: width, floors: Self.floors[...]) { return true }
    // At last names of columns are cut.
    return shrink(to: width) { $0.isElastic ? 8 : $0.content }
  }

  private mutating func narrow(to width: Int, floors: ArraySlice<[Rank: Int]>) -> Bool {
    if total <= width { return true }
    for floors in floors where shrink(to: width, floor: { floors[$0.rank] }) { return true }
    return false
  }

  private var total: Int {
    let gaps = TableLayout.gap.utf8.count * max(0, columns.count - 1)
    return TableLayout.margin.utf8.count + gaps + columns.reduce(0) { $0 + $1.width }
  }

  // Takes from the widest columns until the lines fit; those without a floor are left alone.
  private mutating func shrink(to width: Int, floor: (Column) -> Int?) -> Bool {
    let floors = columns.map { column in
      column.isElastic || column.width > column.content
        ? floor(column).map { min(max($0, column.isDate ? 11 : 1), column.width) } : nil
    }
    while total > width {
      let open = columns.indices.filter { place in floors[place].map { columns[place].width > $0 } ?? false }
      guard let widest = open.max(by: { columns[$0].width < columns[$1].width }) else { return false }
      let next = open.filter { $0 != widest }.map { columns[$0].width }.max() ?? 0
      let enough = columns[widest].width - (total - width)
      columns[widest].width = max(min(columns[widest].width - 1, next), enough, floors[widest] ?? 1)
    }
    return true
  }
}

extension TableLayout.Column {
  /// As wide as header and cells want it.
  fileprivate var naturalWidth: Int { max(DisplayWidth.columns(of: header), content) }

  /// Decides what the column holds.
  fileprivate mutating func judge(_ records: some Collection<Record>) {
    var hasNumber = false
    var hasValue = false
    var isNested = false
    isDate = true
    var isIdentifier = !records.isEmpty
    for record in records {
      let state = record.state(of: path)
      switch state {
      case .value(.null), .absent, .unloaded: break
      case .value(.number):
        hasNumber = true
        hasValue = true
        isDate = false
      case .value(let value):
        hasValue = true
        isNumeric = false
        isDate = isDate && Cell.role(state, kind: kind) == .date
        if value.array != nil || value.object != nil { isNested = true }
      }
      if case .value(let value) = state, let id = RecordID(value), id == record.id {} else { isIdentifier = false }
    }
    isNumeric = isNumeric && hasNumber
    isDate = isDate && hasValue
    isElastic = !isNumeric && !isIdentifier
    rank =
      if isIdentifier { .identifier } else if !hasValue { .empty } else if isTitle && !isNumeric { .title } else {
        isNested || kind == .html || content > 40 ? .long : .short
      }
  }

  private static let titles: Set<String> = [
    "title", "name", "label", "subject", "headline", "username", "displayname", "fullname", "caption", "email",
  ]

  private var isTitle: Bool { Self.titles.contains(path.text.split(separator: ".").last?.lowercased() ?? "") }
}
