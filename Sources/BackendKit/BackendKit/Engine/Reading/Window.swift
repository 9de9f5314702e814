/// The part of a list that one request selects.
struct Window: Sendable {
  /// The largest count: sums of such numbers do not overflow.
  static let most = 1 << 53

  /// The number of records before it, if known.
  var start = 0
  /// The number of records in it; nil for all the rest, or for as many as the service chooses.
  var size: Int?
  /// The number of its records that were taken before and are skipped.
  var used = 0
  /// The number of its records that come before the requested ones.
  var surplus = 0
  /// The service's own name for it: a cursor, an address, the value after which it begins, or a number.
  var token: String?
  /// The hash of the previous page's records; nil if it is not needed.
  var mark: String?
  /// The page size of the query or, without one, the service's default.
  let asked: Int?

  /// The part that a query and a cursor select. Throws `invalid` for a foreign cursor.
  init(_ query: ListQuery, at cursor: Cursor?, _ paging: Service.Paging) throws(BackendError) {
    asked = query.pageSize ?? paging.defaultSize
    if let asked, !(1...Self.most).contains(asked) {
      throw .invalid("a page must have at least one record, and at most \(Self.most)")
    }
    guard query.skip >= 0 else { throw .invalid("a negative number of records cannot be skipped") }
    if paging.hasFixedSize {
      size = paging.defaultSize
    } else if !paging.isWhole {
      size = asked.map { max(min($0, paging.cap ?? $0), paging.least ?? 1) }
    }
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
      throw .invalid("\(start) records cannot be skipped", hint: "the server counts only up to \(lastOffset)")
    }
    try stay(within: paging.reach, paging)
  }

  /// Limits the page to the service's reach. Throws if none of it is within, or fewer records than each page has.
  private mutating func stay(within reach: Int, _ paging: Service.Paging) throws(BackendError) {
    guard !paging.isLed, let size, size > reach - min(start, reach) else { return }
    guard start < reach, paging.beginsAnywhere else {
      throw .unsupported(
        "the server cannot page beyond record \(reach) of a list",
        hint: "narrow the list with a condition, or reverse its order")
    }
    self.size = reach - start
  }

  var isFirst: Bool { token == nil && start == 0 && used == 0 }

  /// Moves to the page of this size that holds the first wanted record.
  mutating func realign(to size: Int) {
    let first = start + surplus
    self.size = size
    start = first / size * size
    surplus = first % size
  }

  // MARK: Cursors

  /// The cursor of the page of this size behind so many records.
  func next(_ start: Int, size: Int?, _ paging: Service.Paging, mark: String? = nil) -> Cursor {
    let isPlain = size == asked || paging.isWhole || paging.beginsAnywhere
    return Cursor((isPlain ? "\(start)" : "\(start)/\(size ?? 0)/0") + Self.marked(mark))
  }

  /// The cursor of the page that the service names, behind so many records.
  func next(_ token: String, after count: Int, _ paging: Service.Paging, mark: String? = nil) -> Cursor {
    Cursor(Self.place(0, paging.countsRecords ? start + count : 0) + Self.marked(mark) + "/" + token)
  }

  /// The cursor of the rest of this page after so many of its records.
  func rest(after count: Int, _ paging: Service.Paging) -> Cursor {
    if paging.isLed { return Cursor(Self.place(count, start) + Self.marked(mark) + "/" + (token ?? "")) }
    if paging.isWhole || paging.beginsAnywhere { return next(start + count, size: size, paging, mark: mark) }
    return Cursor("\(start)/\(size ?? 0)/\(count)" + Self.marked(mark))
  }

  private static func place(_ used: Int, _ before: Int) -> String { before > 0 ? "\(used)+\(before)" : "\(used)" }

  private static func marked(_ mark: String?) -> String { mark.map { "~" + $0 } ?? "" }

  private mutating func read(_ cursor: Cursor, _ paging: Service.Paging) throws(BackendError) {
    let invalid = BackendError.invalid(
      "\"\(cursor)\" is not a valid cursor of this list", hint: "list again from the first page")
    let isRead = paging.isLed ? readLed(cursor.text) : readCounted(cursor.text, paging)
    guard isRead else { throw invalid }
  }

  private mutating func readLed(_ text: String) -> Bool {
    let sides = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard sides.count == 2, let head = takeMark(sides[0]) else { return false }
    let counts = head.split(separator: "+", omittingEmptySubsequences: false).map(Self.number)
    guard counts.count <= 2, let first = counts[0] else { return false }
    used = first
    if counts.count == 2 {
      guard let before = counts[1] else { return false }
      start = before
    }
    token = sides[1].isEmpty ? nil : String(sides[1])
    return token != nil || used > 0
  }

  private mutating func readCounted(_ text: String, _ paging: Service.Paging) -> Bool {
    guard let head = takeMark(text[...]) else { return false }
    let numbers = head.split(separator: "/", omittingEmptySubsequences: false).map(Self.number)
    let hasSize = numbers.count == 3 && !paging.isWhole && !paging.beginsAnywhere
    guard numbers.count == 1 || hasSize, !numbers.contains(nil), let first = numbers[0] else { return false }
    if hasSize { (size, used) = (numbers[1], numbers[2] ?? 0) }
    start = first
    if paging.isWhole { (start, used) = (0, first) }
    // The first page has no cursor, and only pages that begin anywhere need not be a multiple of their size.
    let isPlace = paging.isWhole || paging.beginsAnywhere || size.map { $0 > 0 && start.isMultiple(of: $0) } == true
    return isPlace && start + used > 0
  }

  /// Stores the mark at the end of a text, and returns what comes before it; nil for an invalid mark.
  private mutating func takeMark(_ text: Substring) -> Substring? {
    guard let place = text.firstIndex(of: "~") else { return text }
    let mark = text[text.index(after: place)...]
    guard UInt64(mark, radix: 16) != nil else { return nil }
    self.mark = String(mark)
    return text[..<place]
  }

  private static func number(_ text: Substring) -> Int? {
    Int(text).flatMap { String($0) == text && (0...most).contains($0) ? $0 : nil }
  }

  // MARK: The request

  /// Returns the query parameters that ask for this page, including those for the total.
  func parameters(_ paging: Service.Paging) -> [(String, String)] {
    place(paging) + (isFirst || !paging.counting.isOnFirstPageOnly ? paging.counting.parameters : [])
  }

  /// Returns the query parameters that select this page.
  private func place(_ paging: Service.Paging) -> [(String, String)] {
    var parameters: [(String, String)] = []
    let length = paging.size.flatMap { name in size.map { (name, "\($0)") } }
    if paging.isLed {
      if let length { parameters.append(length) }
      if let name = paging.tokenParameter, let token { parameters.append((name, token)) }
      if let number = paging.number, token != nil || !paging.isUnread {
        parameters.append((number.parameter, token ?? "\(number.first)"))
      }
      if paging.link != nil, let offset = paging.offset, token == nil {
        parameters.append((offset, "\(start + paging.firstOffset)"))
      }
    } else if let number = paging.number, let size, start.isMultiple(of: size) {
      parameters.append((number.parameter, "\(start / size + number.first)"))
      if let length { parameters.append(length) }
    } else if let stretch = paging.stretch, size != nil || start > 0 {
      // An end beyond every list means none: a start alone may be ignored.
      let end = (size.map { start + $0 } ?? (1 << 53 - 1)) - (paging.stretchIsInclusive ? 1 : 0)
      parameters = [(stretch.start, "\(start)"), (stretch.end, "\(end)")]
    } else if let range = paging.range, !range.isHeader, let text = text(of: range) {
      parameters.append((range.name, text))
    } else if let offset = paging.offset {
      if let length { parameters.append(length) }
      if start > 0 || !paging.isUnread { parameters.append((offset, "\(start + paging.firstOffset)")) }
    }
    return parameters
  }

  /// Header fields that ask for this page.
  func headers(_ paging: Service.Paging) -> [(String, String)] {
    let counting = isFirst || !paging.counting.isOnFirstPageOnly ? paging.counting.headers : []
    guard let range = paging.range, range.isHeader, let text = text(of: range) else { return counting }
    return [(range.name, text)] + counting
  }

  private func text(of range: Service.Range) -> String? {
    guard size != nil || start > 0 else { return nil }
    let last = size.map { "\(start + $0 - 1)" } ?? ""
    return range.text.filled(["first": "\(start)", "last": last, "size": size.map { "\($0)" } ?? ""])
  }
}

