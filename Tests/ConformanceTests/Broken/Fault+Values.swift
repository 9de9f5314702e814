import BackendConformance
import BackendKit
import Foundation

extension Fault {
  static let values: [Fault] = texts + others

  private static let texts: [Fault] = [
    text("knows no characters beyond 16 bits", "emoji") { text in filtered(text) { $0.value < 0x10000 } },
    text("composes what is combined", "combining marks") { $0.precomposedStringWithCanonicalMapping },
    text("drops the marks that steer text", "right-to-left text") { text in
      filtered(text) { $0.properties.generalCategory != .format }
    },
    text("drops control characters", "control characters") { text in filtered(text) { $0.value >= 0x20 } },
    text("makes one line end of another", "line breaks") { $0.replacingOccurrences(of: "\r\n", with: "\n") },
    text("ends text at a NUL", "NUL") { text in text.split(separator: "\0").first.map(String.init) ?? text },
    text("takes tags out of texts", "markup") { $0.replacingOccurrences(of: "<b>", with: "") },
    text("encodes an ampersand", "markup") { $0.replacingOccurrences(of: "&", with: "&amp;") },
    text("drops backslashes", "quotes and backslashes") { $0.replacingOccurrences(of: "\\", with: "") },
    value("reads text for the value it looks like", "text like other values") { $0 == "true" ? true : $0 },
    text("trims texts and says nothing of it", "surrounding white space") { $0.trimmingCharacters(in: .whitespaces) },
    text("cuts text after 65535 bytes", "one megabyte of text") {
      $0.utf8.count > 65535 ? String($0.prefix(65535)) : $0
    },
    value("stores an empty text as null", "empty string") { $0 == "" ? .null : $0 },
  ]

  private static let others: [Fault] = [
    value("takes 0 for nothing", "zero") { $0.integer == 0 ? .null : $0 },
    value("reads whole numbers as floating point", "large integers") { value in
      value.integer.map { Int(exactly: Double($0).rounded()) ?? .max }.map { .int($0) } ?? value
    },
    value("reads fractions as floating point", "decimal fractions") { value in
      guard case .number(let number) = value, number.integer == nil, number.double.isFinite else { return value }
      return Number("\(number.double)").map { .number($0) } ?? value
    },
    value("makes null of what floating point cannot hold", "huge numbers") { value in
      if case .number(let number) = value, !number.double.isFinite { .null } else { value }
    },
    value("takes false for nothing", "false") { $0 == false ? .null : $0 },
    Fault("leaves nulls out of what it sends", "null") { broken in
      broken.creating = { fields in fields = Object(fields.members.filter { $0.1 != .null }) }
    },
    Fault("invents a default", "omitted fields") { broken in
      broken.creating = { fields in if fields["body"] == nil { fields["body"] = "none" } }
      broken.receipt = { receipt, _ in receipt.record = nil }
    },
    Fault("describes a default that the server does not have", "omitted fields") { broken in
      broken.description = { description, _ in
        for place in description.resources[0].fields.indices where description.resources[0].fields[place].name == "body"
        {
          description.resources[0].fields[place].serverDefault = "none"
        }
      }
    },
    Fault("takes seconds for milliseconds", "omitted fields", on: .limited) { broken in
      broken.description = { description, _ in
        for place in description.resources[0].fields.indices where description.resources[0].fields[place].name == "made"
        {
          description.resources[0].fields[place].kind = .date
        }
      }
      broken.got = { record, _ in record.fields["made"] = "1970-01-21T10:03:51Z" }
    },
    Fault("makes a boolean of text", "values of another type") { broken in
      broken.creating = { fields in if fields["done"] == "true" { fields["done"] = true } }
    },
    Fault("makes one of two values", "values of another type") { broken in
      broken.creating = { fields in if fields["body"]?.bool != nil { fields["body"] = "a boolean" } }
      broken.receipt = { receipt, _ in receipt.notes.append("body is stored as text") }
    },
    Fault("makes text of a number", "values of another type") { broken in
      broken.creating = { fields in if fields["body"] == 12 { fields["body"] = "12" } }
    },
    Fault("takes an empty list for nothing", "nested values", on: .open) { broken in
      broken.creating = { fields in if fields["tags"] == [] { fields["tags"] = .null } }
    },
    Fault("sorts lists", "nested values", on: .open) { broken in
      broken.creating = { fields in fields["tags"] = fields["tags"]?.array.map { .array($0.reversed()) } }
    },
    Fault("loses a field called __proto__", "special field names", on: .open) { broken in
      broken.creating = { fields in
        var more = fields["more"]?.object
        more?["__proto__"] = nil
        fields["more"] = more.map { .object($0) }
      }
    },
    Fault("takes a name with a dot apart", "special field names", on: .open) { broken in
      broken.creating = { fields in
        guard let value = fields["a.b"] else { return }
        fields["a.b"] = nil
        fields["a"] = ["b": value]
      }
    },
  ]

  /// A fault that changes texts on the way to the server.
  private static func text(
    _ name: String, _ law: String, _ change: @escaping @Sendable (String) -> String
  ) -> Fault {
    Fault(name, law) { broken in broken.creating = changing(change) }
  }

  /// A fault that changes values when they are updated.
  private static func value(_ name: String, _ law: String, _ change: @escaping @Sendable (Value) -> Value) -> Fault {
    Fault(name, law) { broken in broken.updating = changing { _, value in change(value) } }
  }

  private static func filtered(_ text: String, _ isKept: (Unicode.Scalar) -> Bool) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.filter(isKept)))
  }
}
