import BackendKit
import Synchronization

extension Law {
  static let listing: [Law] = [
    endMark, stableOrder, identifiedRecords, listedAsGot, onlyDeclaredFieldsLeftOut,
    Law(
      "field types as described", .list,
      "a value in a described field is null or of the described type, and one that the description permits; with a live"
        + " description, at least one of the values is of that type; unique values are unique; where records show null,"
        + " some record has each field that the server sets; of several references, at least one leads to a record of"
        + " the described resource.",
      parts: [describedKinds, liveKinds]),
    Law(
      "fields as described", .list,
      "a live description describes the fields of a resource that has records, and all fields of its sample if it has"
        + " one; where records may have only described fields, no record has any other.",
      parts: [learnedFields, sampledFields, describedFields]),
    projection, enough, givenUp, sinkError, cutShort, readsOnlyRead, wrongAddress, absentOwner, foreignList,
  ]

  private static let endMark = Law(
    "end of list", .list, "a list has ended if, and only if, `next` is nil."
  ) { context throws(CheckStop) in
    let records = try await context.list(atLeast: 3)
    let small = try await context.walk(context.query(pageSize: max(1, records.count / 3)), upTo: 60)
    if small.isWhole {
      try context.require(
        small.records.count == records.count, "the list was walked with smaller pages until a page had no next",
        expected: "\(records.count) records", found: "\(small.records.count)")
    }
  }

  private static let stableOrder = Law(
    "stable order", .list,
    "while nothing is written, walking the pages returns each record once, in the same order each time."
  ) { context throws(CheckStop) in
    let first = try await context.list(atLeast: 3).map(\.id)
    let second = try await context.walk(context.query()).ids
    try context.require(
      first == second, "the list was walked twice", expected: "the same records in the same order",
      found: "first \(context.words(first, unlike: second)), then \(context.words(second, unlike: first))")
    let counts = Dictionary(first.map { ($0, 1) }, uniquingKeysWith: +)
    let twice = first.first { counts[$0, default: 0] > 1 }
    try context.require(
      twice == nil, "the list was walked", expected: "each record once",
      found: "the record \(twice??.text ?? "without identifier") more than once")
  }

  private static let identifiedRecords = Law(
    "records have identifiers", .list,
    "each record of a list has an identifier of the declared form, also in the field that is declared to hold it."
  ) { context throws(CheckStop) in
    for record in try await context.list(atLeast: 1) {
      let complaint = record.id.map { context.resource.identifier.complaint(about: $0.text) } ?? "there is none"
      try context.require(
        complaint == nil, "the list was walked",
        expected: "identifiers of the form \"\(context.resource.identifier.form.rawValue)\"",
        found: "\"\(record.id?.text ?? "")\": \(complaint ?? "")")
      guard let field = context.resource.identifier.field, !record.unloaded.contains(field) else { continue }
      try context.require(
        RecordID(record.fields[field]) == record.id, "the list was walked",
        expected: "\"\(record.id?.text ?? "")\" in the field \(field)", found: record.fields[field].shown)
    }
  }

  private static let listedAsGot = Law(
    "list matches get", .list,
    "a listed record has the fields that `get` returns, with the same values, except those that it names as not loaded."
  ) { context throws(CheckStop) in
    let ids = try await context.someIDs(4)
    try context.needs(.list)
    let listed = try await context.page(context.query()).records.filter { $0.id.map(ids.contains) == true }
    for record in listed {
      guard let id = record.id else { continue }
      var whole = try await context.get(id).fields
      for name in record.unloaded { whole[name] = nil }
      let isSame =
        record.fields.names.sorted() == whole.names.sorted()
        && record.fields.members.allSatisfy { whole[$0.0] == $0.1 }
      try context.require(
        isSame, "the record \(id) was listed and then read", expected: "the same fields with the same values",
        found: context.difference(record.fields, whole))
    }
  }

  private static let onlyDeclaredFieldsLeftOut = Law(
    "omitted fields are declared", .list, "a list without a projection omits no field but those declared."
  ) { context throws(CheckStop) in
    let declared = Set(context.capabilities.unlistedFields)
    for record in try await context.list(atLeast: 1) {
      let other = record.unloaded.first { !declared.contains($0) }
      try context.require(
        other == nil, "the list was walked",
        expected: declared.isEmpty ? "whole records" : "records without \(declared.sorted().joined(separator: ", "))",
        found: "a record without \(other ?? "")")
    }
  }

  private static let describedKinds = Part("described field types") { context throws(CheckStop) in
    guard !context.resource.fields.isEmpty else { throw .notApplicable("no field is described") }
    let records = try await context.list(atLeast: 1)
    let showsNull = records.contains { $0.fields.members.contains { $0.1 == .null } }
    for field in context.resource.fields where field.file == nil {
      var seen: [Value: RecordID?] = [:]
      for record in records {
        guard let value = record.fields[field.name] else { continue }
        let done = "the record \(record.id?.text ?? "") was listed"
        try context.require(
          value == .null || field.admits(value), done,
          expected: "a value of the type \"\(field.kind.rawValue)\" in \(field.name)",
          found: field.holdsSecret ? "another value" : LawContext.shortened(JSONWriter.compact(value)))
        let complaint = field.proved.complaint(about: value)
        try context.require(
          complaint == nil, done, expected: "a value that the description permits", found: complaint ?? "")
        let other = seen.updateValue(record.id, forKey: value)
        try context.require(
          other == nil || value == .null || !field.isUnique, done,
          expected: "a value of \(field.name) that no other record has, since it is described as unique",
          found: "that of the record \(other??.text ?? "")")
      }
      let isElsewhere = !field.isReadOnly || field.holdsSecret || records.contains { $0.unloaded.contains(field.name) }
      try context.require(
        !seen.isEmpty || !showsNull || records.count < 3 || isElsewhere, "\(records.count) records were listed",
        expected: "the field \(field.name), which is described, in some of them",
        found: "it in none, although they show null where there is no value")
      try await context.requireReferred(by: field, in: records)
    }
  }

