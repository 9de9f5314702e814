import BackendConformance
import BackendKit
import Foundation

extension Fault {
  static let identifiers: [Fault] = [
    Fault("deletes all where the identifier is empty", "empty identifier") { broken in
      broken.deleting = { deletion in if deletion == .one("") { deletion = .all } }
    },
    Fault("goes up a folder for two dots", "dots in identifiers") { broken in
      broken.deleting = { deletion in if deletion == .one("..") { deletion = .all } }
    },
    renaming("makes two parts of an identifier with a slash", "slashes in identifiers") { text in
      text.split(separator: "/").first.map(String.init) ?? text
    },
    renaming("decodes an identifier that looks encoded", "slashes in identifiers") { text in
      text.removingPercentEncoding ?? text
    },
    renaming("cuts an identifier at a question mark", "URL characters in identifiers") { text in
      text.split(separator: "?").first.map(String.init) ?? text
    },
    renaming("trims an identifier", "white space in identifiers") {
      $0.trimmingCharacters(in: .whitespacesAndNewlines)
    },
    renaming("cuts an identifier at a NUL", "white space in identifiers") { text in
      text.split(separator: "\0").first.map(String.init) ?? text
    },
    renaming("reads identifiers as numbers", "number formats in identifiers") { text in
      Int(text).map { String($0) } ?? text
    },
    renaming("takes identifiers in lower case", "case-sensitive identifiers", on: .named) { $0.lowercased() },
    renaming("composes the characters of identifiers", "Unicode in identifiers") {
      $0.precomposedStringWithCanonicalMapping
    },
    renaming("drops from identifiers what cannot be seen", "Unicode in identifiers") { text in
      String(String.UnicodeScalarView(text.unicodeScalars.filter { $0.properties.generalCategory != .format }))
    },
    renaming("cuts a long identifier", "long identifiers") { String($0.prefix(255)) },
    Fault("deletes all for a star", "wildcards in identifiers") { broken in
      broken.deleting = { deletion in if deletion == .one("*") { deletion = .all } }
    },
    Fault("changes an identifier that a record is to have", "unusual chosen identifiers", on: .chosen) { broken in
      broken.creating = { fields in
        fields["id"] = fields["id"]?.text.map { .string($0.replacingOccurrences(of: " ", with: "-")) }
      }
    },
  ]

  /// A fault that takes one identifier for another.
  private static func renaming(
    _ name: String, _ law: String, on reference: Reference = .paged, _ rename: @escaping @Sendable (String) -> String
  ) -> Fault {
    Fault(name, law, on: reference) { broken in
      broken.updating = { id, _, _ in id = RecordID(rename(id.text)) }
      broken.deleting = { deletion in
        if case .one(let id) = deletion { deletion = .one(RecordID(rename(id.text))) }
      }
    }
  }
}
