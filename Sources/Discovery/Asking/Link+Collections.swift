import BackendKit

// Only the origin of the survey is ever asked: of an address with a server in it, the path counts where the server is that one,
// which whoever sends the request sees to.
extension Link {
  /// The names of the parameters in an address.
  static func parameters(_ address: String) -> [String] {
    let query = address.drop { $0 != "?" }.dropFirst().prefix { $0 != "#" }
    return query.split(separator: "&").map { pair in
      let name = pair.prefix { $0 != "=" }
      return PercentEncoding.decoded(name) ?? String(name)
    }
  }

  /// The address of the next page, as it can be asked for: relative to a request, or to the folder above its collection.
  static func resolved(_ address: String, against collection: String, from base: String) -> String? {
    guard let cleaned = cleaned(address) else { return nil }
    if cleaned.contains(text: "://") { return cleaned }
    guard base == "api" else { return resolved(cleaned, against: collection) }
    let path = collection.prefix { $0 != "?" }
    let folder = path.dropLast(path.hasSuffix("/") ? 1 : 0)
    guard let slash = folder.lastIndex(of: "/") else { return "/" + cleaned }
    return folder[...slash] + cleaned
  }
}
