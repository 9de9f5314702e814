/// The parameters of a query as grouped by the server's parser: a repeated name, or one with `[]`, has several values.
struct JSONServerParameters {
  /// The names in the order of their first values.
  private(set) var names: [String] = []
  private var values: [String: [String]] = [:]

  init(_ query: String?) {
    for pair in Form(query).pairs {
      let (name, value) = Self.unwrapped(pair.name, pair.value)
      if values[name] == nil { names.append(name) }
      values[name, default: []].append(value)
    }
  }

  subscript(name: String) -> String? { values[name]?.first }

  func all(_ name: String) -> [String] { values[name] ?? [] }

  mutating func set(_ name: String, to value: String) {
    if values[name] == nil { names.append(name) }
    values[name] = [value]
  }

  /// `a[]` and `a[0]` are elements of a list; any other key in brackets makes an object, which as a JavaScript text is
  /// always the same.
  private static func unwrapped(_ name: String, _ value: String) -> (String, String) {
    guard name.hasSuffix("]"), let open = name.firstIndex(of: "["), open != name.startIndex else {
      return (name, value)
    }
    let key = name[name.index(after: open)...].dropLast()
    let isElement = key.isEmpty || (Int(key).map { (0...20).contains($0) } ?? false)
    return (String(name[..<open]), isElement ? value : "[object Object]")
  }
}
