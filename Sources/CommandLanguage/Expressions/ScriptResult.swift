package import BackendKit
package import ConsoleSystem

/// The result of a command for scripts: the value of `$last` and of `capture`.
package enum ScriptResult: Sendable {
  /// Records; the first ones if there were more than are kept.
  case records([Record], count: Int, isSingle: Bool)
  /// Anything else: a number, a text, an object.
  case value(Value)

  /// The result as a value: a record is an object, several are a list.
  package var value: Value {
    switch self {
    case .records(let records, _, true): records.first.map(Self.object) ?? .null
    case .records(let records, _, false): .array(records.map(Self.object))
    case .value(let value): value
    }
  }

  var parts: [String] {
    switch self {
    case .records(let records, _, _): records.first.map { Self.names(Self.object($0)) + ["count"] } ?? ["count"]
    case .value(.array): ["count"]
    case .value(let value): Self.names(value)
    }
  }

  private static func names(_ value: Value) -> [String] {
    guard case .object(let object) = value else { return [] }
    return object.members.map(\.0)
  }

  /// A record as an object of its fields, with the identifier as `id`.
  package static func object(_ record: Record) -> Value {
    var fields = record.fields
    // The server's number is the same identifier; any other `id` would address another record.
    if let id = record.id, fields["id"]?.plainText != id.text {
      fields["id"] = .string(id.text)
    }
    return .object(fields)
  }

  /// The value at a path; nil if there is none. Throws if the path leads past the kept records, or to a field of
  /// several.
  package func value(at steps: [VariableReference.Step], of name: String) throws(UsageError) -> Value? {
    switch (self, steps.first) {
    case (.records(_, let count, false), .member("count")?):
      return try Self.value(.int(count), steps.dropFirst(), name)
    case (.records(let records, let count, true), .member("count")?) where records.first?.fields["count"] == nil:
      return try Self.value(.int(count), steps.dropFirst(), name)
    case (.records(let records, let count, _), .element(let index)?):
      guard index < count else { return nil }
      guard index < records.count else {
        throw UsageError(
          "only the first \(records.count) of \(count) records of $\(name) were kept", hint: "--limit asks for fewer")
      }
      return try Self.value(in: records[index], steps.dropFirst(), name)
    case (.records(let records, let count, false), .member(let field)?):
      guard count == 1, let only = records.first else {
        throw UsageError("$\(name) is \(count) records, not one", hint: "${\(name)[0].\(field)} refers to the first")
      }
      return try Self.value(in: only, steps[...], name)
    case (.records(let records, _, true), .member?):
      return try records.first.flatMap { record throws(UsageError) in try Self.value(in: record, steps[...], name) }
    default: return try Self.value(value, steps[...], name)
    }
  }

  /// The value at a path of a record. Throws for a field that was not loaded: its value is unknown, not missing.
  private static func value(
    in record: Record, _ steps: ArraySlice<VariableReference.Step>, _ name: String
  ) throws(UsageError) -> Value? {
    let found = try value(object(record), steps, name)
    guard found == nil, case .member(let field)? = steps.first, record.unloaded.contains(field) else { return found }
    let reason = "\(field) of $\(name) is not known: it was not loaded"
    if let error = Preview.current?.stop(reason) { throw UsageError(error.message, hint: error.hint) }
    throw UsageError(
      reason, hint: "get, or list --fields \(field), loads what the service shows")
  }

  private static func value(
    _ value: Value, _ steps: ArraySlice<VariableReference.Step>, _ name: String
  ) throws(UsageError) -> Value? {
    var value = value
    var steps = steps
    while let step = steps.popFirst() {
      switch (step, value) {
      case (.member(let name), .object(let object)):
        // In a record of selected fields a nested one is named by its whole path.
        var path = name
        while object[path] == nil, case .member(let next)? = steps.first {
          path += "." + next
          steps.removeFirst()
        }
        guard let member = object[path] else { return nil }
        value = member
      case (.member("count"), .array(let list)): value = .int(list.count)
      case (.member("count"), .number): break
      case (.element(let index), .array(let list)):
        guard index < list.count else { return nil }
        value = list[index]
      default: return nil
      }
    }
    return value
  }
}
