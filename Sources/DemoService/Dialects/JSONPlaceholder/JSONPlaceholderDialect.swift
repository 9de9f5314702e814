/// json-server 0.17, or jsonplaceholder, the same router with faked writes; or json-server 1.
struct JSONPlaceholderDialect: Dialect {
  let name = "jsonplaceholder"
  let switches = JSONPlaceholderSwitches.all

  func respond(to request: DemoRequest, store: DemoStore) async throws -> DemoResponse {
    let form = JSONServerParameters(request.query)
    if let delay = form["_delay"].flatMap({ Int($0) }), (1...30_000).contains(delay) {
      try await Task.sleep(for: .milliseconds(delay))
    }
    let answer = JSONServerAnswer(request)
    if request.method == "OPTIONS" { return answer.options }
    let isHome = request.path == "/" && request.isRead
    do {
      // An unreadable body is refused even at unknown paths.
      let body = try isHome ? nil : JSONServerBody(request)
      guard let body else { return try answer.finish(answer.home) }
      let writer = JSONServerWriter(request: request, body: body, answer: answer, store: store)
      return try answer.finish(try route(Self.method(of: request), request, form, answer, writer, store))
    } catch let refusal as JSONServerBody.Refusal {
      // With faked writes the router reads bodies itself, and responds as usual.
      return answer.isFake ? try answer.finish(answer.refusal(refusal)) : answer.refusal(refusal)
    } catch let error as JSONServerEmbedding.NoReference {
      return try answer.finish(answer.failure("\(error)"))
    }
  }

  /// The method after an override by header; an unknown one is ignored.
  private static func method(of request: DemoRequest) -> String {
    let known: Set<String> = [
      "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "PROPFIND",
    ]
    guard request.method == "POST", let header = request.header("x-http-method-override"),
      let first = header.split(separator: ",").first?.filter({ $0 != " " }).uppercased(), known.contains(first)
    else { return request.method }
    return first
  }

  private func route(
    _ method: String, _ request: DemoRequest, _ form: JSONServerParameters, _ answer: JSONServerAnswer,
    _ writer: JSONServerWriter,
    _ store: DemoStore
  ) throws -> DemoResponse {
    let reads = method == "GET" || method == "HEAD"
    switch JSONServerRoute(request.path) {
    case .root: return reads ? answer.home : answer.missing
    case .database: return reads ? answer.json(try database(store)) : answer.missing
    case .collection(let name):
      if let single = try single(name, store) {
        return try writer.single(method, single.id, DemoJSON(parsing: single.json))
      }
      guard let name = try collection(name, store) else { return answer.missing }
      if reads { return try list(name, form, request, answer, store) }
      return method == "POST" ? try writer.create(in: name, parent: nil) : answer.missing
    case .item(let collection, let id):
      guard let collection = try self.collection(collection, store) else { return answer.missing }
      return try item(method, collection, id, form, answer, writer, store)
    case .nested where answer.isVersion1: return answer.missing
    case .nested(let parent, let id, let collection):
      guard let collection = try self.collection(collection, store) else { return answer.missing }
      let key = JSONServerNoun.singular(parent) + "Id"
      if reads {
        var form = form
        form.set(key, to: id)
        return try list(collection, form, request, answer, store)
      }
      return method == "POST" ? try writer.create(in: collection, parent: (key, id)) : answer.missing
    case .malformed(let part, let collection):
      let isReached = try collection.map { try self.collection($0, store) != nil } ?? true
      return isReached ? answer.badTarget(part) : answer.missing
    case .nothing: return answer.missing
    }
  }

