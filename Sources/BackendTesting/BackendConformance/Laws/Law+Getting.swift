import BackendKit

extension Law {
  static let getting: [Law] = [wholeRecord, gotAsAskedFor, gotTwice, missingRecord, foreignRecord]

  private static let wholeRecord = Law(
    "whole record", .get, "the record has no unloaded fields."
  ) { context throws(CheckStop) in
    for id in try await context.someIDs(3) {
      let record = try await context.get(id)
      try context.require(
        record.isWhole, "the record \(id) was read", expected: "all its fields",
        found: "it without \(record.unloaded.joined(separator: ", "))")
    }
    return .run
  }

  private static let gotAsAskedFor = Law(
    "got as asked for", .get, "the record has the identifier that was asked for, also in the field that holds it."
  ) { context throws(CheckStop) in
    for id in try await context.someIDs(3) {
      let record = try await context.get(id)
      try context.require(
        record.id == id, "the record \(id) was read", expected: "its identifier",
        found: record.id.map { "\"\($0)\"" } ?? "none")
      guard let field = context.resource.identifier.field, let value = record.fields[field] else { continue }
      try context.require(
        RecordID(value) == id, "the record \(id) was read", expected: "its identifier in the field \(field)",
        found: JSONWriter.compact(value))
    }
    return .run
  }

  private static let foreignRecord = Law(
    "foreign record", .get,
    "below a record, one that belongs to another record throws `notFound`: it is neither read, changed nor deleted."
  ) { context throws(CheckStop) in
    guard let owner = context.path.parent?.id else { return .notApplicable("the resource is not below a record") }
    try context.needs(.list, .get)
    let owners = try await context.ownerFields()
    let others: [Record]
    if let beside = try await context.listBeside() {
      others = try await context.walk(ListQuery(beside), upTo: 3).records
    } else if let name = owners.sorted().first, context.description.resource(named: context.path.name) != nil {
      let everything = ListQuery(ResourcePath(name: context.path.name))
      others = try await context.walk(everything, upTo: 3).records.filter { RecordID($0.fields[name]) != owner }
    } else {
      return .notApplicable("no field of the records names the one that they belong to, and there is no other list")
    }
    guard let id = others.last?.id else { return .notApplicable("no record belongs to another") }
    let refusal = BackendError(.forbidden, "nothing is changed by this law", effect: .rejected)
    let exchange = FaultyExchange(context.traffic, .error(refusal), when: LawCall.mayWrite)
    let backend = try context.backend(over: exchange)
    let field = context.updatableField?.name ?? "title"
    var calls = [context.getCall(id)]
    if context.operations.contains(.update) { calls.append(context.updateCall(id, changing: field)) }
    if context.operations.contains(.delete) { calls.append(context.deleteCall(id)) }
    for call in calls {
      let done = "\(call.words), which does not belong to \(owner)"
      try await context.expectFailure(done, [.notFound], effects: readEffects) { () throws(BackendError) in
        try await call.make(backend)
      }
      try context.require(
        exchange.requests.isEmpty, done, expected: "no request that may change it",
        found: exchange.requests.first?.summary ?? "")
    }
    return .run
  }

  private static let gotTwice = Law(
    "got twice", .get, "while nothing is written, reading a record twice gives equal records."
  ) { context throws(CheckStop) in
    for id in try await context.someIDs(2) {
      let first = try await context.get(id)
      let second = try await context.get(id)
      try context.require(
        first == second, "the record \(id) was read twice", expected: "equal records",
        found: context.difference(first.fields, second.fields))
    }
    return .run
  }

  private static let missingRecord = Law(
    "missing record", .get, "an identifier that names no record throws `notFound`."
  ) { context throws(CheckStop) in
    try context.needs(.get)
    let id = try await context.missingID()
    try await context.expectFailure(
      "the record \(id) was read, which is not there", [.notFound], effects: [.rejected, .notSent]
    ) { () throws(BackendError) in
      try await context.backend.get(id, from: context.path)
    }
    return .run
  }
}
