import BackendKit

// Requests go only to the origin of the survey, which their sender enforces; here only the paths of addresses count.
extension Link {
  static func parameters(_ address: String) -> [String] {
    let query = address.drop { $0 != "?" }.dropFirst().prefix { $0 != "#" }
    return query.split(separator: "&").map { pair in
      let name = pair.prefix { $0 != "=" }
      return PercentEncoding.decoded(name) ?? String(name)
    }
  }
}
