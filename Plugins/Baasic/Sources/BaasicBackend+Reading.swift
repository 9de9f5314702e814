import BackendKit

/// What every page of one list has in common.
struct PageRead: Sendable {
  var place: Place
  var plan: BaasicPlan
  /// Fields that the projection leaves out.
  var unloaded: [String]
}

extension BaasicBackend {
  /// Reads one page.
  func read(_ read: PageRead, _ page: Page, to sink: RecordSink) async throws(BackendError) -> PageReading {
    let request = try requests.find(read.place, page: page, plan: read.plan)
    let answer = try await exchange.send(request)
    guard answer.status == 200 || answer.status == 204 else {
      let error = await answers.failure(answer, of: request, "resource \(read.place.name)")
      guard error.code == .notFound else { throw error }
      throw error.with(effect: error.effect, hint: "describe shows the resources; if it fails too, check the address")
    }
    return try await answers.page(answer, of: read, used: page.used, to: sink)
  }

  /// Reads the page in which the first record after those skipped stands.
  ///
  /// That page is held until its end has told how many records the server puts on one: where that is fewer than were
  /// asked for, another page is the right one.
  func list(
    _ read: PageRead, skipping skip: Int, _ page: Page, to sink: RecordSink
  ) async throws(BackendError) -> PageEnd {
    let asked = page.size
    var page = page
    var held = HeldPage()
    var reading = try await self.read(read, page, to: held.sink)
    if let size = reading.document?.object?["recordsPerPage"]?.integer, size >= 1, size != page.size {
      page = Page(number: skip / size + 1, size: size)
      held = HeldPage()
      reading = try await self.read(read, page, to: held.sink)
    }
    var end = answers.end(reading, page: page)
    if page.size != asked { end.pageSize = page.size }
    let rest = await held.records.dropFirst(skip % page.size)
    if !rest.isEmpty { _ = try await sink.send(Array(rest)) }
    return end
  }

  /// Reads one record; `bare` as it can be sent back.
  func read(_ place: Place, _ id: RecordID, bare: Bool = false) async throws(BackendError) -> Record {
    let request = try requests.get(place, id, bare: bare)
    let answer = try await exchange.send(request)
    guard answer.status == 200 else { throw await answers.failure(answer, of: request, "\(place.name)/\(id)") }
    let record = try answers.record(try await answer.body.json(), of: place, asked: id)
    // The server tells names apart without case.
    guard record.id?.text.lowercased() == id.text.lowercased() else {
      throw .answeredWith(record.id)
    }
    guard place != .schemas || record.id == id else {
      throw BackendError(
        .notFound, "there is no schema \(id)", effect: .rejected, hint: "there is \(record.id?.text ?? "")")
    }
    return record
  }

  /// The request for an update: what changed, or the whole record read, changed and sent, where the configuration
  /// wants it, a field is to be removed, or the server knows nothing else.
  func request(
    updating id: RecordID, at place: Place, _ changes: [Change]
  ) async throws(BackendError) -> HTTPRequest {
    let removes = changes.contains { if case .unset = $0 { true } else { false } }
    var fields = Object()
    let replaces = options.replaces || removes || place == .schemas
    if replaces { fields = BaasicAnswers.storable(try await read(place, id, bare: true).fields) }
    for change in changes {
      switch change {
      case .set(let name, let value): fields[name] = value
      case .unset(let name): fields[name] = nil
      }
    }
    return replaces ? try requests.replace(place, id, fields) : try requests.patch(place, id, fields)
  }

  /// All schemas of the application.
  func readSchemas() async throws(BackendError) -> [BaasicSchema] {
    var query = ListQuery(ResourcePath(name: "schemas"))
    query.pageSize = 100
    var cursor: Cursor?
    var seen: Set<Cursor> = []
    let held = HeldPage()
    repeat {
      cursor = try await list(query, at: cursor, to: held.sink).next
      // A server that always names the same page must not keep this going.
      if let next = cursor, !seen.insert(next).inserted || seen.count > 100 { cursor = nil }
    } while cursor != nil
    return await held.records.compactMap { BaasicSchema($0.fields) }
  }
}

extension Page {
  /// A page with a number and a size.
  init(number: Int, size: Int) {
    self.number = number
    self.size = size
  }
}
