import BackendKit

extension Column {
  /// The value of a record in SQL. Throws if SQL has no equal number.
  func value(of record: Record, owner: RecordID?, secrets: Secrets) throws(SQLError) -> StoredValue {
    switch source {
    case .owner(let place): return owner.map { .text(Owners.values(of: $0)[place]) } ?? .null
    case .identifier:
      guard let id = record.id else { return .null }
      if kind == .integer, let number = Int64(id.text) { return .integer(number) }
      return .text(id.text)
    case .record:
      guard record.isWhole else { return .unloaded }
      return .json(JSONWriter.compact(.object(secrets.removed(from: record.fields))))
    case .field(let path):
      switch record.state(of: path) {
      case .unloaded: return .unloaded
      case .absent: return .null
      case .value(let value): return try stored(value, secrets.inside(path.text))
      }
    }
  }

  func stored(_ value: Value, _ secrets: Secrets) throws(SQLError) -> StoredValue {
    switch value {
    case .null: return .null
    case .bool(let truth): return declaration == "TEXT" ? .text(truth ? "1" : "0") : .integer(truth ? 1 : 0)
    case .string(let text): return .text(text)
    case .array, .object: return .json(JSONWriter.compact(secrets.removed(from: value)))
    case .number(let number):
      if declaration == "TEXT" { return .text(number.text) }
      if let integer = Int64(number.text) ?? (kind == .integer ? number.integer.map(Int64.init) : nil) {
        return .integer(integer)
      }
      let real = number.double
      if real.isFinite, let shortest = Number(real.description), Number.compare(shortest, number) == .same {
        return .real(real)
      }
      throw SQLError(
        .limit, "the number \(number.text) cannot be represented exactly in SQL",
        hint: "\(Columns.recordName) contains it as text")
    }
  }
}

/// The secret fields of a resource, by the names along their paths.
struct Secrets {
  private var names: Set<String> = []
  private var inner: [String: Secrets] = [:]

  init(_ fields: [FieldDescription]) {
    for field in fields {
      if field.isSecret {
        names.insert(field.name)
      } else if !field.fields.isEmpty {
        let within = Secrets(field.fields)
        if !within.isEmpty { inner[field.name] = within }
      }
    }
  }

  private var isEmpty: Bool { names.isEmpty && inner.isEmpty }

  /// Those within a field.
  func inside(_ path: String) -> Secrets {
    if let found = inner[path] { return found }
    var place = self
    for name in FieldPath(path).names { place = place.inner[name] ?? Secrets([]) }
    return place
  }

  /// A value without its secret fields; in a list, without those of each element.
  func removed(from value: Value) -> Value {
    guard !isEmpty else { return value }
    switch value {
    case .object(let object): return .object(removed(from: object))
    case .array(let elements): return .array(elements.map(removed))
    default: return value
    }
  }

  func removed(from object: Object) -> Object {
    guard !isEmpty else { return object }
    return Object(
      object.members.compactMap { name, value in
        names.contains(name) ? nil : (name, inner[name]?.removed(from: value) ?? value)
      })
  }
}
