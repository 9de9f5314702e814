import BackendKit

extension Law {
  static let refusing: [Law] = [
    Law(
      "undeclared features refused", .refusal, by: .engine,
      "an operation, an action, the clearing of a field or a revision that is not declared throws `unsupported` before"
        + " any request is made.",
      parts: [declaredOperations, undeclaredAction, undeclaredClearing, undeclaredRevisions]),
    unknownResource, nothingBelow, markedWrites,
    updateAsDeclared,
  ]

  private static let declaredOperations = Part("undeclared operation") { context throws(CheckStop) in
    var refused = 0
    for operation in Capabilities.Operation.allCases where !context.operations.contains(operation) {
      refused += 1
      try await context.expectRefusal(
        "the undeclared operation \(operation.rawValue) was called", of: operation.call(context.path))
    }
    throw refused > 0 ? .refused : .notApplicable("every operation is declared")
  }

  private static let undeclaredAction = Part("undeclared action") { context throws(CheckStop) in
    for id in [context.plausibleID, nil] {
      let call = LawCall(.update, "an action") { backend throws(BackendError) in
        try await backend.act("switchboard-conformance", on: id, in: context.path, with: Object())
      }
      try await context.expectRefusal("an undescribed action was called", of: call)
    }
    throw .refused
  }

  private static let unknownResource = Law(
    "unknown resource", .refusal,
    "a resource that cannot exist throws `notFound` or `unsupported`, never an empty list."
  ) { context throws(CheckStop) in
    let path = ResourcePath(name: "switchboard-conformance-unknown")
    let done = "the unknown resource \(path) was requested"
    if context.description.isOpen {
      try await context.expectFailure(done, [.notFound, .unsupported], of: await context.backend.page(ListQuery(path)))
      return
    }
    for operation in Capabilities.Operation.allCases {
      try await context.expectRefusal(
        "\(done) with \(operation.rawValue)", [.notFound, .unsupported], of: operation.call(path))
    }
    throw .refused
  }

  private static let nothingBelow = Law(
    "undeclared child resource", .refusal, by: .engine,
    "a resource below a record throws `notFound` or `unsupported` before any request is made, if the record's resource"
      + " does not declare it as a child."
  ) { context throws(CheckStop) in
    for owner in context.description.resources {
      for child in context.description.resources.map(\.name) where !owner.children.contains(child) {
        guard let path = ResourcePath(parts: [owner.name, context.plausibleID.text, child]) else { continue }
        try await context.expectRefusal(
          "the list of \(path) was requested", [.notFound, .unsupported], of: context.calls.list(ListQuery(path)))
      }
    }
    throw .refused
  }

  private static let undeclaredClearing = Part("undeclared clearing", needs: [.update]) { context throws(CheckStop) in
    guard !context.capabilities.canClear else { throw .notApplicable("fields can be cleared") }
    let identifier = context.resource.identifier
    let field = context.resource.fields.first { $0.takesValues && !identifier.isHeld(by: $0.name) }?.name ?? "title"
    try await context.expectRefusal(
      "the field \(field) was cleared, although clearing is not declared",
      of: context.calls.update(context.plausibleID, [.unset(field)]))
    throw .refused
  }

  private static let undeclaredRevisions = Part("undeclared revisions", needs: [.update]) { context throws(CheckStop) in
    guard !context.capabilities.hasRevisions else { throw .notApplicable("records have revisions") }
    try await context.expectRefusal(
      "an update was conditional on a revision, which is not declared",
      of: context.calls.update(context.plausibleID, [.set("title", "conformance")], revision: "1"))
    throw .refused
  }
}

extension LawContext {
  /// A well-formed identifier, whether its record exists or not.
  var plausibleID: RecordID { LawContext.plausibleID(of: resource.identifier) }

  static func plausibleID(of rule: IdentifierRule) -> RecordID {
    rule.fitting(rule.form == .integer ? "1999999999" : Sandbox.prefix + "missing", number: 1_999_999_999)
  }
}

extension Capabilities.Operation {
  /// The call of the operation with the simplest arguments.
  func call(_ path: ResourcePath) -> LawCall {
    LawCall(self, "\(rawValue) of \(path)") { judged throws(BackendError) in
      let backend = JudgedBackend(inner: judged.inner, path: path)
      switch self {
      case .list: _ = try await backend.page(ListQuery(path))
      case .get: _ = try await backend.get("1")
      case .create: _ = try await backend.create(.only("title", "conformance"))
      case .update: _ = try await backend.update("1", [.set("title", "conformance")])
      case .delete: _ = try await backend.delete(.one("1"))
      case .deleteAll: _ = try await backend.delete(.all)
      }
      return []
    }
  }
}