  private func item(
    _ method: String, _ collection: String, _ id: String, _ form: JSONServerParameters, _ answer: JSONServerAnswer,
    _ writer: JSONServerWriter, _ store: DemoStore
  ) throws -> DemoResponse {
    switch method {
    case "GET", "HEAD":
      let found = try store.read(name) { store -> DemoJSON? in
        guard let record = try store.record(in: collection, id: id) else { return nil }
        return try JSONServerEmbedding(form, collection: collection, store: store, isVersion1: answer.isVersion1)
          .apply(to: record)
      }
      return found.map { answer.json($0) } ?? answer.missing
    case "PUT": return try writer.update(id, in: collection, replaces: true)
    case "PATCH": return try writer.update(id, in: collection, replaces: false)
    case "DELETE": return try writer.delete(id, from: collection)
    default: return answer.missing
    }
  }

  private func list(
    _ collection: String, _ form: JSONServerParameters, _ request: DemoRequest, _ answer: JSONServerAnswer,
    _ store: DemoStore
  ) throws -> DemoResponse {
    if answer.isVersion1 { return try JSONServer1(answer: answer, store: store).list(collection, form) }
    return try store.read(name) { store in
      let matching: [DemoJSON]?
      do { matching = try self.matching(form, in: collection, store) } catch let error as JSONServerSort.Repeated {
        return answer.failure("\(error)")
      } catch let error as JSONServerExpression.Invalid { return answer.failure("\(error)") }
      let all = try store.count(in: collection)
      let page = JSONServerPage(form, of: matching?.count ?? all, address: request.fullAddress)
      let shown =
        try matching.map { Array($0[page.range]) }
        ?? store.documents(
          in: collection, orderedBy: "position", limit: page.range.count, offset: page.range.lowerBound
        ).map { try DemoJSON(parsing: $0.json) }
      do {
        let embedding = try JSONServerEmbedding(form, collection: collection, store: store)
        return answer.json(.array(try shown.map(embedding.apply)), headers: page.headers, takesCallback: all > 0)
      } catch let error as JSONServerEmbedding.NoReference {
        // The headers of the slice have already been set.
        return answer.failure("\(error)", headers: page.headers)
      }
    }
  }

  /// The records of a list, in order; nil if they are those of the collection in its order, so that only the page is
  /// needed.
  private func matching(
    _ form: JSONServerParameters, in collection: String, _ store: DialectStore
  ) throws -> [DemoJSON]? {
    let sort = try JSONServerSort(form)
    if sort.isEmpty, JSONServerFilter.isEmpty(form) { return nil }
    let records = try store.records(in: collection)
    return sort.sorted(try JSONServerFilter(form, over: records).filtered(records))
  }

  private func database(_ store: DemoStore) throws -> DemoJSON {
    let names = try collections(store)
    return try store.read(name) { store in
      let singles = try store.documents(in: Self.declared).filter { $0.json != "null" }
      return .object(
        try names.map { .init(key: $0, value: .array(try store.records(in: $0))) }
          + singles.map { .init(key: $0.id, value: try DemoJSON(parsing: $0.json)) })
    }
  }

  /// The single record with a lowercase name; nil if there is none.
  private func single(_ name: String, _ store: DemoStore) throws -> DialectStore.Document? {
    try store.read(self.name) { store in
      try store.documents(in: Self.declared).first { $0.json != "null" && $0.id.lowercased() == name }
    }
  }

  /// The collections: those with records, and those that existed at the beginning and are empty now.
  private func collections(_ store: DemoStore) throws -> [String] {
    try store.read(name) { store in
      let declared = try store.documents(in: Self.declared).filter { $0.json == "null" }.map(\.id)
      return try declared + store.collections().filter { $0 != Self.declared && !declared.contains($0) }
    }
  }

  /// The collection with a lowercase name; nil if there is none.
  private func collection(_ name: String, _ store: DemoStore) throws -> String? {
    try collections(store).first { $0.lowercased() == name }
  }

  /// The collection with the names of the others, with null, and single records.
  static let declared = ""
}

extension DemoRequest {
  /// The whole address as the server would write it.
  var fullAddress: String { baseAddress + path + (query.map { "?\($0)" } ?? "") }
}
