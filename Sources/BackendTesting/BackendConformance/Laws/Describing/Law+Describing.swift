import BackendKit

extension Law {
  static let describing: [Law] = [
    quietDescription, stableDescription, liveDescription,
    Law(
      "consistent description", .describe,
      "a description is consistent: names are unique and each child is described; the cap and the default page size are"
        + " at least 1, and the default does not exceed the cap; `get` can read what lists omit; a field that holds an"
        + " identifier that cannot be chosen is read-only; what can be created or updated has a writable field.",
      parts: [uniqueNames, pageSizesAgree, unlistedFieldsCanBeRead, fixedIdentifiers, somethingToWrite]),
    Law(
      "description checks responses", .describe,
      "a live description that sends requests fails if every response is an HTML page, or JSON that says nothing about"
        + " the service; it ignores the content of a response with an error status.",
      parts: [nonsenseDescribed, wordsOfAnError]),
  ]

  private static let quietDescription = Law(
    "known description sends nothing", .describe, "with `.known`, no request is made."
  ) { context throws(CheckStop) in
    let (backend, traffic) = try context.deadEnd()
    _ = try await context.attempt("the backend was described as known", await backend.describe(.known))
    try context.require(
      traffic.count == 0, "the backend was described as known", expected: "no request",
      found: "the request \(traffic.requests.first?.summary ?? "")")
  }

  private static let stableDescription = Law(
    "stable description", .describe, "two calls without a change on the server return equal descriptions."
  ) { context throws(CheckStop) in
    for depth in DescriptionDepth.allCases {
      let done = "the backend was described twice, \(depth.rawValue)"
      let first = try await context.attempt(done, await context.backend.describe(depth))
      let second = try await context.attempt(done, await context.backend.describe(depth))
      try context.require(first == second, done, expected: "equal descriptions", found: "two that differ")
    }
  }

  private static let liveDescription = Law(
    "live description only adds", .describe,
    "what the server reports only adds to what is known: no resource disappears, and no identifier rule changes."
  ) { context throws(CheckStop) in
    let done = "the backend was described, first as known and then live"
    let known = try await context.attempt(done, await context.backend.describe(.known))
    let live = try await context.attempt(done, await context.backend.describe(.live))
    for resource in known.resources {
      guard let same = live.resource(named: resource.name) else {
        throw .breach(done, expected: "the resource \(resource.name) in both", found: "it is not in the second")
      }
      try context.require(
        same.identifier == resource.identifier, done, expected: "the same identifier rule for \(resource.name)",
        found: "\(resource.identifier) and \(same.identifier)")
    }
    try context.require(
      live.resource(named: context.path.name) != nil, done, expected: "the resource \(context.path.name) in the second",
      found: live.resources.map(\.name).joined(separator: ", "))
  }

  private static let uniqueNames = Part("unique names") { context throws(CheckStop) in
    let done = "the description was read"
    var names: Set<String> = []
    for resource in context.description.resources {
      try context.require(
        names.insert(resource.name).inserted, done, expected: "one resource of each name",
        found: "\(resource.name) twice")
      var fields: Set<String> = []
      for field in resource.fields {
        try context.require(
          fields.insert(field.name).inserted, done, expected: "one field of each name in \(resource.name)",
          found: "\(field.name) twice")
      }
    }
    guard !context.description.isOpen else { return }
    for child in context.description.resources.flatMap(\.children) {
      try context.require(names.contains(child), done, expected: "a description of the child \(child)", found: "none")
    }
  }

  private static let pageSizesAgree = Part("consistent page sizes") { context throws(CheckStop) in
    let cap = context.capabilities.pageCap
    let usual = context.capabilities.defaultPageSize
    try context.require(
      (cap ?? 1) >= 1 && (usual ?? 1) >= 1 && (usual ?? 1) <= (cap ?? .max), "the capabilities were read",
      expected: "1 ≤ default page size ≤ cap", found: "default \(usual ?? 0), cap \(cap ?? 0)")
  }

  private static let unlistedFieldsCanBeRead = Part("unlisted fields can be read") { context throws(CheckStop) in
    guard !context.capabilities.unlistedFields.isEmpty else { throw .notApplicable("lists omit no field") }
    try context.require(
      context.operations.contains(.get), "the capabilities were read",
      expected: "the operation get, which loads \(context.capabilities.unlistedFields.joined(separator: ", "))",
      found: "no get")
  }

  private static let somethingToWrite = Part("has a writable field") { context throws(CheckStop) in
    guard !context.operations.isDisjoint(with: [.create, .update]) else {
      throw .notApplicable("the resource declares neither create nor update")
    }
    let fields = context.resource.fields.filter { !context.resource.identifier.isHeld(by: $0.name) }
    try context.require(
      fields.isEmpty || fields.contains { !$0.isReadOnly }, "the description of the fields was read",
      expected: "a writable field", found: "\(fields.count) fields that only the server sets")
  }

  private static let fixedIdentifiers = Part("fixed identifiers are read-only") { context throws(CheckStop) in
    guard !context.capabilities.takesIdentifiers else { throw .notApplicable("identifiers may be chosen") }
    try context.needs(.create)
    guard let name = context.resource.identifier.field, let field = context.resource.field(named: name) else {
      throw .notApplicable("no described field holds the identifier")
    }
    try context.require(
      field.isReadOnly, "the description of the field \(name) was read", expected: "a read-only field",
      found: "a writable one")
  }
}
