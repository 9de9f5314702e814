import BackendKit

extension Law {
  static let describing: [Law] = [
    quietDescription, stableDescription, liveDescription, uniqueNames, pageSizesAgree, unlistedFieldsCanBeRead,
    fixedIdentifiers, nonsenseDescribed, wordsOfAnError, somethingToWrite,
  ]

  private static let quietDescription = Law(
    "quiet description", .describe, "with `.known` no request is made."
  ) { context throws(CheckStop) in
    let (backend, traffic) = try context.deadEnd()
    _ = try await context.attempt("what is known was described") { () throws(BackendError) in
      try await backend.describe(.known)
    }
    try context.require(
      traffic.count == 0, "what is known was described", expected: "no request",
      found: "the request \(traffic.requests.first?.summary ?? "")")
    return .run
  }

  private static let stableDescription = Law(
    "stable description", .describe, "two calls without a change on the server give equal answers."
  ) { context throws(CheckStop) in
    for depth in DescriptionDepth.allCases {
      let done = "the backend was described twice, \(depth.rawValue)"
      let first = try await context.attempt(done) { () throws(BackendError) in try await context.backend.describe(depth)
      }
      let second = try await context.attempt(done) { () throws(BackendError) in
        try await context.backend.describe(depth)
      }
      try context.require(first == second, done, expected: "equal answers", found: "two answers that differ")
    }
    return .run
  }

  private static let liveDescription = Law(
    "live description", .describe,
    "what the server tells adds to what is known: no resource goes, and none gets another rule of identifiers."
  ) { context throws(CheckStop) in
    let done = "the backend was described, first as known and then live"
    let known = try await context.attempt(done) { () throws(BackendError) in try await context.backend.describe(.known)
    }
    let live = try await context.attempt(done) { () throws(BackendError) in try await context.backend.describe(.live) }
    for resource in known.resources {
      guard let same = live.resource(named: resource.name) else {
        throw .breach(done, expected: "the resource \(resource.name) in both", found: "it is not in the second")
      }
      try context.require(
        same.identifier == resource.identifier, done, expected: "one rule of identifiers of \(resource.name)",
        found: "\(resource.identifier) and \(same.identifier)")
    }
    try context.require(
      live.resource(named: context.path.name) != nil, done, expected: "the resource \(context.path.name) in the second",
      found: live.resources.map(\.name).joined(separator: ", "))
    return .run
  }

  private static let uniqueNames = Law(
    "unique names", .describe,
    "no two resources have the same name, no two fields of a resource, and each child is itself described."
  ) { context throws(CheckStop) in
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
    guard !context.description.isOpen else { return .run }
    for child in context.description.resources.flatMap(\.children) {
      try context.require(
        names.contains(child), done, expected: "a description of the child \(child)", found: "none")
    }
    return .run
  }

  private static let pageSizesAgree = Law(
    "page sizes agree", .describe,
    "the cap and the default size are at least 1, and the default size is not above the cap."
  ) { context throws(CheckStop) in
    let cap = context.capabilities.pageCap
    let usual = context.capabilities.defaultPageSize
    try context.require(
      (cap ?? 1) >= 1 && (usual ?? 1) >= 1 && (usual ?? 1) <= (cap ?? .max), "the capabilities were read",
      expected: "1 ≤ default page size ≤ cap", found: "default \(usual ?? 0), cap \(cap ?? 0)")
    return .run
  }

  private static let unlistedFieldsCanBeRead = Law(
    "unlisted fields can be read", .describe, "where a list leaves fields out, `get` is declared."
  ) { context throws(CheckStop) in
    guard !context.capabilities.unlistedFields.isEmpty else { return .notApplicable("lists leave no field out") }
    try context.require(
      context.operations.contains(.get), "the capabilities were read",
      expected: "the operation get, which loads \(context.capabilities.unlistedFields.joined(separator: ", "))",
      found: "no get")
    return .run
  }

  private static let somethingToWrite = Law(
    "something to write", .describe,
    "a resource that declares `create` or `update` describes a field that may be written, or no field but its"
      + " identifier."
  ) { context throws(CheckStop) in
    guard !context.operations.isDisjoint(with: [.create, .update]) else {
      return .notApplicable("the resource declares neither create nor update")
    }
    let fields = context.resource.fields.filter { !context.resource.identifier.isHeld(by: $0.name) }
    try context.require(
      fields.isEmpty || fields.contains { !$0.isReadOnly }, "the description of the fields was read",
      expected: "one that may be written", found: "\(fields.count) that only the server sets")
    return .run
  }

  private static let fixedIdentifiers = Law(
    "fixed identifiers", .describe,
    "unless `create` may choose it, a described field that holds the identifier is described as read-only."
  ) { context throws(CheckStop) in
    guard !context.capabilities.takesIdentifiers else { return .notApplicable("identifiers may be chosen") }
    guard !context.operations.isDisjoint(with: [.create, .update]) else {
      return .notApplicable("the resource declares neither create nor update")
    }
    guard let name = context.resource.identifier.field, let field = context.resource.field(named: name) else {
      return .notApplicable("no described field holds the identifier")
    }
    try context.require(
      field.isReadOnly, "the description of the field \(name) was read", expected: "that only the server sets it",
      found: "that it can be written")
    return .run
  }
}
