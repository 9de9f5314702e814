import BackendKit

extension InMemoryResource {
  /// Refuses the fields of an impossible record.
  func checkNew(_ fields: Object) throws(BackendError) {
    let rule = description.identifier
    for field in description.fields {
      if field.isRequired, !field.isReadOnly, (fields[field.name] ?? .null) == .null {
        throw .invalid("\(description.name) needs a \(field.name)")
      }
      if field.isReadOnly, field.name != rule.field, fields[field.name] != nil {
        throw .invalid("\(field.name) is read-only: only the server sets it")
      }
      try checkLength(of: fields[field.name], field)
    }
    guard let field = rule.field, let value = fields[field] else { return }
    guard description.capabilities.takesIdentifiers else {
      throw .unsupported("\(description.name) chooses the identifiers of its records itself")
    }
    guard let id = RecordID(value) else { throw .invalid("\(field) is a \(value.kind), which cannot be an identifier") }
    if let complaint = rule.complaint(about: id.text) { throw .invalid(complaint) }
  }

  func check(_ changes: [Change], _ revision: String?) throws(BackendError) {
    if revision != nil, revisionField == nil { throw .unsupported("\(description.name) has no revisions") }
    for change in changes {
      let field = description.field(named: change.field)
      if description.identifier.isHeld(by: change.field) || change.field == revisionField || field?.isReadOnly == true {
        throw .invalid("\(change.field) of \(description.name) cannot be changed")
      }
      if case .set(_, let value) = change, let field { try checkLength(of: value, field) }
      if case .unset(let field) = change, !description.capabilities.canClear {
        throw .unsupported("\(description.name) cannot remove \(field)")
      }
    }
  }

  private func checkLength(of value: Value?, _ field: FieldDescription) throws(BackendError) {
    if let complaint = value.flatMap(field.complaint) { throw .invalid(complaint) }
  }
}

extension InMemoryTable {
  func existing(_ id: RecordID) throws(BackendError) -> Int {
    guard let place = place(of: id) else {
      throw BackendError(.notFound, "\(resource.description.name) has no record \"\(id)\"", effect: .rejected)
    }
    return place
  }

  mutating func create(_ fields: Object) throws(BackendError) -> WriteReceipt {
    if let field = rule.field, let id = RecordID(fields[field]), place(of: id) != nil {
      throw BackendError(
        .alreadyExists, "\(resource.description.name) has a record \"\(id)\" already", effect: .rejected)
    }
    let record = made(from: fields)
    append(record)
    return WriteReceipt(id: record.id, record: rows[rows.count - 1].record)
  }

  mutating func update(_ id: RecordID, _ changes: [Change], _ revision: String?) throws(BackendError) -> WriteReceipt {
    let fields = rows[try existing(id)].record.fields.changed(changes)
    return try replace(id, with: fields, revision)
  }

  /// Replaces the fields of a record. Its identifier stays, and its revision is incremented.
  mutating func replace(
    _ id: RecordID, with fields: Object, _ revision: String?
  ) throws(BackendError) -> WriteReceipt {
    let place = try existing(id)
    var record = rows[place].record
    let before = record.fields
    record.fields = fields
    if let field = rule.field { record.fields[field] = before[field] }
    try check(revision, of: id)
    if let field = resource.revisionField { record.fields[field] = .int((before[field]?.integer ?? 0) + 1) }
    replace(at: place, with: record)
    return WriteReceipt(id: id, record: rows[place].record)
  }

  /// Throws `conflict` if a record does not have the required revision.
  private func check(_ revision: String?, of id: RecordID) throws(BackendError) {
    guard let revision, let field = resource.revisionField else { return }
    let current = rows[try existing(id)].record.fields[field]?.integer ?? 0
    guard revision != "\(current)" else { return }
    throw BackendError(
      .conflict, "\"\(id)\" is at revision \(current), not \(revision)", effect: .rejected, hint: "read it again")
  }

  /// Applies an action and its arguments to one or all records.
  mutating func act(_ action: String, on id: RecordID?, _ given: Object) throws(BackendError) -> WriteReceipt {
    let sets = resource.actions[action] ?? Object()
    let changes = sets.members.map { Change.set($0.0, $0.1) } + given.members.map { Change.set($0.0, $0.1) }
    guard let id else {
      for id in rows.compactMap(\.record.id) { _ = try update(id, changes, nil) }
      return WriteReceipt(id: nil, answer: ["count": .int(rows.count)])
    }
    return try update(id, changes, nil)
  }

  mutating func delete(_ deletion: Deletion, _ revision: String? = nil) throws(BackendError) -> WriteReceipt {
    switch deletion {
    case .one(let id):
      try check(revision, of: id)
      remove(at: try existing(id))
      return WriteReceipt(id: id)
    case .all:
      removeAll()
      return WriteReceipt(id: nil)
    }
  }
}
