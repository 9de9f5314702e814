import BackendKit

/// The format between the reference adapter and its server, which use the same table.
enum ReferenceWire {
  // MARK: Statuses

  private static let statuses: [(BackendError.Code, Int)] = [
    (.notFound, 404), (.alreadyExists, 409), (.conflict, 412), (.unsupported, 405), (.unauthorized, 401),
    (.forbidden, 403), (.rateLimited, 429), (.unavailable, 503), (.timedOut, 504), (.invalid, 400),
  ]

  static func status(of code: BackendError.Code) -> Int { statuses.first { $0.0 == code }?.1 ?? 400 }

  static func code(of status: Int) -> BackendError.Code {
    if let known = statuses.first(where: { $0.1 == status }) { return known.0 }
    return switch status {
    case 422: .invalid
    case 500...: .unavailable
    default: .badResponse
    }
  }

  // MARK: Requests of the adapter

  static func parameters(_ query: ListQuery, at cursor: Cursor?) -> [(String, String)] {
    var parameters: [(String, String)] = []
    if let size = query.pageSize { parameters.append(("size", "\(size)")) }
    if let cursor { parameters.append(("cursor", cursor.text)) }
    if query.skip > 0 { parameters.append(("skip", "\(query.skip)")) }
    if let search = query.search { parameters.append(("search", search)) }
    if query.ignoreCase { parameters.append(("ignoreCase", "true")) }
    // The adapter only plans conditions that compare with a value.
    for case .compare(let path, let comparison, let operand) in query.filters {
      let filter: Value = ["compare": .string(path.text), "by": .string(comparison.rawValue), "with": operand.wire]
      parameters.append(("filter", JSONWriter.compact(filter)))
    }
    return parameters
  }

  static func body(_ changes: [Change]) -> Value {
    var set = Object()
    var unset: [Value] = []
    for change in changes {
      switch change {
      case .set(let field, let value):
        set[field] = value
        unset.removeAll { $0 == .string(field) }
      case .unset(let field):
        set[field] = nil
        unset.append(.string(field))
      }
    }
    return ["set": .object(set), "unset": .array(unset)]
  }

  // MARK: Requests read by the server

  static func query(_ request: HTTPRequest, _ path: ResourcePath) throws(BackendError) -> ListQuery {
    var query = ListQuery(path)
    query.pageSize = request.value("size").flatMap { Int($0) }
    query.skip = request.value("skip").flatMap { Int($0) } ?? 0
    query.search = request.value("search")
    query.ignoreCase = request.value("ignoreCase") == "true"
    for (name, text) in request.query where name == "filter" {
      let filter = try read(Array(text.utf8)).object
      guard let path = filter?["compare"]?.text, let operand = filter?["with"],
        let comparison = filter?["by"]?.text.flatMap(Comparison.init(rawValue:))
      else { throw .invalid("not a condition: \(text)") }
      query.filters.append(.compare(FieldPath(path), comparison, Operand(wire: operand)))
    }
    return query
  }

  static func object(_ request: HTTPRequest) throws(BackendError) -> Object {
    guard let object = try read(request.body ?? []).object else { throw .invalid("the body is not an object") }
    return object
  }

  static func changes(_ request: HTTPRequest) throws(BackendError) -> [Change] {
    let body = try object(request)
    guard let set = body["set"]?.object, let unset = body["unset"]?.array else {
      throw .invalid("the body contains no changes")
    }
    return set.members.map { Change.set($0.0, $0.1) } + unset.compactMap(\.text).map { Change.unset($0) }
  }

  private static func read(_ bytes: [UInt8]) throws(BackendError) -> Value {
    do { return try JSONReader.read(bytes, limits: limits) } catch {
      throw .invalid("the text is not valid JSON: \(error)")
    }
  }

  // MARK: Responses read by the adapter

  /// A record has the depth of any other body, and some levels around it.
  static let limits = JSONReader.Limits(depth: 1024)

  static func json(_ answer: HTTPResponse) async throws(BackendError) -> Value {
    let bytes = try await answer.body.collect()
    do { return try JSONReader.read(bytes, limits: limits) } catch {
      throw .badResponse("the response is not valid JSON: \(error)")
    }
  }
}

extension Operand {
  fileprivate var wire: Value {
    switch self {
    case .word(let text): ["word": .string(text)]
    case .moment(let moment): ["moment": .string(moment.text)]
    case .value(let value): ["value": value]
    }
  }

  fileprivate init(wire: Value) {
    let members = wire.object
    if let moment = members?["moment"]?.text.flatMap({ Instant($0) }) {
      self = .moment(moment)
    } else {
      self = (members?["word"]?.text).map { .word($0) } ?? .value(members?["value"] ?? .null)
    }
  }
}
