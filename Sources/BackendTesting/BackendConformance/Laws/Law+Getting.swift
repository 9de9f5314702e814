import BackendKit

extension Law {
  static let getting: [Law] = [wholeRecord, gotAsAskedFor, gotTwice, missingRecord, foreignRecord]

  private static let wholeRecord = Law(
    "whole record", .get, "the record has no unloaded fields."
  ) { bench throws(Halt) in
    for id in try await bench.someIDs(3) {
      let record = try await bench.get(id)
      try bench.require(
        record.isWhole, "the record \(id) was read", expected: "all its fields",
        found: "it without \(record.unloaded.joined(separator: ", "))")
    }
    return .run
  }

  private static let gotAsAskedFor = Law(
    "got as asked for", .get, "the record has the identifier that was asked for, also in the field that holds it."
  ) { bench throws(Halt) in
    for id in try await bench.someIDs(3) {
      let record = try await bench.get(id)
      try bench.require(
        record.id == id, "the record \(id) was read", expected: "its identifier",
        found: record.id.map { "\"\($0)\"" } ?? "none")
      guard let field = bench.resource.identifier.field, let value = record.fields[field] else { continue }
      try bench.require(
        RecordID(value) == id, "the record \(id) was read", expected: "its identifier in the field \(field)",
        found: JSONWriter.compact(value))
    }
    return .run
  }

  private static let foreignRecord = Law(
    "foreign record", .get,
    "below a record, one that belongs to another record throws `notFound`: it is neither read, changed nor deleted."
  ) { bench throws(Halt) in
    guard let owner = bench.path.parent?.id else { return .notApplicable("the resource is not below a record") }
    try bench.needs(.list, .get)
    let owners = try await bench.ownerFields()
    let others: [Record]
    if let beside = try await bench.listBeside() {
      others = try await bench.walk(ListQuery(beside), upTo: 3).records
    } else if let name = owners.sorted().first, bench.description.resource(named: bench.path.name) != nil {
      let everything = ListQuery(ResourcePath(name: bench.path.name))
      others = try await bench.walk(everything, upTo: 3).records.filter { RecordID($0.fields[name]) != owner }
    } else {
      return .notApplicable("no field of the records names the one that they belong to, and there is no other list")
    }
    guard let id = others.last?.id else { return .notApplicable("no record belongs to another") }
    let refusal = BackendError(.forbidden, "nothing is changed by this law", effect: .rejected)
    let exchange = FaultyExchange(bench.traffic, .error(refusal), when: LawCall.mayWrite)
    let backend = try bench.backend(over: exchange)
    let field = bench.updatableField?.name ?? "title"
    var calls = [bench.getCall(id)]
    if bench.operations.contains(.update) { calls.append(bench.updateCall(id, changing: field)) }
    if bench.operations.contains(.delete) { calls.append(bench.deleteCall(id)) }
    for call in calls {
      let done = "\(call.words), which does not belong to \(owner)"
      try await bench.expectFailure(done, [.notFound], effects: readEffects) { () throws(BackendError) in
        try await call.make(backend)
      }
      try bench.require(
        exchange.requests.isEmpty, done, expected: "no request that may change it",
        found: exchange.requests.first?.summary ?? "")
    }
    return .run
  }

  private static let gotTwice = Law(
    "got twice", .get, "while nothing is written, reading a record twice gives equal records."
  ) { bench throws(Halt) in
    for id in try await bench.someIDs(2) {
      let first = try await bench.get(id)
      let second = try await bench.get(id)
      try bench.require(
        first == second, "the record \(id) was read twice", expected: "equal records",
        found: bench.difference(first.fields, second.fields))
    }
    return .run
  }

  private static let missingRecord = Law(
    "missing record", .get, "an identifier that names no record throws `notFound`."
  ) { bench throws(Halt) in
    try bench.needs(.get)
    let id = try await bench.missingID()
    try await bench.expectFailure(
      "the record \(id) was read, which is not there", [.notFound], effects: [.rejected, .notSent]
    ) { () throws(BackendError) in
      try await bench.backend.get(id, from: bench.path)
    }
    return .run
  }
}
