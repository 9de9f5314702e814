extension Service {
  /// The content of a write before it is sent.
  public struct Draft: Sendable {
    /// True if the write creates a record.
    public let isNew: Bool
    /// The fields to set.
    public var fields = Object()
    /// The fields to clear.
    public var removed: [String] = []
    /// Fields that are cleared by one of the values to set: a null, an empty text, their default.
    private(set) var cleared: Set<String> = []
    /// The fields in ``cleared`` that an empty text clears.
    private var emptied: Set<String> = []
    /// True if a field is cleared by a null that has not been proved to clear it.
    private(set) var isUntested = false
    /// True if a field is cleared by a null within the whole record.
    private var sendsNullInWhole = false
    private var defaults: [String: Value] = [:]
    /// Notes on how the values that the service will store differ from those requested.
    public var notes: [String] = []
  }
}

extension Service.Resource {
  /// Returns whether a null that is sent is stored as null. In a JSON Merge Patch it is not a value.
  func keepsNull(isNew: Bool) -> Bool {
    updating?.keepsNull != false && (isNew || updating?.form != .mergePatch)
  }
}

extension Service.Draft {
  init(creating fields: Object, in resource: Service.Resource) {
    isNew = true
    for (name, value) in fields.members { set(name, value, resource) }
    removed = []
  }

  /// The draft of a change; the last change of each field counts.
  init(changing changes: [Change], in resource: Service.Resource, mayBeEmpty: Bool = false) throws(BackendError) {
    guard mayBeEmpty || !changes.isEmpty else { throw .invalid("no field was given") }
    isNew = false
    for change in changes {
      switch change {
      case .set(let name, let value): set(name, value, resource)
      case .unset(let name): clear(name)
      }
    }
    for field in resource.fields { defaults[field.name] = field.serverDefault }
    for name in removed { try fill(name, resource.updating?.clearing(of: name) ?? .impossible) }
    removed.removeAll(where: cleared.contains)
  }

  /// Clears a field by setting this value.
  private mutating func fill(_ name: String, _ clearing: Service.Updating.Clearing) throws(BackendError) {
    switch clearing {
    case .replacing, .removing, .impossible: return
    case .null: fields[name] = .null
    case .untested: (fields[name], isUntested) = (.null, true)
    case .replacingByNull: (fields[name], sendsNullInWhole) = (.null, true)
    case .emptyText:
      fields[name] = ""
      emptied.insert(name)
    case .defaultValue:
      guard let value = defaults[name] else {
        throw .unsupported(
          "\(name) cannot be cleared: its default on the server is unknown", hint: "set another value instead")
      }
      fields[name] = value
    }
    cleared.insert(name)
  }

  /// Returns whether a field is cleared by sending the rest of the record.
  func needsWhole(_ updating: Service.Updating) -> Bool {
    sendsNullInWhole
      || removed.contains { name in
        if case .replacing = updating.clearing(of: name) { true } else { false }
      }
  }

  private mutating func set(_ name: String, _ value: Value, _ resource: Service.Resource) {
    guard value != .null || resource.keepsNull(isNew: isNew) else {
      clear(name)
      return notes.append("the server does not store null: \(name) is left out of the record")
    }
    removed.removeAll { $0 == name }
    fields[name] = value
  }

  private mutating func clear(_ name: String) {
    fields[name] = nil
    if !removed.contains(name) { removed.append(name) }
  }

  /// Throws `invalid` or `unsupported` for anything that the service would refuse or silently drop.
  mutating func check(for resource: Service.Resource) throws(BackendError) {
    let mayName = isNew && resource.creating?.takesIdentifiers == true
    for name in fields.names + removed {
      let isIdentifier = name == resource.identifier.field
      let described = resource.fields.named(name)
      let field = described?.proved
      // Unverified facts never refuse a write.
      let isOpen =
        described?.likely.contains(.readOnly) == true
        || isNew && described?.isReadOnly == false && described?.likely.isEmpty == false
      let isRefused = isIdentifier && !isOpen || field?.isReadOnly == true
      guard !isRefused || mayName && resource.identifier.isHeld(by: name) else {
        throw .invalid("\(name) is read-only: only the server sets it", hint: "leave it out")
      }
      if field?.isNullable == false, fields[name] == .null {
        throw .invalid("\(name) cannot be null", hint: "give another value")
      }
      if resource.refusesOtherKinds, !cleared.contains(name),
        let complaint = fields[name].flatMap({ field?.kindComplaint(about: $0) })
      {
        throw .invalid(complaint)
      }
      guard described?.kind == .date, !cleared.contains(name), let value = fields[name],
        let (message, hint) = described.flatMap({ resource.dates.complaint(about: value, of: $0) })
      else { continue }
      guard described?.likely.contains(.type) == true else { throw .invalid(message, hint: hint) }
      notes.append("\(message) (the description may be wrong)")
    }
    if let name = removed.first(where: { resource.updating?.clearing(of: $0) == .impossible }) {
      throw .unsupported("\(name) cannot be cleared on this server", hint: "set another value instead")
    }
  }

  /// Adds notes about values that the service stores differently from how they are sent.
  mutating func note(_ stored: (@Sendable (Value) -> Value)?) {
    guard let stored else { return }
    for (name, value) in fields.members where !cleared.contains(name) {
      let kept = stored(value)
      guard let text = value.text, !kept.isSame(as: value) else { continue }
      switch kept {
      case .null: notes.append("\(name) is blank, which the server stores as null")
      case .string(let kept) where text.contains(text: kept):
        notes.append("\(name) is stored without the white space around it")
      default: notes.append("\(name) is stored as \(JSONWriter.compact(kept).prefix(40))")
      }
    }
  }

  /// Stores a boolean field in the type that records have: as a number, or as a boolean.
  mutating func store(_ name: String, asNumber: Bool) {
    guard let truth = fields[name]?.truth else { return }
    let stored: Value = asNumber ? .int(truth ? 1 : 0) : .bool(truth)
    guard fields[name] != stored else { return }
    fields[name] = stored
    notes.append("\(name) was sent as \(JSONWriter.compact(stored)), the form this server stores")
  }

  /// Returns the record with the changes applied; everything else stays, including unknown members.
  func applied(to record: Object) -> Object {
    var record = record
    for (name, value) in fields.members { record[name] = value }
    for name in removed { record[name] = nil }
    return record
  }

  /// Returns the fields whose values in the record differ from the draft.
  func differences(from record: Object, stored: (@Sendable (Value) -> Value)?) -> [String] {
    func found(_ name: String) -> Value {
      let value = record[name] ?? .null
      return stored?(value) ?? value
    }
    let lost = fields.members.filter { name, value in
      cleared.contains(name) ? !isCleared(name, found(name)) : !(stored?(value) ?? value).isSame(as: found(name))
    }
    return lost.map(\.0) + removed.filter { !isCleared($0, found($0)) }
  }

  /// Returns whether a cleared field may have this value.
  private func isCleared(_ name: String, _ value: Value) -> Bool {
    value == .null || emptied.contains(name) && value == "" || defaults[name]?.isSame(as: value) == true
  }

  /// The cleared fields that have their default instead of no value.
  func fallenBack(in record: Object) -> [(name: String, value: Value)] {
    (fields.names.filter(cleared.contains) + removed).compactMap { name in
      guard let value = record[name], value != .null, defaults[name]?.isSame(as: value) == true else { return nil }
      return (name, value)
    }
  }
}
