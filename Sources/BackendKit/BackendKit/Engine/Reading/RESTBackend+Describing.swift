extension RESTBackend {
  var service: Service { _read { yield engine.service } }

  /// Describes the service; live, also what the server reports.
  public func describe(_ depth: DescriptionDepth) async throws(BackendError) -> BackendDescription {
    let inspection = service.inspection
    guard depth == .live else { return description(of: service.resources) }
    var description = description(of: service.resources)
    if let about = inspection.about {
      let said = try await members(of: about)
      if let version = inspection.version.flatMap({ said?[$0]?.text }), let version = BackendError.quoted(version) {
        description.product = service.product + " " + version
      }
      if let proof = inspection.proof, said?[proof.name] == proof.value { return description }
    }
    var unread = UnreadResources()
    if inspection.readsList {
      for resource in service.resources.prefix(Self.mostTried) where !unread.hasRead {
        let probe = ListQuery(ResourcePath(name: resource.name), pageSize: resource.paging.size == nil ? nil : 1)
        do throws(BackendError) {
          _ = try await list(probe, at: nil, to: RecordSink { _ in .enough })
          unread.hasRead = true
        } catch { try unread.add(resource.name, error) }
      }
      try unread.requireAny()
    }
    var refusal: BackendError?
    if let catalog = inspection.catalog, let learn = service.hooks.learn {
      do { engine.reported = learn(try await records(of: catalog)) } catch {
        // Users who may read records may not be allowed to read descriptions; the configured facts are enough then.
        let isRefused = [.unauthorized, .forbidden, .notFound].contains(error.code)
        let isNamed = service.resources.contains { $0.name != catalog && $0.source != .adapter }
        if error.code == .forbidden, !isNamed { refusal = error }
        guard isRefused, isNamed || refusal != nil else { throw error }
      }
    }
    let all = self.description(of: resources, takesOthers: refusal != nil)
    (description.resources, description.others) = (all.resources, all.others)
    description.note = refusal.map { "resources cannot be listed: \($0.message); name one to use it, or log in" }
    if let overview = inspection.overview {
      description = try await surveyed(description, at: overview)
      if description.note == nil { return description }
    }
    if inspection.samples {
      for place in description.resources.indices where !unread.has(description.resources[place].name) {
        let resource = description.resources[place]
        do throws(BackendError) {
          description.resources[place] = try await sampled(resource)
          if resource.fields.isEmpty { unread.hasRead = true }
        } catch { try unread.add(resource.name, error) }
      }
      try unread.requireAny()
    }
    if description.note == nil { description.note = unread.note }
    return description
  }

  /// The maximum number of resources read to find a readable one.
  private static let mostTried = 3

  /// The object in which the service describes itself; nil if there is none that can be read.
  private func members(of path: RequestPath) async throws(BackendError) -> Object? {
    let answer = try await engine.exchange.send(HTTPRequest("GET", path, headers: service.headers, effect: .read))
    guard answer.isSuccess, let document = try? await answer.body.json() else { return nil }
    return document.object
  }

  private func records(of resource: String) async throws(BackendError) -> [Record] {
    let query = ListQuery(ResourcePath(name: resource), pageSize: 100)
    var cursor: Cursor?
    var seen: Set<Cursor> = []
    let held = BufferedPage()
    repeat {
      cursor = try await list(query, at: cursor, to: held.sink).next
      // Protects against a server that always names the same page.
      if let next = cursor, !seen.insert(next).inserted || seen.count > 100 { cursor = nil }
    } while cursor != nil
    return await held.records
  }

  /// The resources: described ones as the service reported them, then the others.
  private var resources: [Service.Resource] {
    guard let reported = engine.reported else { return service.resources }
    let catalog = service.inspection.catalog
    let known = service.resources.filter { $0.name != catalog }
    let merged = known.map { known in
      guard var found = reported.first(where: { $0.name.lowercased() == known.name.lowercased() && !$0.fields.isEmpty })
      else { return known }
      // The name stays as configured, so that it can be used as documented.
      found.name = known.name
      return found
    }
    let names = Set(known.map { $0.name.lowercased() })
    // With a catalog, resources that every such service has come after this one's own.
    let isOwn = { (resource: Service.Resource) in catalog != nil && resource.source == .adapter }
    return merged.filter { !isOwn($0) } + reported.filter { !names.contains($0.name.lowercased()) }
      + merged.filter(isOwn) + service.resources.filter { $0.name == catalog }
  }

  /// The description of resources; with `takesOthers`, others are tried although the service lists its resources.
  func description(of resources: [Service.Resource], takesOthers: Bool = false) -> BackendDescription {
    let others = takesOthers || service.inspection.catalog == nil ? service.others : nil
    var children: [String: [String]] = [:]
    for resource in resources {
      for owner in resource.owners { children[owner.resource, default: []].append(resource.name) }
    }
    for outline in service.outlined?.outlines ?? [] {
      for owner in outline.owners { children[owner, default: []].append(outline.name) }
    }
    func described(_ resource: Service.Resource) -> ResourceDescription {
      resource.description(writes: engine.writes(resource), children: children[resource.name] ?? [])
    }
    var description = BackendDescription(
      product: service.product, apiVersion: service.apiVersion, resources: resources.map(described),
      isOpen: service.others != nil, others: others.map { $0.description(writes: engine.writes($0), children: []) })
    let all = children
    description.outlined = service.outlined?.map { [engine] resource in
      resource.description(writes: engine.writes(resource), children: all[resource.name] ?? [])
    }
    return description
  }
}

