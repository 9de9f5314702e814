import BackendKit
import ConsoleSetup

/// The fields of a resource's records in order of appearance, with some of their values.
struct SeenFields: Sendable {
  private static let (mostFields, mostValues, sample, longest) = (200, 30, 20, 40)
  private(set) var names: [String] = []
  private var values: [String: [Value]] = [:]

  /// Adds fields and values of some of the records, without secrets.
  mutating func add(_ records: [Record], _ blanking: Blanking) {
    for record in records.prefix(Self.sample) {
      for (name, value) in record.fields.members {
        if values[name] == nil {
          guard names.count < Self.mostFields else { continue }
          names.append(name)
          values[name] = []
        }
        guard let known = values[name], known.count < Self.mostValues, value.isShort(Self.longest),
          !known.contains(value), !blanking.isSecret(value, under: name)
        else { continue }
        values[name]?.append(value)
      }
    }
  }

  /// The described fields with the values seen as examples; if none are described, the fields seen.
  func added(to fields: [FieldDescription]) -> [FieldDescription] {
    (fields.isEmpty ? names.map { FieldDescription($0, .any) } : fields).map { field in
      guard field.values.isEmpty, field.kind != .boolean, field.reference == nil, !field.holdsSecret else {
        return field
      }
      var field = field
      field.values = values[field.name] ?? []
      return field
    }
  }
}

extension Value {
  /// Returns whether it is a number, or a single-line text short enough to be offered.
  fileprivate func isShort(_ longest: Int) -> Bool {
    switch self {
    case .number: true
    case .string(let text): !text.isEmpty && text.utf8.count <= longest && !text.utf8.contains { $0 < 0x20 }
    case .null, .bool, .array, .object: false
    }
  }
}
