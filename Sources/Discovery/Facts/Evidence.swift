import BackendKit

/// The section `source` of a description, which says how its facts are known.
enum Evidence {
  static func source(_ from: String, _ seen: String?, date: String?, version: String? = nil) -> Object {
    var source = Object([("from", .string(from))])
    for (key, text) in [("evidence", seen), ("date", date), ("version", version)] {
      if let text { source[key] = .string(text) }
    }
    return source
  }
}
