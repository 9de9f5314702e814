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
}
