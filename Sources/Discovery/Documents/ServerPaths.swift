import BackendClient
import BackendKit

/// The places of a document's paths at the service: below the address that the operator gave, or where its servers are.
/// Their hosts do not count, as only the origin of the survey is read.
struct ServerPaths {
  /// The path that the document's resources are below.
  let base: String
  /// The server of the document, if the address is not below it.
  let unused: String?

  let prefix: String
  private let own: [String]
  private let address: [Substring]
  /// True if the address may give a variable with which all paths begin.
  private let binds: Bool

  /// Chooses the server. `address` is nil if it is that of the document. `isBase` is true if it may be that of the API.
  init(_ root: Object, templates: [String], address: String?, isBase: Bool) {
    let given = address?.split(separator: "/") ?? []
    let servers = Self.paths(root["servers"], at: given)
    let own = servers.isEmpty ? [Self.plain(root["basePath"]?.text ?? "")] : servers
    let parts = templates.map { $0.split(separator: "/") }
    let binds = parts.allSatisfy { $0.first?.hasPrefix("{") == true }
    (self.own, self.address, self.binds) = (own, given, binds)
    let exact = address == nil ? nil : own.first { $0.split(separator: "/") == given }
    let chosen =
      exact
      ?? own.first { server in
        let server = server.split(separator: "/")
        return given.elementsEqual(server.prefix(given.count))
          || parts.contains { Self.begins(server + $0, with: given[...], binds) }
      }
    // Paths may lead to the address, as that of a list or a record, or be relative to it.
    let end = given.indices.dropFirst().first { place in
      parts.contains { Self.begins($0, with: given[place...], false) }
    }
    guard chosen == nil, let address, isBase || end != nil else {
      prefix = chosen ?? own[0]
      base = chosen == nil ? prefix : address ?? prefix
      unused = nil
      return
    }
    prefix = "/" + given[..<(end ?? given.count)].joined(separator: "/")
    base = address
    unused = own[0].isEmpty ? nil : own[0]
  }

  /// A path of the document from the origin's root. `servers` are those of the path or operation itself. Variables are
  /// replaced by the segments of the address: below `/servers/one`, `/servers/{server}/zones` becomes
  /// `/servers/one/zones`.
  func path(of template: String, servers: Value?) -> String {
    let others = Self.paths(servers, at: address)
    let path = (others.isEmpty || others.contains(where: own.contains) ? prefix : others[0]) + template
    let parts = path.split(separator: "/")
    guard !address.isEmpty, parts.count > address.count, Self.begins(parts, with: address[...], binds) else {
      return path
    }
    return "/" + (address + parts.dropFirst(address.count)).joined(separator: "/") + (path.hasSuffix("/") ? "/" : "")
  }

  /// Returns whether a path begins with the segments of an address, which stand for its variables. Unless `binds`, a
  /// variable alone says nothing.
  private static func begins(_ path: [Substring], with given: ArraySlice<Substring>, _ binds: Bool) -> Bool {
    path.count >= given.count && zip(path, given).allSatisfy { $0 == $1 || $0.hasPrefix("{") && $0.hasSuffix("}") }
      && (binds || zip(path, given).contains { $0 == $1 })
  }

  /// The paths of servers. Variables in them are those of the address, or else have their defaults.
  private static func paths(_ servers: Value?, at given: [Substring]) -> [String] {
    (servers?.array ?? []).compactMap(\.object).map { server in
      let url = server["url"]?.text ?? ""
      let path = (Link.rootPath(url) ?? "").split(separator: "/")
      if path.contains(where: { $0.hasPrefix("{") }), given.count >= path.count,
        begins(path, with: given[..<path.count], true)
      {
        return "/" + given[..<path.count].joined(separator: "/")
      }
      let whole = (server["variables"]?.object?.members.map { $0 } ?? []).reduce(url) { url, variable in
        url.replacing(text: "{\(variable.0)}", with: variable.1.object?["default"]?.text ?? "")
      }
      return plain(Link.rootPath(whole) ?? whole)
    }
  }

  /// A path with a slash before it and none behind it; empty for the root.
  private static func plain(_ path: String) -> String {
    path.split(separator: "/").filter { $0 != "." }.map { "/" + $0 }.joined()
  }
}
