/// English nouns: json-server tells owners, which are named in the singular, from collections by them.
enum Noun {
  private static let irregular = ["people", "children", "men", "women", "mice"]

  /// Returns whether a name is that of a single record.
  static func isSingular(_ name: String) -> Bool {
    let isPlural = name.hasSuffix("s") && !["ss", "us", "is"].contains { name.hasSuffix($0) }
    return !isPlural && !irregular.contains(name)
  }
}
