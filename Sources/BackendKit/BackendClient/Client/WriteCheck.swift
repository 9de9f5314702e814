import BackendKit
import Synchronization

/// The check of a write against what a description says of its resource, before anything is sent.
struct WriteCheck {
  let client: Client
  let resource: ResourceDescription

  /// Everything that a resource refuses about a write, in the order of its fields.
  func complaints(about write: Write) -> [BackendError] {
    var complaints: [BackendError] = []
    func judge(_ check: () throws(BackendError) -> Void) {
      do throws(BackendError) { try check() } catch { complaints.append(error) }
    }
    switch write {
    case .create(_, let fields):
      judge { () throws(BackendError) in try client.require(.create, resource) }
      for (name, value) in fields.members {
        judge { () throws(BackendError) in try checkField(name, value) }
      }
      judge { () throws(BackendError) in
        try checkRequired(fields, of: resource.name, among: resource.fields.filter { !$0.isReadOnly })
      }
    case .update(_, _, let changes, let parts, _):
      judge { () throws(BackendError) in try client.require(.update, resource) }
      if changes.isEmpty && parts.isEmpty {
        complaints.append(.invalid("no field was given", hint: "write FIELD=VALUE or --unset FIELD"))
      }
      for change in changes { judge { () throws(BackendError) in try check(change) } }
      for part in parts { judge { () throws(BackendError) in try checkPart(part) } }
    case .delete(_, let deletion, _):
      judge { () throws(BackendError) in try client.require(deletion == .all ? .deleteAll : .delete, resource) }
    case .act(_, let id, let name, let fields):
      judge { () throws(BackendError) in try checkAction(name, on: id, fields) }
    }
    return complaints
  }

  private func checkAction(_ name: String, on id: RecordID?, _ fields: Object) throws(BackendError) {
    let action: ActionDescription
    do throws(BackendError) { action = try resource.checkAction(name, on: id) } catch {
      throw error.with(effect: .notSent, hint: resource.actionsHint)
    }
    try checkInput(fields, of: action)
  }

  private func checkRequired(
    _ fields: Object, of name: String, among described: [FieldDescription]
  ) throws(BackendError) {
    let missing = described.filter { $0.isRequired && fields[$0.name] == nil }
    if let first = missing.first {
      throw .invalid(
        "\(name) needs \(missing.map(\.withArticle).joined(separator: " and "))",
        hint: "add \(first.name)=…")
    }
  }

  func check(_ change: Change) throws(BackendError) {
    switch change {
    case .set(let name, let value): try checkField(name, value)
    case .unset(let name):
      try checkField(name, nil)
      if resource.field(named: name)?.isRequired == true {
        throw .invalid("\(name) is required and cannot be cleared")
      }
      if !resource.capabilities.canClear {
        throw .unsupported(
          "\(client.name) cannot clear a field of \(resource.name)", hint: "\(name):=null sets it to null")
      }
    }
  }

  private func checkField(_ name: String, _ value: Value?) throws(BackendError) {
    guard let field = resource.field(named: name) else {
      return try checkOpen(name)
    }
    if field.isReadOnly, !(resource.capabilities.takesIdentifiers && resource.identifier.isHeld(by: name)) {
      throw .invalid("\(name) of \(resource.name) is read-only: only the server sets it")
    }
    try checkValue(value, of: field)
  }

  private func checkValue(_ value: Value?, of field: FieldDescription) throws(BackendError) {
    // The stand-in of a file is not a value of the field.
    guard field.file == nil else { return }
    // The backend refuses another type if the type is proved. Notes on many records are merged by field.
    let kind = field.likely.contains(.type) ? value.flatMap { field.kindComplaint(about: $0, showsValue: false) } : nil
    if let complaint = kind ?? value.flatMap(field.complaint(about:)) {
      throw .invalid(complaint)
    }
  }

  private func checkPart(_ part: PartChange) throws(BackendError) {
    guard resource.capabilities.operations.contains(.get) else {
      if part.isRelative {
        throw .unsupported(
          "\(resource.name) cannot be read, and \(part) is computed from the record")
      }
      throw .unsupported(
        "\(resource.name) cannot be read, and \(part) is part of a field that must be sent whole",
        hint: "write the whole field as JSON: \(part.field):={…}")
    }
    try checkField(part.field, nil)
    var field = resource.field(named: part.field)
    for name in part.path.dropFirst() where Int(name) == nil { field = field?.fields.first { $0.name == name } }
    if let field, field.isReadOnly {
      throw .invalid("\(part) is read-only: only the server sets it")
    }
    if let field { try checkValue(part.value, of: field) }
  }

