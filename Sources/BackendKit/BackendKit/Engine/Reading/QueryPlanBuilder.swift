/// Divides a query between service and client, and makes the parameters for the service's part.
struct QueryPlanBuilder: ResourceWork {
  private(set) var place: ResourceTarget
  private(set) var plan: QueryPlan
  private var parameters: [(String, String)]
  /// The parameters that are conditions.
  private let conditions: [(String, String)]
  /// Fields that the projection leaves out.
  private(set) var unloaded: [String] = []

  init(_ query: ListQuery, _ target: ResourceTarget) throws(BackendError) {
    let whole = target.asList
    let resource = whole.resource
    whole.engine.see(query.filters)
    var compiled = try Self.compiled(query, whole)
    compiled.parameters += try resource.asked(query.parameters, beside: compiled.parameters)
    (parameters, conditions) = (compiled.parameters, compiled.parameters)
    place = whole.narrowed(by: conditions)
    let paging = place.resource.paging
    plan = QueryPlan(
      filters: compiled.filters, search: compiled.search, countsRecords: paging.hasTotal, request: "",
      notes: compiled.notes)
    plan.mayCountAll =
      !conditions.isEmpty && paging.listedTotal != nil && paging.counting.ignoresConditions == nil
    plan.mayOmit = resource.filters?.isLikely == true && plan.filters.contains { $0 != .not }
    if paging.mayGoOn, paging.total == nil {
      plan.notes.insert("the console cannot request a second page: the list may be incomplete", at: 0)
    } else if paging.isWhole {
      plan.notes.insert("the server returns every record at once", at: 0)
    }
    if !compiled.sorts { sort(query, resource) }
    project(query, resource)
    parameters += try resource.embedded(query.embedded)
    if query.skip > 0 {
      plan.skip = paging.canSkip && plan.isExact ? .exact : .not
      if plan.skip == .not, plan.notes.isEmpty {
        plan.notes.append("skipped locally: the server cannot start a list at an arbitrary record")
      }
    }
  }

  /// The plan with page size and first request.
  func finished(_ query: ListQuery) throws(BackendError) -> QueryPlan {
    var asked = query
    if plan.skip == .not { asked.skip = 0 }
    let window = try Window(asked, at: nil, resource.paging)
    var plan = plan
    plan.pageSize = window.size
    let request = try request(window)
    plan.request = request.summary
    if let body = request.body { plan.request += " \(String(decoding: body, as: UTF8.self))" }
    return plan
  }

  func request(_ window: Window) throws(BackendError) -> HTTPRequest {
    var address = try place.address()
    address.path = try address.path.appending(resource.listing.path)
    let headers = window.headers(resource.paging)
    if resource.paging.link != nil, let link = window.token {
      var request = place.request("GET", address, headers: headers, effect: .read)
      (request.link, request.query) = (link, [])
      return request
    }
    // A parameter of the query replaces the resource's own parameter of the same name.
    let asked = window.parameters(resource.paging) + parameters
    let names = Set(asked.map(\.0))
    let query = asked + resource.parameters.filter { !names.contains($0.0) }
    return try asking(query, at: address, headers: headers)
  }

  /// The request for the number of records that meet the conditions.
  func countingRequest() throws(BackendError) -> HTTPRequest {
    var address = try place.address()
    address.path = try address.path.appending(resource.paging.counting.path)
    return try asking(conditions, at: address)
  }

  /// A request to the collection, by the method of the resource.
  private func asking(
    _ query: [(String, String)], at address: Address, headers: [(String, String)] = []
  ) throws(BackendError) -> HTTPRequest {
    let listing = resource.listing
    var (address, body): (Address, RequestBody?) = (address, nil)
    switch listing.carrier {
    case .parameters: address.query += query
    case .parameter(let name, let encoding):
      let document = Value.object(try resource.members(of: query))
      address.query.append((name, encoding == .rison ? Rison.text(document) : JSONWriter.compact(document)))
    case .body: body = try place.body(.object(try resource.members(of: query)))
    }
    var request = place.request(listing.method, address, headers: headers, body, effect: .read)
    request.isRepeatable = listing.method != "POST" || listing.isRepeatable
    return request
  }
}

extension QueryPlanBuilder {
  /// The service's part of the conditions and the search. As long as the address would be too long, the longest
  /// condition is left to the console.
  private static func compiled(_ query: ListQuery, _ whole: ResourceTarget) throws(BackendError) -> Service.Compiled {
    let resource = whole.resource
    var (asked, places) = (query, Array(query.filters.indices))
    while true {
      var compiled = Service.Compiled()
      if let compile = whole.service.hooks.compile, !resource.isSole {
        compiled = try compile(asked, resource)
      } else {
        try asked.refuseNative()
        compiled.compile(asked, resource, beside: whole.owner?.fact.parameter)
      }
      let sent = places.indices.filter { compiled.filters[$0] != .not }
      guard resource.isTooLong(compiled.parameters),
        let longest = sent.max(by: { asked.filters[$0].length < asked.filters[$1].length })
      else {
        guard places.count < query.filters.count else { return compiled }
        var filters = query.filters.map { _ in Fidelity.not }
        for (place, fidelity) in zip(places, compiled.filters) { filters[place] = fidelity }
        compiled.filters = filters
        compiled.notes.append("filtered locally: the address of the request would be too long")
        return compiled
      }
      asked.filters.remove(at: longest)
      places.remove(at: longest)
    }
  }