extension Service.Paging {
  /// The kind of paging that the client sees.
  var kind: Capabilities.Paging {
    if cursor != nil || after != nil || link != nil { return .cursor }
    if offset != nil || stretch != nil || range != nil { return .offset }
    return number == nil ? .none : .pageNumber
  }

  var isWhole: Bool { kind == .none }

  /// True if a list without a known second page may be only the first page, since nothing says otherwise.
  var mayGoOn: Bool { isWhole && !sendsWholeLists }

  /// True if each page leads to the next and none can be found by counting.
  var isLed: Bool { kind == .cursor || leadsByNumber }

  /// True if pages are found by numbers that the responses name, or by number although their size is unknown.
  var leadsByNumber: Bool {
    guard kind == .pageNumber, !repeatsLast else { return false }
    return isUnread || next != nil || (size == nil || over == .ignores) && defaultSize == nil
  }

  /// True if pages have the service's own size, whatever size is requested.
  var hasFixedSize: Bool { over == .ignores || size == nil && stretch == nil && range == nil && !isWhole }

  /// The parameter for the token of a page; nil if it is an address or a number.
  var tokenParameter: String? { link != nil ? nil : cursor ?? after?.parameter }

  var beginsAnywhere: Bool { !isLed && (offset != nil || stretch != nil || range != nil) }

  /// True if the end is found by counting the records of all pages.
  var countsRecords: Bool { ends.contains(.total) }

  /// True if a short page ends the list when there is no other sign. If the largest page size is unknown, such a page
  /// may have been cut.
  var trustsShortPages: Bool { !isUnread && (cap != nil || mayIgnore) }

  /// True if pages of one list may differ in size and larger ones are known to be accepted. If short pages end the
  /// list, a cap lower than declared would lose records.
  var takesLargerPages: Bool {
    guard kind != .none, !hasFixedSize, cap != nil || over == .sends else { return false }
    if over != .clamps { return true }
    return ends.isEmpty && !isLed ? total != nil && !counting.isEstimated : !ends.contains(.shortPage)
  }

  /// True if a given number of records can be skipped at the beginning of the list.
  var canSkip: Bool {
    guard !isWhole, !isLed, !repeatsLast else { return false }
    return beginsAnywhere || total != nil || ends.contains(.shortPage) || ends.isEmpty && trustsShortPages
  }
}
