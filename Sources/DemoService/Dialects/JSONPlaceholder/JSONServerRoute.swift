enum JSONServerRoute {
  case root
  case database
  case collection(String)
  case item(collection: String, id: String)
  case nested(parent: String, id: String, collection: String)
  case nothing
  /// A segment with broken percent-encoding, below a collection if one is named.
  case malformed(part: String, below: String?)

  init(_ path: String) {
    var raw = path.dropFirst()
    if raw.hasSuffix("/") { raw = raw.dropLast() }
    guard !raw.isEmpty else {
      self = path == "/" ? .root : .nothing
      return
    }
    var parts: [String] = []
    for part in raw.split(separator: "/", omittingEmptySubsequences: false) {
      let (bytes, isWellFormed) = PercentEncoding.decodedBytes(Array(part.utf8))
      guard isWellFormed, let text = String(validating: bytes, as: UTF8.self) else {
        let count = raw.split(separator: "/", omittingEmptySubsequences: false).count
        let isReached = parts.count > 0 && (count == 2 || count == 3)
        self = isReached ? .malformed(part: String(part), below: count == 2 ? parts[0].lowercased() : nil) : .nothing
        return
      }
      parts.append(text)
    }
    switch parts.count {
    case _ where parts.contains(""): self = .nothing
    case 1: self = parts[0].lowercased() == "db" ? .database : .collection(parts[0].lowercased())
    case 2: self = .item(collection: parts[0].lowercased(), id: parts[1])
    case 3: self = .nested(parent: parts[0], id: parts[1], collection: parts[2].lowercased())
    default: self = .nothing
    }
  }
}
