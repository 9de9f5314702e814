import BackendKit

/// A response that only names what a service has: addresses by name, or routes with their arguments.
struct IndexShape {
  /// The paths of its routes that can be read, from the origin's root or below the address of the index.
  private(set) var routes: [String] = []

  /// Finds an index in a document, at its root or in its only object; nil if it is none.
  init?(_ document: Value?) {
    if let found = Self.routes(in: document) ?? document?.object?.members.lazy.compactMap({ Self.routes(in: $1) }).first
    {
      routes = found
      return
    }
    guard let root = document?.object, !root.isEmpty else { return nil }
    let objects = root.members.compactMap { name, value in
      name == "_links" ? nil : value.object.map { (name, $0) }
    }
    let lists = root.members.compactMap { name, value in value.array.map { (name, $0) } }
    // Routes may be beside facts about the service, and lists of its versions.
    for object in [root] + objects.map(\.1) {
      guard !object.isEmpty, object.members.allSatisfy({ $0.hasPrefix("/") && $1.object != nil }) else { continue }
      routes = object.members.compactMap { Self.isRead($1) && Self.isPlain($0) ? $0 : nil }
      return
    }
    if let (_, paths) = lists.first, root.count == 1, !paths.isEmpty,
      paths.allSatisfy({ $0.text?.hasPrefix("/") == true })
    {
      routes = paths.compactMap(\.text)
      return
    }
    let isAddressed = [root] + (objects.count == 1 && lists.isEmpty ? [objects[0].1] : [])
    guard isAddressed.contains(where: { $0.count > 1 && $0.members.allSatisfy { Self.leads($1) } }) else { return nil }
  }

  /// The routes in a list of them, each with its methods; nil if it has other elements.
  private static func routes(in value: Value?) -> [String]? {
    guard let elements = value?.array?.map(\.object), !elements.isEmpty else { return nil }
    let paths = elements.map { route -> String? in
      guard let route, ["method", "methods", "verbs"].contains(where: { route[$0] != nil }) else { return nil }
      return ["path", "route", "pattern", "url", "endpoint"].lazy.compactMap { route[$0]?.text }.first
    }
    guard paths.allSatisfy({ $0?.hasPrefix("/") == true }) else { return nil }
    return zip(paths, elements).compactMap { path, route in
      path.flatMap { isPlain($0) && isRead(.object(route ?? Object())) ? $0 : nil }
    }
  }

  /// Returns whether a value is an address, or nothing but an address with words about it.
  static func leads(_ value: Value) -> Bool {
    if let text = value.text { return isAddress(text) }
    guard let object = value.object else { return false }
    let words = ["name", "title", "description", "type", "rel", "method", "methods", "templated"]
    let others = object.members.filter { !words.contains($0.0) }
    return others.count == 1 && others[0].1.text.map(isAddress) == true
  }

  private static func isAddress(_ text: String) -> Bool { text.hasPrefix("/") || text.contains(text: "://") }

  /// Returns whether a route may be read.
  private static func isRead(_ route: Value) -> Bool {
    let said = ["methods", "verbs", "method"].lazy.compactMap { route.object?[$0] }.first
    let methods = (said?.array ?? said.map { [$0] })?.compactMap(\.text) ?? route.object?.names ?? []
    let known = methods.map { $0.uppercased() }.filter { ["GET", "POST", "PUT", "PATCH", "DELETE"].contains($0) }
    return known.isEmpty || known.contains("GET")
  }

  private static func isPlain(_ path: String) -> Bool {
    path.count > 1 && path.allSatisfy { $0.isLetter || $0.isNumber || "/-_.~".contains($0) }
  }
}
