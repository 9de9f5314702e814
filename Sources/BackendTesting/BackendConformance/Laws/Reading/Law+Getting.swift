import BackendKit

extension Law {
  static let getting: [Law] = [gotAsAskedFor, gotTwice, missingRecord, foreignRecord]

  private static let gotAsAskedFor = Law(
    "get returns requested record", .get,
    "the record is loaded with all its fields, and has the requested identifier, including in the field that holds it."
  ) { context throws(CheckStop) in
    for id in try await context.someIDs(3) {
      let record = try await context.get(id)
      let done = "the record \(id) was read"
      try context.require(
        record.isWhole, done, expected: "all its fields",
        found: "the record without \(record.unloaded.joined(separator: ", "))")
      try context.require(
        record.id == id, done, expected: "its identifier", found: record.id.map(\.quoted) ?? "none")
      guard let field = context.resource.identifier.field, let value = record.fields[field] else { continue }
      try context.require(
        RecordID(value) == id, done, expected: "its identifier in the field \(field)", found: value.shown)
    }
  }

  private static let foreignRecord = Law(
    "record of another owner", .get,
    "a record addressed below a record that it does not belong to throws `notFound`: it is neither read, changed nor"
      + " deleted."
  ) { context throws(CheckStop) in
    guard let owner = context.path.parent?.id else { throw .notApplicable("the resource is not below a record") }
    try context.needs(.list, .get)
    let owners = try await context.fields.owners()
    let others: [Record]
    if let beside = try await context.listBeside() {
      others = try await context.walk(ListQuery(beside), upTo: 3).records
    } else if let name = owners.sorted().first, context.description.resource(named: context.path.name) != nil {
      let everything = ListQuery(ResourcePath(name: context.path.name))
      others = try await context.walk(everything, upTo: 3).records.filter { RecordID($0.fields[name]) != owner }
    } else {
      throw .notApplicable("no field of the records identifies their owner, and there is no other list")
    }
    guard let id = others.last?.id else { throw .notApplicable("no record belongs to another") }
    let (backend, exchange) = try context.withoutWrites()
    let field = context.fields.updatable?.name ?? "title"
    var calls = [context.calls.get(id)]
    if context.operations.contains(.update) { calls.append(context.calls.update(id, [.set(field, "conformance")])) }
    if context.operations.contains(.delete) { calls.append(context.calls.delete(id)) }
    for call in calls {
      let done = "\(call.words) below \(owner), to which it does not belong"
      try await context.expectFailure(done, [.notFound], of: await call.make(backend))
      try context.require(
        exchange.requests.isEmpty, done, expected: "no request that may change it",
        found: exchange.requests.first?.summary ?? "")
    }
  }

  private static let gotTwice = Law(
    "get is repeatable", .get, "while nothing is written, reading a record twice returns equal records."
  ) { context throws(CheckStop) in
    for id in try await context.someIDs(2) {
      let first = try await context.get(id)
      let second = try await context.get(id)
      try context.require(
        first == second, "the record \(id) was read twice", expected: "equal records",
        found: context.difference(first.fields, second.fields))
    }
  }

  private static let missingRecord = Law(
    "get missing record", .get, needs: [.get], "a `get` of a record that does not exist throws `notFound`."
  ) { context throws(CheckStop) in
    let id = try await context.missingID()
    try await context.expectFailure(
      "a get was sent for the record \(id), which does not exist", [.notFound], of: await context.backend.get(id))
  }
}
