import BackendKit

extension LawContext {
  func get(_ id: RecordID) async throws(CheckStop) -> Record {
    try await attempt("the record \(id) was read", await backend.get(id))
  }

  /// Identifiers of up to this many records, from the start and the end of the first page, or of the suite's own.
  func someIDs(_ count: Int) async throws(CheckStop) -> [RecordID] {
    try needs(.get)
    guard operations.contains(.list) else { return try await sandbox.make(1) }
    var ids = try await page(query()).records.compactMap(\.id)
    if ids.isEmpty {
      try await sandbox.stock(count)
      ids = try await page(query()).records.compactMap(\.id)
    }
    guard let last = ids.last else { throw .notApplicable("there are no records") }
    return ids.count <= count ? ids : Array(ids.prefix(count - 1)) + [last]
  }

  /// An identifier that names no record, if possible that of a deleted one.
  func missingID() async throws(CheckStop) -> RecordID {
    let canDelete = operations.contains(.delete) && !capabilities.keepsDeleted
    guard resource.identifier.form == .text, canDelete, let id = try await own.id() else {
      return resource.identifier.complaint(about: plausibleID) == nil ? plausibleID : try await own.absentID()
    }
    await sandbox.clean()
    return id
  }

  /// The first field in which two records differ, in words.
  func difference(_ left: Object, _ right: Object) -> String {
    let names = left.names + right.names.filter { left[$0] == nil }
    guard let name = names.first(where: { left[$0] != right[$0] }) else {
      return "no difference"
    }
    if resource.field(named: name)?.holdsSecret == true { return "two values of \(name), which is secret" }
    let texts = [left[name], right[name]].map { $0.map(JSONWriter.compact) ?? "nothing" }
    return "\(name) with \(LawContext.shortened(texts[0])) and \(LawContext.shortened(texts[1]))"
  }

  static func shortened(_ text: String, to length: Int = 120) -> String {
    let scalars = text.unicodeScalars
    return scalars.count <= length ? text : String(String.UnicodeScalarView(scalars.prefix(length - 1))) + "…"
  }

  /// The identifiers of a list, around the place where it begins to differ from another.
  func words(_ ids: [RecordID?], unlike other: [RecordID?] = []) -> String {
    guard !ids.isEmpty else { return "no record" }
    let begin = max(0, min(zip(ids, other).prefix { $0 == $1 }.count, ids.count - 1) - 3)
    let shown = ids[begin...].prefix(12).map { $0?.text ?? "none" }.joined(separator: ", ")
    let rest = ids.count - begin - 12
    return "\(counted(ids.count, "record")): \(begin > 0 ? "…, " : "")\(shown)\(rest > 0 ? ", …" : "")"
  }

  /// The identifier of a listed record, or else of the suite's own.
  func anyID() async throws(CheckStop) -> RecordID? {
    if operations.contains(.list), let id = try await page(query(pageSize: 1)).records.first?.id { return id }
    return try await own.id()
  }

  /// The values by which a field can refer to the records of its resource; nil if these cannot all be listed.
  func referable(by field: FieldDescription) async -> [Value]? {
    guard let reference = field.reference,
      description.resource(named: reference.resource)?.capabilities.operations.contains(.list) == true,
      let listed = try? await walk(ListQuery(ResourcePath(name: reference.resource))),
      listed.pages.last?.end.proof != .untested
    else { return nil }
    let isNumber = field.kind == .integer || field.kind == .number
    return listed.records.compactMap { record in
      if let key = reference.key { return record.fields[key] }
      guard let id = record.id else { return nil }
      return isNumber ? Number(id.text).map { .number($0) } : .string(id.text)
    }
  }

  func words(_ fields: Object) -> String {
    fields.members.map { "\($0.0)=\($0.1.shown)" }.joined(separator: ", ")
  }

  func liveResource() async throws(CheckStop) -> ResourceDescription? {
    try await attempt("the backend was described live", await backend.describe(.live)).resource(named: path.name)
  }
}
