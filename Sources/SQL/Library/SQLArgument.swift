import BackendKit
import CSQLite

enum SQLArgument: Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case bytes([UInt8])

  /// Returns whether both have the same type and value, texts byte for byte.
  static func == (left: SQLArgument, right: SQLArgument) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.integer(let left), .integer(let right)): left == right
    case (.real(let left), .real(let right)): left == right
    case (.text(let left), .text(let right)): left.hasSameBytes(as: right)
    case (.bytes(let left), .bytes(let right)): left == right
    default: false
    }
  }

  func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .integer(let number): hasher.combine(number)
    case .real(let number): hasher.combine(number)
    case .text(let text): hasher.combine(ExactText(text))
    case .bytes(let bytes): hasher.combine(bytes)
    }
  }

  init(_ value: OpaquePointer) {
    switch sv_value_type(value) {
    case SQLITE_NULL: self = .null
    case SQLITE_INTEGER: self = .integer(sv_value_number(value))
    case SQLITE_FLOAT: self = .real(sv_value_real(value))
    case SQLITE_TEXT:
      var length = 0
      let bytes = sv_value_text(value, &length)
      self = .text(
        bytes.map { String(decoding: UnsafeRawBufferPointer(start: $0, count: length), as: UTF8.self) } ?? "")
    default: self = .bytes([])
    }
  }

  /// The number that it is in a comparison with a numeric column, if a service can be asked for it: beyond 2^53 a
  /// double's shortest text is another number than the double, and long texts may be read otherwise.
  func number(asInteger isInteger: Bool) -> Number? {
    switch self {
    case .integer(let number): isInteger || number.magnitude < 1 << 53 ? Number(Int(number)) : nil
    case .real(let number): Self.number(number)
    case .text(let text):
      if text.utf8.count <= 15, Number(text) != nil { Double(text).flatMap(Self.number) } else { nil }
    case .null, .bytes: nil
    }
  }

  /// The number as conditions of other commands spell it: a whole one without a fraction, which a service that keeps
  /// numbers as texts would not find.
  private static func number(_ number: Double) -> Number? {
    guard number.magnitude < 9_007_199_254_740_992 else { return nil }
    return Int(exactly: number).map { Number($0) } ?? Number(number.description)
  }

  /// The computed value in the console's form.
  var shown: Value {
    switch self {
    case .null: .null
    case .integer(let number): .int(Int(number))
    case .real(let number): Number(number.description).map { .number($0) } ?? .string(number > 0 ? "Inf" : "-Inf")
    case .text(let text): .string(text)
    case .bytes(let bytes):
      .string("x'" + bytes.map { String(hex: $0, digits: 2) }.joined() + "'")
    }
  }

  /// The value in the form of a field of this type.
  func shown(as kind: FieldDescription.Kind?) -> Value {
    switch (kind, self) {
    case (.boolean?, .integer(let number)) where number == 0 || number == 1: .bool(number == 1)
    case (.object?, .text(let text)), (.list?, .text(let text)): (try? JSONReader.read(text)) ?? .string(text)
    default: shown
    }
  }
}

/// A value of a record in storage, until SQLite reads it.
enum StoredValue {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  /// A list or an object.
  case json(String)
  /// The list omitted the field.
  case unloaded
}
