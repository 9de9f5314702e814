import BackendKit

extension TableLayout {
  /// The importance of a column if there is not enough room, the most important first.
  enum Rank: Int, Sendable, Comparable {
    /// The column that identifies the record: never cut, never hidden.
    case identifier
    /// The column by which people recognize the record.
    case title
    /// Numbers, dates, words.
    case short
    /// Long text, markup, nested values.
    case long
    /// Links, and identifiers of other records that only machines read.
    case link
    /// No record has a value here.
    case empty

    static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
  }

  /// The minimum widths of columns that can be cut, by rank: long ones are narrowed first, titles last.
  private static let floors: [[Rank: Int]] = [
    [.long: 24, .link: 8, .empty: 8],
    [.long: 16, .short: 12, .link: 8, .empty: 8],
    [.long: 12, .short: 10, .title: 20, .link: 8, .empty: 8],
    [.long: 8, .short: 8, .title: 12, .link: 8, .empty: 8],
    [.long: 8, .short: 8, .title: 8, .link: 8, .empty: 8],
  ]

  /// Widens the columns for these records, whose cells are `rows`, and narrows them to the terminal again; false if
  /// they cannot fit.
  mutating func fit(_ records: some Collection<Record>, _ rows: [[String]], width: Int?) -> Bool {
    for row in rows {
      for (index, cell) in row.enumerated() {
        columns[index].content = max(columns[index].content, DisplayWidth.columns(of: cell))
      }
    }
    for index in columns.indices {
      columns[index].judge(records)
      columns[index].width = max(columns[index].width, columns[index].content)
    }
    return width.map { narrow(to: $0) } ?? true
  }

  /// Hides columns, the least important and rightmost first, until the others fit; returns the names of the hidden.
  mutating func hide(toFit width: Int) -> [String] {
    let natural = columns
    let ranked = natural.indices.sorted { (natural[$0].rank, $0) < (natural[$1].rank, $1) }
    // More than these cannot fit: each takes a column of the terminal, and the gap before it.
    var count = min(natural.count, width / (TableLayout.gap.utf8.count + 1) + 1)
    func keep(_ count: Int) -> [Column] {
      ranked.prefix(count).sorted().map { index in
        var column = natural[index]
        column.width = max(column.width, column.naturalWidth)
        return column
      }
    }
    if count < natural.count { columns = keep(count) }
    // Some readable columns are worth more than all unreadable ones.
    while columns.count > 1, !narrow(to: width, floors: Self.floors.dropLast()) {
      count -= 1
      // The others have room again.
      columns = keep(count)
    }
    _ = narrow(to: width)
    let shown = Set(ranked.prefix(columns.count))
    return natural.indices.filter { !shown.contains($0) }.map { natural[$0].path.text }
  }

  /// Hides the columns of links if the others then fit; returns the names of the hidden.
  mutating func hideLinks(toFit width: Int) -> [String] {
    let all = columns
    columns = all.filter { $0.rank != .link }.map { column in
      var column = column
      column.width = max(column.width, column.naturalWidth)
      return column
    }
    guard columns.count < all.count, narrow(to: width, floors: Self.floors.dropLast()) else {
      columns = all
      return []
    }
    return all.filter { $0.rank == .link }.map(\.path.text)
  }

  private mutating func narrow(to width: Int) -> Bool {
    if narrow(to: width, floors: Self.floors[...]) { return true }
    // As a last resort, names of columns are cut, and that of the identifier only if it is a long one.
    return shrink(to: width) { column in
      if column.rank == .identifier { return max(column.content, min(column.naturalWidth, width / 2)) }
      return column.isElastic ? 8 : column.content
    }
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

  // Narrows the widest columns until the lines fit; those without a floor are kept.
  private mutating func shrink(to width: Int, floor: (Column) -> Int?) -> Bool {
    let floors = columns.map { column in
      column.isElastic || column.width > column.content
        ? floor(column).map { min(max($0, column.isDate ? 11 : 1), column.width) } : nil
    }
    if total <= width { return true }
    // The widest columns are reduced to one level, the highest at which the lines fit.
    func level(_ index: Int, _ level: Int) -> Int {
      floors[index].map { min(columns[index].width, max($0, level)) } ?? columns[index].width
    }
    func excess(_ height: Int) -> Int {
      total - width - columns.indices.reduce(0) { $0 + columns[$1].width - level($1, height) }
    }
    var (low, high) = (0, columns.reduce(0) { max($0, $1.width) })
    let fits = excess(low) <= 0
    while fits, low + 1 < high {
      let middle = (low + high) / 2
      if excess(middle) <= 0 { low = middle } else { high = middle }
    }
    // The remaining width goes to the last columns that were cut.
    var room = -excess(low)
    let widths = columns.indices.map { level($0, low) }
    for index in columns.indices.reversed() {
      let gains =
        room > 0 && widths[index] == low && columns[index].width > low && floors[index].map { $0 <= low } ?? false
      if gains { room -= 1 }
      columns[index].width = widths[index] + (gains ? 1 : 0)
    }
    return fits
  }
}

extension TableLayout.Column {
  /// The width needed for header and cells.
  fileprivate var naturalWidth: Int { max(DisplayWidth.columns(of: header), content) }

  /// Determines the kind of the column from its values.
  fileprivate mutating func judge(_ records: some Collection<Record>) {
    var hasNumber = false
    var hasValue = false
    var isNested = false
    isDate = true
    var isIdentifier = !records.isEmpty
    var isLink = true
    for record in records {
      let state = record.state(of: path)
      switch state {
      case .value(.null), .absent, .unloaded: break
      case .value(.number):
        hasNumber = true
        hasValue = true
        (isDate, isLink) = (false, false)
      case .value(let value):
        hasValue = true
        isLink = isLink && (RecordColumns.areLinks(value) || value.text.map(Self.isMade) == true)
        isNumeric = false
        isDate = isDate && Cell.role(state, kind: kind) == .date
        if value.array != nil || value.object != nil { isNested = !isRelated }
      }
      if case .value(let value) = state, let id = RecordID(value), id == record.id {} else { isIdentifier = false }
    }
    isNumeric = isNumeric && hasNumber
    isDate = isDate && hasValue
    isElastic = !isNumeric && !isIdentifier && !isClock
    rank =
      if isIdentifier { .identifier } else if !hasValue { .empty } else if isTitle && !isNumeric { .title } else {
        isLink ? .link : isNested || kind == .html || content > 40 ? .long : .short
      }
  }

  /// Returns whether a text is a UUID or a digest, which tells people nothing.
  private static func isMade(_ text: String) -> Bool {
    let digits = text.utf8.filter { $0 != UInt8(ascii: "-") }
    return digits.count >= 32
      && digits.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0 | 0x20) }
  }

  private static let titles: Set<String> = [
    "title", "name", "label", "subject", "headline", "username", "displayname", "fullname", "caption", "email",
  ]

  private var isTitle: Bool { Self.titles.contains(path.text.split(separator: ".").last?.lowercased() ?? "") }
}
