import BackendKit

extension JSONPlaceholderOptions {
  /// Asks for conditions and the search, and for what is written in the server's own language.
  func compile(_ query: ListQuery, _ resource: Service.Resource) throws(BackendError) -> Service.Compiled {
    var compiled = JSONPlaceholderQuery(query, resource, version).compiled
    guard let native = query.native else { return compiled }
    // Parameters such as `title_like=^a&_expand=user`, taken as they stand.
    for part in native.split(separator: "&") {
      let name = String(part.prefix { $0 != "=" })
      guard !["_page", "_limit", "_per_page", "_start", "_end", "callback"].contains(name) else {
        throw .invalid("\(name) cannot be given as a native query", hint: "the console requests the pages")
      }
      compiled.parameters.append((name, String(part.dropFirst(name.count + 1))))
    }
    return compiled
  }
}

/// The parameters that ask the server for its part of a query.
///
/// json-server compares `String(value)` with the parameter's text, so an equality it finds is at best a superset.
private struct JSONPlaceholderQuery {
  /// The part of the query that is sent to the server.
  private(set) var compiled = Service.Compiled()

  private let query: ListQuery
  private let resource: Service.Resource

  init(_ query: ListQuery, _ resource: Service.Resource, _ version: JSONPlaceholderOptions.Version) {
    self.query = query
    self.resource = resource
    if version == .one {
      compiled.filters = query.filters.map { _ in .not }
      compiled.search = query.search == nil ? .exact : .not
      if !compiled.filters.isEmpty || compiled.search == .not {
        note("conditions and search are not sent to json-server 1")
      }
    } else {
      for filter in query.filters { compiled.filters.append(send(filter) ? .superset : .not) }
      planSearch()
    }
  }

  private mutating func note(_ text: String) { compiled.notes.append(text) }

  private mutating func planSearch() {
    guard let text = query.search else { return }
    guard CasePattern.lowersAlike(text), !text.isEmpty else {
      compiled.search = .not
      note("searched locally: json-server lowercases some letters differently")
      return
    }
    guard query.embedded.isEmpty else {
      compiled.search = .not
      note("searched locally: json-server searches before it embeds")
      return
    }
    // `q` also finds numbers, so what it answers is looked at again.
    compiled.search = .superset
    compiled.parameters.append(("q", text))
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
    case .or, .not, .isNull, .isMissing, .computed:
      note("\(filter) is filtered locally: json-server has no such filter")
      return false
    }
  }

  private mutating func send(_ path: FieldPath, _ comparison: Comparison, _ operand: Operand) -> Bool {
    switch comparison {
    case .equal: return sendEquality(path, [operand])
    case .notEqual:
      note("\(path)!=\(operand) is filtered locally: _ne omits null and missing values")
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
        note("\(path)=\(operand) is filtered locally: how the server writes this value is uncertain")
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
      note("\(path) compared with \(operand) is filtered locally: json-server compares differently")
      return false
    }
    return append(path, suffix, [text])
  }

  /// Adds a condition unless the server would misread it: unknown fields are dropped, repeated ones mean "or", and a
  /// nested collection's own field is overwritten.
  private mutating func append(_ path: FieldPath, _ suffix: String, _ texts: [String]) -> Bool {
    let name = path.text + suffix
    guard knows(path) else {
      note("\(path) is filtered locally: json-server ignores filters on fields that it does not have")
      return false
    }
    guard !compiled.parameters.contains(where: { $0.0 == name }), ownerField != path.text else {
      note("another filter on \(path) is filtered locally: json-server combines repeated fields with or")
      return false
    }
    for text in texts { compiled.parameters.append((name, text)) }
    return true
  }

  /// Returns whether the server is known to have the field: it would ignore a filter on any other and return every
  /// record.
  private func knows(_ path: FieldPath) -> Bool {
    resource.fields.contains { $0.name == path.text }
      || resource.remarks["nested"]?.array?.contains(.string(path.text)) == true
  }

  /// The field by which records name the owner whose records are asked for.
  private var ownerField: String? {
    query.resource.parent.flatMap { parent in resource.owners.first { $0.resource == parent.resource }?.field }
  }
}
