import BackendKit

/// Addresses that a service names. Only the origin of the survey is ever asked: of an address with a server in it, the path
/// counts where the server is that one, which whoever sends the request sees to.
enum Origin {
  /// The path of an address from the origin's root, with its query.
  static func path(of address: String) -> String? {
    guard let scheme = address.firstRange(ofText: "://") else { return address.hasPrefix("/") ? address : nil }
    let path = address[scheme.upperBound...].drop { $0 != "/" }
    return path.isEmpty ? "/" : String(path)
  }

  /// What an address ends with, for example the identifier of a record; nil where it ends at the root.
  static func lastPart(of address: String) -> String? {
    let path = address.prefix { $0 != "?" && $0 != "#" }.split(separator: "/").last
    return path.flatMap { PercentEncoding.decoded($0) ?? String($0) }
  }

  /// The address of the next page, as it can be asked for: relative to a request, or to the folder above its collection.
  static func resolved(_ address: String, against collection: String, from base: String) -> String? {
    guard let cleaned = Link.cleaned(address) else { return nil }
    if cleaned.contains(text: "://") { return cleaned }
    guard base == "api" else { return Link.resolved(cleaned, against: collection) }
    let path = collection.prefix { $0 != "?" }
    let folder = path.dropLast(path.hasSuffix("/") ? 1 : 0)
    guard let slash = folder.lastIndex(of: "/") else { return "/" + cleaned }
    return folder[...slash] + cleaned
  }
}