  private mutating func sort(_ query: ListQuery, _ resource: Service.Resource) {
    guard let sorting = resource.sorting else {
      guard !query.sort.isEmpty else { return }
      plan.sort = .not
      return plan.notes.append("sorted locally: whether the server can sort is unknown")
    }
    let list = sorting.list ?? resource.addressing.lists
    // A page that begins behind a value omits other records with the same value.
    let isComplete = resource.paging.afterMember != nil
    if query.sort.isEmpty || sorting.serves(query),
      let sent = sorting.parameters(query.sort, list, isComplete: isComplete)
    {
      parameters += sent
    } else {
      parameters += sorting.parameters([], list) ?? []
      plan.sort = .not
      let own = "sorted locally: the server sorts by its own rules"
      plan.notes.append(
        query.serverOrder
          ? "sorted locally: the server does not support this sort"
          : sorting.exact.isEmpty ? own : "\(own), except for \(sorting.exact.joined(separator: " and "))")
    }
  }

  private mutating func project(_ query: ListQuery, _ resource: Service.Resource) {
    guard let paths = query.fields else { return }
    guard let (_, names, sent) = resource.projected(paths), !resource.isTooLong(sent + parameters)
    else {
      plan.fields = .not
      plan.notes.append(
        resource.projection == nil
          ? "the server always returns every field" : "fields are chosen locally: the server may not have all of them")
      return
    }
    parameters += sent
    unloaded = resource.fields.map(\.name).filter { !names.contains($0) }
  }
}

extension Service.Resource {
  /// The parameters that a query gives. Throws `invalid` if one is needed and not given, or is the console's own.
  fileprivate func asked(
    _ given: [String: String], beside conditions: [(String, String)]
  ) throws(BackendError) -> [(String, String)] {
    if let name = requiredParameters.first(where: { given[$0] == nil }) {
      throw .invalid(
        "a list of \(self.name) requires the parameter \(name)", hint: "list it with --param \(name)=VALUE")
    }
    for name in given.keys.sorted() {
      if paging.parameterNames.contains(name) {
        throw .invalid("\(name) cannot be given as a parameter", hint: "the console requests the pages")
      }
      if conditions.contains(where: { $0.0 == name }) {
        throw .invalid("\(name) is already sent for a condition", hint: "omit the condition or the parameter")
      }
      if let problem = ReservedName.problem(ofParameter: name) {
        throw .invalid("\(name) cannot be given as a parameter: \(problem)")
      }
    }
    return given.sorted { $0.key < $1.key }
  }

  /// The parameters that embed related records; empty if no names are given.
  func embedded(_ names: [String]) throws(BackendError) -> [(String, String)] {
    guard !names.isEmpty else { return [] }
    if let parameter = embedding?.parameterOfName { return names.map { (parameter($0), $0) } }
    guard let embedding,
      let sent = (embedding.list ?? addressing.lists).parameters(embedding.parameter, names)
    else { throw .unsupported("embedding is not supported for these fields") }
    return sent
  }

  /// The projection to some fields, with their names and parameters; nil if the service may lack one of them.
  func projected(
    _ paths: [FieldPath]
  ) -> (projection: Service.Projection, names: [String], parameters: [(String, String)])? {
    guard let projection, let names = projection.names(paths, self),
      let sent = (projection.list ?? addressing.lists).parameters(projection.parameter, names)
    else { return nil }
    return (projection, names, sent)
  }
}

extension Service.Resource {
  /// The longest address that most servers accept.
  private static let longestAddress = 8_000

  /// Returns whether the address of a list with these parameters, and those of a page, is longer than the service
  /// accepts.
  fileprivate func isTooLong(_ parameters: [(String, String)]) -> Bool {
    if case .body = listing.carrier { return false }
    let length = path.description.utf8.count + PercentEncoding.form(parameters).utf8.count + 200
    return length > projection?.longestAddress ?? Self.longestAddress
  }
}

extension Filter {
  fileprivate var length: Int { description.utf8.count }
}

extension Service.Filters {
  /// The reason why conditions are left to the console.
  fileprivate func reason(toLeave conditions: [Filter], _ planned: [Fidelity]) -> String {
    let left = zip(conditions, planned).filter { $0.1 == .not }.flatMap(\.0.paths)
    let isKnown = takesDescribed || left.allSatisfy { fields.contains($0.text) }
    guard !isKnown, !fields.isEmpty else { return "the server cannot check these conditions as the console does" }
    return "the server filters only by \(fields.joined(separator: ", "))"
  }
}

extension Service.Paging {
  /// The parameters by which pages are requested.
  var parameterNames: Set<String> {
    let places = [size, number?.parameter, offset, stretch?.start, stretch?.end, tokenParameter, range?.name]
    return Set(places.compactMap(\.self) + counting.parameters.map(\.0))
  }

  /// The place of the total in the response to a list; nil if it has none.
  var listedTotal: Service.ResponseLocation? { counting.path.isEmpty ? total : nil }

  /// True if the number of records in the list becomes known.
  var hasTotal: Bool { isWhole && !mayGoOn && !isLikely || total != nil && !counting.isEstimated }
}

extension Service.Counting {
  /// Returns whether the total in a response counts records, as far as the response shows.
  func isTotal(in document: Value?) -> Bool {
    !isEstimated && exactIf.allSatisfy { document?.at($0.path) == $0.value }
  }
}

extension Service.Compiled {
  fileprivate mutating func compile(_ query: ListQuery, _ resource: Service.Resource, beside owner: String?) {
    if let facts = resource.filters {
      self = FilterCompiler(facts, query, resource, beside: owner).compiled
    } else {
      filters = query.filters.map { _ in .not }
    }
    if filters.contains(.not) {
      notes.append(
        resource.filters.map { $0.reason(toLeave: query.filters, filters) } ?? "the server has no filters")
    }
    guard let text = query.search else { return }
    guard let searching = resource.searching else {
      search = .not
      return notes.append("the server has no search")
    }
    parameters.append((searching.parameter, text))
    search = searching.fidelity
  }
}