/// Resources that could not be read while a service was described; the others are described if at least one can be
/// read.
private struct UnreadResources {
  private var errors: [(name: String, error: BackendError)] = []
  var hasRead = false

  func has(_ name: String) -> Bool { errors.contains { $0.name == name } }

  /// Adds a resource. Throws an error that other resources would have, too, or after a long wait.
  mutating func add(_ name: String, _ error: BackendError) throws(BackendError) {
    let isOfService =
      [.cancelled, .unauthorized, .misconfigured, .rateLimited].contains(error.code)
      || error.code == .unavailable && error.httpStatus == nil
      || error.code == .timedOut && errors.contains { $0.error.code == .timedOut }
    if isOfService { throw error }
    errors.append((name, error))
  }

  /// Throws the first error if no resource was read.
  func requireAny() throws(BackendError) {
    if !hasRead, let first = errors.first { throw first.error }
  }

  var note: String? {
    guard let first = errors.first else { return nil }
    let more = errors.count > 1 ? ", nor can \(counted(errors.count - 1, "other resource"))" : ""
    return "\(first.name) cannot be read: \(first.error.message)\(more)"
  }
}

extension Service.Resource {
  /// The operations that are possible on the records of the resource.
  var operations: Set<Capabilities.Operation> { Set(Capabilities.Operation.allCases.filter(offers)) }

  /// A field that nothing describes, but that lists have or in which records show another field: it is probably not
  /// writable.
  private func listed(_ name: String) -> FieldDescription {
    var field = FieldDescription(name, .any, isReadOnly: true)
    field.likely = [.readOnly]
    return field
  }

