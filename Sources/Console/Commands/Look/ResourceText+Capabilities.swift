import BackendKit

extension ResourceText {
  private var pages: [String] {
    let can = resource.capabilities
    var words: [String] = []
    let cap = can.pageCap.map { ", at most \($0) records per page" } ?? ""
    switch can.paging {
    case .none where can.listEnd == .untested:
      words.append("the console does not know how to request a second page: a list may be incomplete")
    case .none: words.append("returns every record at once; the console divides it into pages")
    case .offset: words.append("pages by offset\(cap)")
    case .pageNumber: words.append("pages by number\(cap)")
    case .cursor: words.append("pages by cursor\(cap)")
    }
    if can.paging != .none && can.stability == .shifting {
      words.append("pages shift while others insert or delete")
    }
    words.append(can.hasTotal ? "reports the total" : "does not report the total")
    return words
  }

  /// The lines about the resource's capabilities.
  var capabilities: [String] {
    let can = resource.capabilities
    let operations = resource.isOnlyBelow ? can.operationsBelow ?? [] : can.operations
    let verbs = Capabilities.Operation.allCases.filter { operations.contains($0) }.map {
      $0 == .deleteAll ? "delete --all" : $0.rawValue
    }
    var words = [verbs.joined(separator: ", ")]
    if resource.identifier.form != .none { words += pages }
    if can.operations.contains(.update) {
      words.append(
        can.update == .partial
          ? "an update sends only what changed" : "an update reads, changes and replaces the record")
      words.append(can.canClear ? "a field can be cleared" : "a field cannot be cleared")
      if !can.updatesAreAtomic { words.append("concurrent updates may be lost") }
      if can.mergesObjects { words.append("an update merges an object into the existing one") }
    }
    let named = [
      can.hasRevisions && can.operations.contains(.update) ? "an update" : nil,
      can.deletesAtRevision && can.operations.contains(.delete) ? "a deletion" : nil,
    ]
    let writes = named.compactMap(\.self)
    if !writes.isEmpty {
      words.append(
        "\(writes.joined(separator: " and ")) \(can.needsRevision ? "has to" : "can") name the revision of the record")
    }
    switch can.writes {
    case .kept: break
    case .echoed: words.append("writes are accepted but not stored")
    case .unknown: words.append("whether writes are stored is determined by the first write")
    }
    for dependents in resource.dependents {
      if let suffix = dependents.orphanSuffix {
        words.append(
          "deleting any record also deletes all records whose field ...\(suffix) refers to a missing record")
        continue
      }
      words.append(
        "deleting a record also deletes "
          + (dependents.resource.map { "records of \($0) that refer to it in \(dependents.field ?? "a field")" }
            ?? "every record of the resource it names"))
    }
    if !can.unlistedFields.isEmpty {
      let verb = can.unlistedIsLikely ? "may omit" : "omits"
      words.append("a list \(verb) \(can.unlistedFields.joined(separator: ", "))")
    }
    if !can.onlyListedFields.isEmpty { words.append("only a list has \(can.onlyListedFields.joined(separator: ", "))") }
    if can.omitsRecords { words.append("a list leaves out some records") }
    if can.takesIdentifiers { words.append("create may choose the identifier") }
    if can.takesCreationKeys { words.append("create is idempotent (idempotency key)") }
    if can.hasSearch { words.append("the server can search") }
    for (name, value) in can.listParameters.members {
      words.append(
        value.text.map { "a list is requested with \(name)=\($0), unless --param gives another value" }
          ?? "a list requires --param \(name)=VALUE")
    }
    if let embedding = can.embedding {
      let names = embedding.names.joined(separator: ", ")
      words.append("--embed shows \(names.isEmpty ? "what the server knows" : names) within records")
    }
    return words
  }
}
