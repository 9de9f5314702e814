import BackendKit

/// A response of the service that was read.
struct Answer {
  let method: String
  let target: Target
  let status: Int
  private let response: HTTPResponse
  let body: [UInt8]
  /// Whether its end was not read, for its length or for how long it took.
  let isCut: Bool
  /// What it says, where that is JSON.
  let document: Value?

  init(method: String, target: Target, response: HTTPResponse, body: [UInt8], isCut: Bool) {
    self.method = method
    self.target = target
    self.response = response
    self.body = body
    self.isCut = isCut
    status = response.status
    document = isCut ? nil : try? JSONReader.read(body)
  }

  var isSuccess: Bool { response.isSuccess }
  var isPage: Bool { response.isPage }
  var contentType: String { header("Content-Type")?.lowercased() ?? "" }

  func header(_ name: String) -> String? { response.header(name) }

  /// The address with a relation in the header field Link.
  func link(_ relation: String) -> String? {
    let fields = response.headers.filter { $0.0.lowercased() == "link" }.map(\.1)
    for part in fields.flatMap({ $0[...].splitLinks() }) {
      guard let start = part.firstIndex(of: "<") ?? part.indices.first, let end = part.firstIndex(of: ">") else {
        continue
      }
      let address = part[start..<end].drop { $0 == "<" }
      let words = part[end...].lowercased().filter { $0 != " " && $0 != "\"" }.split(separator: ";")
      if words.contains(where: { $0 == "rel=\(relation)" }) { return String(address) }
    }
    return nil
  }

  /// What it shows, without any value: the method, the shape of its path, its status, and more.
  func evidence(_ more: String = "") -> String {
    "\(method) \(target.shown) → \(status)" + (more.isEmpty ? "" : ", \(more)")
  }
}

extension Substring {
  /// The links of a header field; a comma within `<…>` separates none.
  fileprivate func splitLinks() -> [Substring] {
    var parts: [Substring] = []
    var (start, isInside) = (startIndex, false)
    for place in indices {
      switch self[place] {
      case "<": isInside = true
      case ">": isInside = false
      case "," where !isInside:
        parts.append(self[start..<place])
        start = index(after: place)
      default: break
      }
    }
    return parts + [self[start...]]
  }
}
