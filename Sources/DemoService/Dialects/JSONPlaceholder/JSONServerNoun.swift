/// English nouns, by which collections and foreign keys refer to each other.
enum JSONServerNoun {
  private static let irregular = [
    ("person", "people"), ("child", "children"), ("man", "men"), ("woman", "women"), ("mouse", "mice"),
  ]

  /// The name of one record of a collection.
  static func singular(_ name: String) -> String {
    if let pair = irregular.first(where: { $0.1 == name }) { return pair.0 }
    if name.hasSuffix("ies"), name.count > 4 { return name.dropLast(3) + "y" }
    for ending in ["sses", "xes", "ches", "shes"] where name.hasSuffix(ending) { return String(name.dropLast(2)) }
    return name.hasSuffix("s") && !name.hasSuffix("ss") && !name.hasSuffix("us") ? String(name.dropLast()) : name
  }

  /// The collection that holds such records.
  static func plural(_ name: String) -> String {
    if let pair = irregular.first(where: { $0.0 == name || $0.1 == name }) { return pair.1 }
    if singular(name) != name { return name }
    if name.hasSuffix("y"), let before = name.dropLast().last, !"aeiou".contains(before) {
      return name.dropLast() + "ies"
    }
    for ending in ["s", "x", "ch", "sh"] where name.hasSuffix(ending) { return name + "es" }
    return name + "s"
  }
}