  private func checkInput(_ fields: Object, of action: ActionDescription) throws(BackendError) {
    for (name, value) in fields.members {
      guard let field = action.field(named: name) else {
        let known = action.fields.map(\.name).joined(separator: ", ")
        throw .invalid(
          "unknown field \"\(name)\" of the action \(action.name)",
          hint: known.isEmpty ? "it takes no fields" : "fields: \(known)")
      }
      try checkValue(value, of: field)
    }
    try checkRequired(fields, of: action.name, among: action.fields)
  }

  /// Refuses a field that no record of the resource has: the server would accept it and store nothing.
  private func checkOpen(_ name: String) throws(BackendError) {
    guard !resource.mayHaveOtherFields, client.accepted.withLock({ $0[resource.name]?.contains(name) }) != true else {
      return
    }
    let names = resource.fields.map(\.name)
    let advice =
      SpellingSuggestion.suggestion(for: name, among: names).map { "did you mean \($0)?" }
      ?? "fields: \(names.joined(separator: ", "))"
    throw .invalid("unknown field \"\(name)\"", hint: advice)
  }
}

extension Client {
  /// Throws what proved facts refuse, and returns a note for each value that only likely facts would refuse. `proved`
  /// is the resource with its proved facts only, nil if all are proved.
  func check(
    _ write: Write, _ resource: ResourceDescription, _ proved: ResourceDescription?
  ) throws(BackendError) -> [String] {
    if let id = write.id { try check(id, resource) }
    return try checkContent(of: write, resource, proved)
  }

  /// Checks all but the identifier.
  @discardableResult
  func checkContent(
    of write: Write, _ resource: ResourceDescription, _ proved: ResourceDescription?
  ) throws(BackendError) -> [String] {
    let refused = WriteCheck(client: self, resource: proved ?? resource).complaints(about: write)
    if let first = refused.first { throw first }
    guard proved != nil else { return [] }
    return WriteCheck(client: self, resource: resource).complaints(about: write).map {
      "\($0.message) (the description may be wrong)"
    }
  }

  /// A creation with the described defaults of omitted fields, and notes that name these.
  func filled(_ write: Write, _ resource: ResourceDescription) -> (write: Write, notes: [String]) {
    guard case .create(let path, var fields) = write else { return (write, []) }
    var notes: [String] = []
    for (field, value) in resource.defaults(besides: fields) {
      fields[field.name] = value
      let shown = field.isSecret ? "…" : String(JSONWriter.compact(value).prefix(40))
      notes.append("\(field.name) is not given and gets its default, \(shown)")
    }
    return (.create(path, fields), notes)
  }

  /// Accepts fields that the description of a resource lacks, since the service has shown them.
  public func accept(fields names: [String], of resource: String) {
    accepted.withLock { $0[resource, default: []].formUnion(names) }
  }
}

extension FieldDescription {
  /// The name with its article: `a title`.
  fileprivate var withArticle: String { (name.first.map { "aeio".contains($0) } == true ? "an " : "a ") + name }
}

extension ResourceDescription {
  /// The description without constraints on the values of some fields, of the resource and of its actions.
  func withAnyValue(in names: Set<String>) -> ResourceDescription {
    func free(_ field: FieldDescription) -> FieldDescription {
      guard names.contains(field.name) else { return field }
      var field = field
      field.fields = []
      field.likely.formUnion(Set(FieldDescription.Fact.allCases).subtracting([.required, .readOnly]))
      return field.proved
    }
    var resource = self
    resource.fields = fields.map(free)
    for place in actions.indices { resource.actions[place].fields = actions[place].fields.map(free) }
    return resource
  }

  fileprivate var actionsHint: String {
    guard !actions.isEmpty else { return "it has none" }
    let names = actions.map { "\($0.name) (\($0.subject == .record ? "of a record" : "of the collection"))" }
    return "actions: \(names.joined(separator: ", "))"
  }
}