  /// Returns the description of the resource for the client.
  fileprivate func description(writes: Capabilities.Writes, children: [String]) -> ResourceDescription {
    let paging = isSole ? .none : paging
    let clearings = Set(updating.map { [$0.clearing] + $0.clearings.values } ?? [])
    var can = Capabilities(
      operations: operations, paging: paging.kind, pageCap: paging.cap, takesLargerPages: paging.takesLargerPages,
      defaultPageSize: paging.defaultSize, stability: stability,
      hasTotal: paging.isWhole && !paging.mayGoOn || paging.total != nil,
      update: updating?.method == nil ? .replace : .partial, canClear: clearings != [.impossible], writes: writes,
      unlistedFields: unlisted, takesIdentifiers: creating?.takesIdentifiers ?? false,
      hasSearch: !isSole && (hasSearch || searching != nil))
    can.operationsBelow = operationsBelow
    can.updatesAreAtomic = updating?.isAtomic ?? true
    can.clearsByEmptyText = clearings.contains(.emptyText)
    can.clearsByNull = clearings.isDisjoint(with: [.emptyText, .defaultValue, .replacingByNull, .untested])
    can.clearingIsUntested = clearings.contains(.untested)
    if let updating {
      can.cleared = updating.cleared(by: updating.clearing)
      can.clearedFields = updating.clearings.mapValues(updating.cleared)
    }
    (can.keepsNull, can.createsNull) = (keepsNull(isNew: false), keepsNull(isNew: true) && creating?.sendsNull != false)
    (can.unlistedIsLikely, can.onlyListedFields, can.omitsRecords) = (unlistedIsLikely, onlyListed, omitsRecords)
    (can.showsWritesLater, can.keepsDeleted) = (showsWritesLater, deleting?.isSoft ?? false)
    if let revision {
      (can.hasRevisions, can.deletesAtRevision, can.needsRevision) = (true, revision.deletes, revision.isRequired)
    }
    can.mergesObjects = updating?.mergesObjects ?? false
    can.needsIdentifiers = creating.map { $0.isAtItem || $0.method == "PUT" } ?? false
    can.takesCreationKeys = creating?.idempotencyKey != nil
    can.missingStatuses = missing.statuses.sorted()
    can.embedding = embedding.map { Capabilities.Embedding($0.names) }
    can.listParameters = Object(
      parameters.filter { !paging.parameterNames.contains($0.0) }.map { ($0, .string($1)) }
        + requiredParameters.map { ($0, .null) })
    can.listEnd = paging.mayGoOn && paging.total == nil ? .untested : .proved
    var description = ResourceDescription(
      name: name, identifier: identifier, fields: shownFields.map(referring), source: source, isOpen: isOpen,
      capabilities: can, children: children, dependents: writes == .echoed ? [] : dependents,
      actions: actions.map(\.description))
    description.owners = owners.map(\.resource)
    if !description.fields.isEmpty {
      for name in onlyListed + shownAt.compactMap(\.place.first) where !notFields.contains(name) {
        if description.field(named: name) == nil { description.fields.append(listed(name)) }
      }
    }
    for (name, place) in shownAt where fields.named(name)?.isSecret == true {
      var path = place.filter { $0 != "*" }[...]
      // Secrets are recognized by their names: another field may have this one.
      while path.count > 1, let last = path.last, fields.named(last)?.isSecret == false || identifier.isHeld(by: last) {
        path.removeLast()
      }
      description.fields.markSecret(at: path)
    }
    return description
  }

  /// The fields, including the one that has the identifier or shows a combined one.
  private var shownFields: [FieldDescription] {
    guard !fields.isEmpty, let name = identifier.field, naming == .field || !identifier.parts.isEmpty,
      !fields.contains(where: { $0.name == name })
    else { return fields }
    // A single identifier without a described type may be a number.
    let kind: FieldDescription.Kind =
      identifier.form == .integer ? .integer : identifier.parts.isEmpty ? .any : .text
    var field = FieldDescription(name, kind, isReadOnly: creating?.takesIdentifiers != true)
    field.likely = identifier.likely
    return [field] + fields
  }

  /// The field, with its reference if other facts imply one.
  private func referring(_ field: FieldDescription) -> FieldDescription {
    guard field.reference == nil,
      let target = references.first(where: { $0.field == field.name })?.resource
        ?? owners.first(where: { $0.field == field.name })?.resource
    else { return field }
    var field = field
    field.reference = RecordReference(to: target)
    return field
  }
}

extension [FieldDescription] {
  /// Marks the member at a path as secret, where records show a secret field under another name.
  fileprivate mutating func markSecret(at path: ArraySlice<String>) {
    guard let name = path.first else { return }
    let place = firstIndex { $0.name == name } ?? count
    if place == count { append(FieldDescription(name, path.count > 1 ? .object : .any, isReadOnly: true)) }
    if path.count == 1 { self[place].isSecret = true } else { self[place].fields.markSecret(at: path.dropFirst()) }
  }
}