  private static let liveKinds = Part("live field types") { context throws(CheckStop) in
    let records = try await context.list(atLeast: 1)
    let live = try await context.liveResource()
    // A server need not enforce its schema.
    for field in live?.fields ?? [] {
      let values = records.compactMap { $0.fields[field.name] }.filter { $0 != .null }
      try context.require(
        values.isEmpty || values.contains(where: field.admits),
        "the backend was described live and a list requested",
        expected: "a value of the type \"\(field.kind.rawValue)\" in \(field.name)",
        found: LawContext.shortened(JSONWriter.compact(values.first ?? .null)))
    }
  }

  private static let learnedFields = Part("live description has fields") { context throws(CheckStop) in
    _ = try await context.list(atLeast: 1)
    let live = try await context.liveResource()
    try context.require(
      live?.fields.isEmpty == false,
      "a list was requested and the backend described live", expected: "the fields of the records", found: "none")
  }

  private static let sampledFields = Part("sampled fields are described") { context throws(CheckStop) in
    guard let reported = try await context.liveResource(), reported.source == .sample else {
      throw .notApplicable("the fields are not known from a sample")
    }
    guard let first = try await context.list(atLeast: 1).first else { throw .notApplicable("there is no record") }
    let missing = first.fields.names.filter { reported.field(named: $0) == nil }
    try context.require(
      missing.isEmpty, "the backend was described live and a list requested",
      expected: "a description of each field of the first record",
      found: "no description of \(missing.joined(separator: ", "))")
  }

  private static let describedFields = Part("no undescribed fields") { context throws(CheckStop) in
    guard !context.resource.fields.isEmpty, !context.resource.isOpen else {
      throw .notApplicable("records may have any field")
    }
    let names = Set(context.resource.fields.map(\.name))
    if let field = context.resource.identifier.field {
      try context.require(
        names.contains(field), "the description was read", expected: "the field \(field), which holds the identifier",
        found: "no field of that name")
    }
    var records = context.operations.contains(.list) ? try await context.list(atLeast: 1) : []
    if context.operations.contains(.get), let id = try await context.anyID() {
      records.append(try await context.get(id))
    }
    for record in records {
      let other = (record.fields.names + record.unloaded).first { !names.contains($0) }
      try context.require(
        other == nil, "the record \(record.id?.text ?? "") was read", expected: "only described fields",
        found: "also \(other ?? "")")
    }
    if records.isEmpty { throw .notApplicable("there are no records") }
  }

  private static let readsOnlyRead = Law(
    "reads send read requests", .list, by: .engine,
    "describing, listing and reading send only requests that are marked as reads."
  ) { context throws(CheckStop) in
    _ = try await context.attempt("the backend was described", await context.backend.describe(.live))
    if context.operations.contains(.list) { _ = try await context.page(context.query()) }
    if context.operations.contains(.get) { _ = try? await context.backend.get(context.plausibleID) }
    let other = context.traffic.requests.first { $0.effect != .read && $0.effect != .session }
    try context.require(
      other == nil, "the backend was described, listed and read", expected: "requests marked as reads",
      found: "\(other?.summary ?? "") marked \"\(other?.effect.rawValue ?? "")\"")
  }
}

extension LawContext {
  /// Requires that of several references, which may be dangling, at least one leads to a described record.
  fileprivate func requireReferred(by field: FieldDescription, in records: [Record]) async throws(CheckStop) {
    let values = records.compactMap { $0.fields[field.name] }.flatMap { $0.array ?? [$0] }
    let used = Set(values.compactMap { RecordID($0) })
    guard used.count > 1, !field.holdsSecret, let reference = field.reference, let known = await referable(by: field),
      !known.isEmpty
    else { return }
    let key = reference.key.map { " by \($0)" } ?? ""
    try require(
      !used.isDisjoint(with: known.compactMap { RecordID($0) }), "\(records.count) records were listed",
      expected: "values of \(field.name) that identify records of \(reference.resource)\(key)",
      found: "\(used.count) that do not, such as \(used.map(\.text).min() ?? "")")
  }
}

extension FieldDescription {
  func admits(_ value: Value) -> Bool {
    kind.admits(value) || kind == .boolean && holdsNumbers && (value.integer == 0 || value.integer == 1)
  }
}

extension FieldDescription.Kind {
  func admits(_ value: Value) -> Bool {
    switch self {
    case .text, .html: value.text != nil
    case .date: value.text.map(CivilDate.isDay) == false
    case .day: value.text.map(CivilDate.isDay) == true
    case .integer: value.integer != nil
    case .number: value.kind == "number"
    case .boolean: value.bool != nil
    case .object: value.object != nil
    case .list: value.array != nil
    case .any: true
    }
  }
}
