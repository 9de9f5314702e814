/// The part of a list that one request asks for.
struct Window: Sendable {
  /// The most that anything can count: sums of such numbers are numbers still.
  static let most = 1 << 53

  /// How many records come before it.
  var start = 0
  /// How many it has; nil for all the rest.
  var size: Int?
  /// How many of its records were taken before and are not handed on again.
  var used = 0
  /// How many of its records come before those asked for.
  var surplus = 0
  /// The service's own cursor.
  var token: String?
  /// How many a page was asked to have.
  let asked: Int?

  /// The part that a query and a cursor name; throws `invalid` for a cursor of another origin.
  init(_ query: ListQuery, at cursor: Cursor?, _ paging: Service.Paging) throws(BackendError) {
    asked = query.pageSize ?? paging.defaultSize
    if let asked, !(1...Self.most).contains(asked) {
      throw .invalid("a page must have at least one record, and at most \(Self.most)")
    }
    guard query.skip >= 0 else { throw .invalid("a negative number of records cannot be skipped") }
    if !paging.isWhole { size = asked.map { min($0, paging.cap ?? $0) } }
    if let cursor {
      try read(cursor, paging)
    } else if let size, !paging.beginsAnywhere {
      start = query.skip / size * size
      surplus = query.skip % size
    } else {
      start = query.skip
    }
    let lastOffset = min(paging.lastOffset, Self.most)
    guard start <= lastOffset else {
      throw .invalid("\(start) records cannot be skipped", hint: "the server counts to \(lastOffset)")
    }
  }

  /// The page of this size that holds the first record wanted.
  mutating func realign(to size: Int) {
    let first = start + surplus
    self.size = size
    start = first / size * size
    surplus = first % size
  }

  // MARK: Cursors

  /// The cursor of the page of this size that begins behind so many records.
  func next(_ start: Int, size: Int?, _ paging: Service.Paging) -> Cursor {
    Cursor(size == asked || paging.isWhole || paging.beginsAnywhere ? "\(start)" : "\(start)/\(size ?? 0)/0")
  }

  /// The cursor of the page that the service calls so.
  static func next(_ token: String) -> Cursor { Cursor("0/" + token) }

  /// The cursor of the rest of this page after so many of its records.
  func rest(after count: Int, _ paging: Service.Paging) -> Cursor {
    if paging.cursor != nil { return Cursor("\(count)/" + (token ?? "")) }
    if paging.isWhole || paging.beginsAnywhere { return next(start + count, size: size, paging) }
    return Cursor("\(start)/\(size ?? 0)/\(count)")
  }

  private mutating func read(_ cursor: Cursor, _ paging: Service.Paging) throws(BackendError) {
    let parts = cursor.text.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    let numbers = parts.map { text in
      Int(text).flatMap { String($0) == text && (0...Self.most).contains($0) ? $0 : nil }
    }
    if paging.cursor != nil, parts.count >= 2, let count = numbers[0] {
      used = count
      let token = cursor.text.dropFirst(parts[0].utf8.count + 1)
      self.token = token.isEmpty ? nil : String(token)
    } else if paging.cursor == nil, parts.count == 1 || (parts.count == 3 && !paging.isWhole && !paging.beginsAnywhere),
      !numbers.contains(nil), let first = numbers.first ?? nil
    {
      if parts.count == 3 { (size, used) = (numbers[1], numbers[2] ?? 0) }
      start = first
      if paging.isWhole { (start, used) = (0, first) }
      // The first page has no cursor, and only pages that begin anywhere need not be a multiple of their size.
      let isPlace = paging.isWhole || paging.beginsAnywhere || size.map { $0 > 0 && start.isMultiple(of: $0) } == true
      guard isPlace, start + used > 0 else { throw .invalid(Self.complaint(cursor), hint: Self.cure) }
    } else {
      throw .invalid(Self.complaint(cursor), hint: Self.cure)
    }
  }

  private static let cure = "list again from the first page"

  private static func complaint(_ cursor: Cursor) -> String { "\"\(cursor)\" is not a valid cursor of this list" }

  // MARK: Parameters

  /// What asks for this page.
  func parameters(_ paging: Service.Paging) -> [(String, String)] {
    var parameters: [(String, String)] = []
    let length = paging.size.flatMap { name in size.map { (name, "\($0)") } }
    if let cursor = paging.cursor {
      if let length { parameters.append(length) }
      if let token { parameters.append((cursor, token)) }
    } else if let number = paging.number, let size, start.isMultiple(of: size) {
      parameters.append((number.parameter, "\(start / size + number.first)"))
      if let length { parameters.append(length) }
    } else if let stretch = paging.stretch, size != nil || start > 0 {
      // An end beyond every list stands for none: a start alone may be ignored.
      parameters = [(stretch.start, "\(start)"), (stretch.end, "\(size.map { start + $0 } ?? (1 << 53 - 1))")]
    } else if let offset = paging.offset {
      if let length { parameters.append(length) }
      parameters.append((offset, "\(start)"))
    }
    return parameters
  }
}
