struct JSONServerSort {
  /// A repeated parameter, on which the server fails.
  struct Repeated: Error, CustomStringConvertible {
    let name: String
    var description: String { "TypeError: \(name).split is not a function" }
  }

  private let keys: [(path: String, isDescending: Bool)]

  /// True if the records stay in the order of the collection.
  var isEmpty: Bool { keys.isEmpty }

  init(keys: [(path: String, isDescending: Bool)]) { self.keys = keys }

  init(_ form: JSONServerParameters) throws(Repeated) {
    let sorts = form.all("_sort")
    guard sorts.count > 1 || sorts.first?.isEmpty == false else {
      keys = []
      return
    }
    guard sorts.count <= 1 else { throw Repeated(name: "_sort") }
    guard form.all("_order").count <= 1 else { throw Repeated(name: "(_order || \"\")") }
    let orders = (form["_order"] ?? "").split(separator: ",", omittingEmptySubsequences: false).map { $0.lowercased() }
    keys = (sorts.first ?? "").split(separator: ",", omittingEmptySubsequences: false).enumerated().map { index, path in
      (String(path), index < orders.count && orders[index] == "desc")
    }
  }

  func sorted(_ records: [DemoJSON]) -> [DemoJSON] {
    if keys.isEmpty { return records }
    return records.enumerated().sorted { left, right in
      for key in keys {
        let order = Self.compare(
          JSONServerFilter.value(left.element, at: key.path), JSONServerFilter.value(right.element, at: key.path))
        if order != 0 { return key.isDescending ? order > 0 : order < 0 }
      }
      return left.offset < right.offset
    }.map(\.element)
  }

  private static func compare(_ left: DemoJSON?, _ right: DemoJSON?) -> Int {
    func rank(_ value: DemoJSON?) -> Int { value == nil ? 2 : value == .null ? 1 : 0 }
    guard let left, let right, left != .null, right != .null else {
      return rank(left) == rank(right) ? 0 : rank(left) < rank(right) ? -1 : 1
    }
    return JSONServerText.compare(left, right) ?? 0
  }
}
