import BackendClient
import BackendKit
import Synchronization

/// Responses that are not from such a service or from the server's address, and impossible pages.
extension Law {
  static let nonsenseDescribed = Part("invalid description responses") { context throws(CheckStop) in
    let answers = [
      ("text/html", FaultyExchange.Fault.page), ("application/json", #"{"hello":"world"}"#),
      ("application/json", "true"),
    ]
    for (type, body) in answers {
      let (backend, exchange) = try context.faulty(.answer(status: 200, type: type, body: body))
      let description = await Result.of(try await backend.describe(.live))
      if exchange.requests.isEmpty { throw .notApplicable("a live description sends no request") }
      try await context.expectFailure(
        "the backend was described live and every response was \(body.prefix(20))", unreadable, of: description.get())
    }
  }

  static let wordsOfAnError = Part("error bodies are ignored") { context throws(CheckStop) in
    let asked = CountingExchange(context.traffic)
    _ = try await context.attempt("the backend was described live", await context.description(liveOver: asked))
    guard asked.count > 0 else { throw .notApplicable("a live description sends no request") }
    for place in 0..<min(asked.count, 3) {
      for status in [404, 500] {
        guard let spoken = await context.liveDescription(.status(status), at: place),
          let silent = await context.liveDescription(.json("", status: status), at: place)
        else { continue }
        try context.require(
          spoken == silent,
          "the backend was described live and response \(place + 1) had the status \(status)",
          expected: "the same description as for an empty response with this status", found: "a different one")
      }
    }
  }

  static let wrongAddress = Law(
    "wrong address", .list, needs: [.list],
    "if the server does not know the address, a list is an error with a hint about where to look, never an empty list;"
      + " an adapter that can recognize this reports it for a single record, too."
  ) { context throws(CheckStop) in
    let call = context.calls.list(context.query())
    let done = "\(call.words) at an address that the server does not know"
    let astray = AlteredExchange.changing(context.traffic) { request throws(BackendError) in
      request.path = try RequestPath(segments: ["switchboard-nowhere"] + request.path.segments)
    }
    let misled = try context.backend(over: astray)
    let outcome = await call.result(of: misled)
    guard case .failure(let error) = outcome else {
      let isEmpty = (try? outcome.get().isEmpty) ?? true
      try context.require(!isEmpty, done, expected: "an error", found: "an empty list")
      throw .notApplicable("the server responds the same at every address")
    }
    let isHinted = error.hint?.isEmpty == false || ![.notFound, .misconfigured].contains(error.code)
    try context.require(isHinted, done, expected: "a hint about where to look", found: "none in the error \(error)")
    try context.require(
      error.code != .unsupported, done, expected: "an error about the address", found: "the error \(error)")
    guard error.code == .misconfigured, context.operations.contains(.get), let id = try await context.anyID() else {
      return
    }
    try await context.expectFailure(
      "the record \(id) was read at an address that the server does not know", [.misconfigured, .badResponse],
      of: await misled.get(id))
  }

  static let absentOwner = Law(
    "missing owner", .list, needs: [.list],
    "a list below a record that does not exist throws `notFound`; it is not an empty list."
  ) { context throws(CheckStop) in
    guard let owner = context.path.parent else { throw .notApplicable("the resource is not below a record") }
    let rule = context.description.resource(named: owner.resource)?.identifier
    var parts = context.path.parts
    parts[parts.count - 2] = LawContext.plausibleID(of: rule ?? IdentifierRule(form: .text)).text
    guard let path = ResourcePath(parts: parts) else { throw .notApplicable("such a path cannot be written") }
    try await context.expectFailure(
      "the list of \(path) was requested", [.notFound], of: await context.backend.page(ListQuery(path)))
  }

  static let foreignList = Law(
    "list limited to owner", .list,
    "a list below a record contains no record that belongs to another, whatever the condition; the lists below two"
      + " records have no record in common."
  ) { context throws(CheckStop) in
    guard let owner = context.path.parent?.id else { throw .notApplicable("the resource is not below a record") }
    try context.needs(.list)
    let owners = try await context.fields.owners()
    let beside = try await context.listBeside()
    guard !owners.isEmpty || beside != nil else {
      throw .notApplicable("no field of the records identifies their owner, and there is no other list")
    }
    if let beside {
      let own = Set(try await context.list(atLeast: 1).map(\.id))
      let common = try await context.walk(ListQuery(beside)).ids.first { own.contains($0) }
      try context.require(
        common == nil, "the lists of \(context.path) and of \(beside) were walked", expected: "no record in both",
        found: "the record \(common??.text ?? "")")
    }
    for name in owners.sorted() {
      for other in [Int(owner.text).map { "\($0 + 1)" } ?? "conformance", owner.text + "1"] {
        for comparison in [Comparison.equal, .notEqual] {
          let condition = Filter.compare(FieldPath(name), comparison, .word(other))
          let request = ListRequest(ListQuery(context.path, filters: [condition]), limit: 50)
          let foreign = try await context.gather(request).filter { RecordID($0.fields[name]) != owner }
          try context.require(
            foreign.isEmpty, "\(context.words(request.query)) was requested", expected: "only records of \(owner)",
            found:
              "the record \(foreign.first?.id?.text ?? "") with \((foreign.first?.fields[name]).shown)")
        }
      }
    }
  }

  static let impossibleWindow = Law(
    "invalid skip or page size", .paging, by: .engine, needs: [.list],
    "a negative skip throws `invalid` or `unsupported` before any request is made; a page size below 1 does too, or is"
      + " planned as another size."
  ) { context throws(CheckStop) in
    for (size, skip) in [(3, -1), (nil, -1), (3, Int.min), (0, 0), (-1, 0), (Int.min, 0)] as [(Int?, Int)] {
      let query = ListQuery(context.path, pageSize: size, skip: skip)
      if skip == 0, let plan = try? await context.backend.plan(query), plan.pageSize ?? 1 >= 1 { continue }
      let done = "a list with the page size \(size.map(String.init) ?? "unset") and the skip \(skip) was requested"
      try await context.expectRefusal(done, [.invalid, .unsupported], of: context.calls.list(query))
    }
  }
}

extension LawContext {
  /// The list of the same name below another record, if possible one with records; nil if there is none.
  func listBeside() async throws(CheckStop) -> ResourcePath? {
    guard let parent = path.parent, description.resource(named: parent.resource) != nil else { return nil }
    var above = path.parts
    above.removeLast(2)
    guard let owners = ResourcePath(parts: above) else { return nil }
    var beside: ResourcePath?
    let ids = try? await page(ListQuery(owners, pageSize: 10)).records.compactMap(\.id)
    for id in (ids ?? []).filter({ $0 != parent.id }).prefix(5) {
      guard let path = ResourcePath(parts: above + [id.text, path.name]),
        let page = try? await page(ListQuery(path, pageSize: 1))
      else { continue }
      beside = path
      if !page.records.isEmpty { break }
    }
    return beside
  }

  fileprivate func description(
    liveOver exchange: any HTTPExchange
  ) async throws(BackendError) -> BackendDescription {
    try await subject.make(exchange).describe(.live)
  }

  /// The live description with a fault in one of its requests; nil if it fails.
  fileprivate func liveDescription(_ fault: FaultyExchange.Fault, at place: Int) async -> BackendDescription? {
    let number = Mutex(0)
    let exchange = FaultyExchange(traffic, fault) { _ in number.next() == place + 1 }
    return try? await description(liveOver: exchange)
  }
}
