/// The names of header fields, in which capitals count as small letters.
enum FieldName {
  /// Returns whether two names are the same.
  static func isSame(_ one: String, _ other: String) -> Bool {
    one.utf8.count == other.utf8.count
      && zip(one.utf8, other.utf8).allSatisfy { $0 == $1 || ($0 ^ $1 == 0x20 && (0x61...0x7A).contains($0 | 0x20)) }
  }
}
