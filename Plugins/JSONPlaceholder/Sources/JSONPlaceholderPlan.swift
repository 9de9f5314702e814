import BackendKit

/// Who does what of a query, and the parameters that ask the server for its part.
///
/// json-server compares `String(value)` with the parameter's text, so an equality it finds is at best a superset. It
/// orders texts by UTF-16 code units and mixes numbers with texts, so a sort is left to the console.
struct JSONPlaceholderPlan {
  /// One for each filter.
  private(set) var filters: [Fidelity] = []
  /// For the sort keys.
  private(set) var sort = Fidelity.exact
  /// For the search text.
  private(set) var search = Fidelity.exact
  /// The parameters of filters, search and sort, in that order.
  private(set) var parameters: [(String, String)] = []
  /// Why something is left to the console.
  private(set) var notes: [String] = []

  private let query: ListQuery
  private let place: Place
  private let version: JSONPlaceholderOptions.Version

  init(_ query: ListQuery, at place: Place, version: JSONPlaceholderOptions.Version) {
    self.query = query
    self.place = place
    self.version = version
    if version == .one {
      filters = query.filters.map { _ in .not }
      search = query.search == nil ? .exact : .not
      if !filters.isEmpty || search == .not { notes.append("json-server 1 is asked for pages only") }
    } else {
      for filter in query.filters { filters.append(send(filter) ? .superset : .not) }
      planSearch()
    }
    planSort(version)
    if skip == .not {
      notes.append(
        version == .one ? "json-server 1 counts in pages: skipped here" : "skipped here, once it is known what matches")
    }
    if query.fields != nil { notes.append("json-server always sends every field") }
  }

  /// Whether skipping can be left to the server: only where the server's list is the answer's.
  var skip: Fidelity {
    if query.skip == 0 { return .exact }
    // json-server 1 counts in pages, and answers one past the end with the last.
    if version == .one { return .not }
    return sort == .exact && search == .exact && filters.isEmpty ? .exact : .not
  }

  private mutating func planSearch() {
    guard let text = query.search else { return }
    guard CasePattern.lowersAlike(text), !text.isEmpty else {
      search = .not
      notes.append("the search is done here: json-server lowers some letters of it otherwise")
      return
    }
    // `q` also finds numbers, so what it answers is looked at again.
    search = .superset
    parameters.append(("q", text))
  }

  private mutating func planSort(_ version: JSONPlaceholderOptions.Version) {
    guard !query.sort.isEmpty else { return }
    // A comma in a name would make two names of it, and one name of json-server 1 begins with a minus sign.
    let isPlain = query.sort.allSatisfy { !$0.path.text.utf8.contains(UInt8(ascii: ",")) }
    guard query.serverOrder, isPlain else {
      sort = .not
      notes.append("sorted here: json-server orders by UTF-16 code units and puts numbers among texts")
      return
    }
    if version == .one {
      parameters.append(("_sort", query.sort.map(\.description).joined(separator: ",")))
    } else {
      parameters.append(("_sort", query.sort.map(\.path.text).joined(separator: ",")))
      parameters.append(("_order", query.sort.map { $0.isDescending ? "desc" : "asc" }.joined(separator: ",")))
    }
  }

  // MARK: Filters

  /// Asks the server for as much of a condition as loses no match; whether that is anything at all.
  private mutating func send(_ filter: Filter) -> Bool {
    switch filter {
    case .and(let parts):
      var isSent = false
      for part in parts where send(part) { isSent = true }
      return isSent
    case .compare(let path, let comparison, let operand): return send(path, comparison, operand)
    case .among(let path, let operands): return sendEquality(path, operands)
    case .or, .not, .isNull, .isMissing:
      notes.append("\(filter) is checked here: json-server has no such condition")
      return false
    }
  }

  private mutating func send(_ path: FieldPath, _ comparison: Comparison, _ operand: Operand) -> Bool {
    switch comparison {
    case .equal: return sendEquality(path, [operand])
    case .notEqual:
      notes.append("\(path)!=\(operand) is checked here: _ne leaves out what is null or missing")
      return false
    case .greater, .greaterOrEqual: return sendRange(path, "_gte", operand)
    case .less, .lessOrEqual: return sendRange(path, "_lte", operand)
    case .contains:
      guard let text = operand.text, !text.isEmpty,
        let pattern = CasePattern.pattern(text, ignoringCase: query.ignoreCase)
      else { return false }
      return append(path, "_like", [pattern])
    }
  }

  private mutating func sendEquality(_ path: FieldPath, _ operands: [Operand]) -> Bool {
    var texts: [String] = []
    for operand in operands {
      guard let spellings = Spelling.texts(of: operand) else {
        notes.append("\(path)=\(operand) is checked here: its spelling on the server is not certain")
        return false
      }
      texts += spellings.filter { !texts.contains($0) }
    }
    // The server drops everything beyond the thousandth parameter.
    guard !texts.isEmpty, texts.count <= 100 else { return false }
    guard query.ignoreCase else { return append(path, "", texts) }
    var patterns: [String] = []
    for text in texts {
      guard let pattern = CasePattern.pattern(text, ignoringCase: true) else { return false }
      patterns.append(pattern)
    }
    return append(path, "_like", ["^(?:\(patterns.joined(separator: "|")))$"])
  }

  private mutating func sendRange(_ path: FieldPath, _ suffix: String, _ operand: Operand) -> Bool {
    // There is no _gt and no _lt; the inclusive one is asked for and checked again.
    guard operand.bool == nil, !query.ignoreCase || operand.text == nil, let text = Spelling.bound(operand) else {
      notes.append("\(path) compared with \(operand) is checked here: json-server compares otherwise")
      return false
    }
    return append(path, suffix, [text])
  }

  /// Adds a condition unless the server would misread it: unknown fields are dropped, repeated ones mean "or", and a
  /// nested collection's own field is overwritten.
  private mutating func append(_ path: FieldPath, _ suffix: String, _ texts: [String]) -> Bool {
    let name = path.text + suffix
    guard place.collection.knows(path) else {
      notes.append("\(path) is checked here: json-server ignores conditions on fields it does not have")
      return false
    }
    guard !parameters.contains(where: { $0.0 == name }), place.owner?.field != path.text else {
      notes.append("one more condition on \(path) is checked here: for json-server repeating a field means or")
      return false
    }
    for text in texts { parameters.append((name, text)) }
    return true
  }
}
