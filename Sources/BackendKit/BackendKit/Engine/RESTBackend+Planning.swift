/// Who does what of a query, and the parameters that ask the service for its part.
struct Arrangement: Sendable {
  var plan: ListPlan
  var parameters: [(String, String)]
  /// Fields that the projection leaves out.
  var unloaded: [String] = []
}

extension RESTBackend {
  /// Says what the service is asked for, and what is left to the client.
  public func plan(_ query: ListQuery) async throws(BackendError) -> ListPlan {
    let place = try place(query.resource)
    let arrangement = try arrange(query, place)
    var asked = query
    if arrangement.plan.skip == .not { asked.skip = 0 }
    let window = try Window(asked, at: nil, place.resource.paging)
    var plan = arrangement.plan
    plan.pageSize = window.size
    plan.request = try request(window, arrangement, place).summary
    return plan
  }

  /// The request for a page.
  func request(_ window: Window, _ arrangement: Arrangement, _ place: Place) throws(BackendError) -> HTTPRequest {
    var path = place.resource.path
    if let owner = place.owner {
      let above = try self.path(owner.id, owner.resource, owner.resource.path)
      path = try RequestPath(segments: above.segments + [place.resource.path.segments.last ?? place.resource.name])
    }
    // What a query asks for counts in the place of what always goes with it.
    let asked = Set(arrangement.parameters.map(\.0))
    let query =
      window.parameters(place.resource.paging) + arrangement.parameters
      + place.resource.parameters.filter { !asked.contains($0.0) }
    return HTTPRequest("GET", path, query: query, headers: readingHeaders, effect: .read)
  }

  /// Who does what of a query.
  func arrange(_ query: ListQuery, _ place: Place) throws(BackendError) -> Arrangement {
    let resource = place.resource
    var compiled = Service.Compiled()
    if let compile = service.hooks.compile {
      compiled = try compile(query, resource)
    } else {
      try query.refuseNative()
      compiled.compile(query, resource)
    }
    var plan = ListPlan(
      filters: compiled.filters, search: compiled.search,
      countsRecords: resource.paging.isWhole || resource.paging.total != nil, request: "", notes: compiled.notes)
    if resource.paging.isWhole { plan.notes.insert("the server returns every record at once", at: 0) }
    var arrangement = Arrangement(plan: plan, parameters: compiled.parameters)
    arrangement.sort(query, resource)
    arrangement.project(query, resource)
    if !query.embedded.isEmpty {
      guard let embedding = resource.embedding else { throw .unsupported("the server embeds nothing in these records") }
      arrangement.parameters.append((embedding.parameter, query.embedded.joined(separator: ",")))
    }
    if query.skip > 0 {
      let isWindow = !resource.paging.isWhole && !resource.paging.repeatsLast && resource.paging.cursor == nil
      arrangement.plan.skip = isWindow && arrangement.plan.isExact ? .exact : .not
      if arrangement.plan.skip == .not, arrangement.plan.notes.isEmpty {
        arrangement.plan.notes.append("skipped locally: the server cannot start a list at an arbitrary record")
      }
    }
    return arrangement
  }
}

extension Arrangement {
  fileprivate mutating func sort(_ query: ListQuery, _ resource: Service.Resource) {
    guard let sorting = resource.sorting else {
      guard !query.sort.isEmpty else { return }
      plan.sort = .not
      return plan.notes.append("sorted locally: the server cannot sort")
    }
    if query.sort.isEmpty || sorting.serves(query) {
      parameters += sorting.parameters(query.sort)
    } else {
      parameters += sorting.parameters([])
      plan.sort = .not
      let own = "sorted locally: the server sorts by its own rules"
      plan.notes.append(
        query.serverOrder
          ? "sorted locally: the server does not support this sort"
          : sorting.exact.isEmpty ? own : "\(own), but for \(sorting.exact.joined(separator: " and "))")
    }
  }

  fileprivate mutating func project(_ query: ListQuery, _ resource: Service.Resource) {
    guard let paths = query.fields else { return }
    guard let projection = resource.projection, let sent = projection.names(paths, resource) else {
      plan.fields = .not
      plan.notes.append(
        resource.projection == nil
          ? "the server always returns every field" : "fields are chosen locally: the server may not have all of them")
      return
    }
    parameters.append((projection.parameter, sent.joined(separator: ",")))
    unloaded = resource.fields.map(\.name).filter { !sent.contains($0) }
  }
}

extension Service.Compiled {
  /// Asks for the equalities that the service can check.
  fileprivate mutating func compile(_ query: ListQuery, _ resource: Service.Resource) {
    for filter in query.filters {
      guard let facts = resource.filters, let (name, value) = facts.parameter(filter, query),
        !parameters.contains(where: { $0.0 == name })
      else {
        filters.append(.not)
        continue
      }
      parameters.append((name, value))
      filters.append(facts.fidelity)
    }
    if filters.contains(.not) {
      notes.append(
        resource.filters.map { "the server filters only by \($0.fields.joined(separator: ", "))" }
          ?? "the server has no filters")
    }
    guard query.search != nil else { return }
    search = .not
    notes.append("the server has no search")
  }
}

extension Service.Filters {
  /// The parameter that asks for a condition; nil where there is none that loses no record.
  fileprivate func parameter(_ filter: Filter, _ query: ListQuery) -> (String, String)? {
    let path: FieldPath
    let operands: [Operand]
    switch filter {
    case .compare(let field, .equal, let operand): (path, operands) = (field, [operand])
    case .among(let field, let several): (path, operands) = (field, several)
    default: return nil
    }
    guard fields.contains(path.text), !query.ignoreCase, operands.count == 1 || separator != nil else { return nil }
    var texts: [String] = []
    for operand in operands {
      guard let text = operand.text, !text.isEmpty, separator.map({ !text.contains(text: $0) }) ?? true else {
        return nil
      }
      texts.append(text)
    }
    return (equal.replacing(text: "{field}", with: path.text), texts.joined(separator: separator ?? ""))
  }
}
