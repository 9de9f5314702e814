import CGzip

/// Compression of responses like in Express: for clients that accept gzip, from a kibibyte on, and then without a
/// length.
enum JSONServerCompression {
  private static let threshold = 1024

  static func applied(to response: DemoResponse, for request: DemoRequest) -> DemoResponse {
    // Faults are applied to whole bodies.
    guard case .whole(let bytes) = response.body, bytes.count >= threshold, request.method != "HEAD",
      request.settings["fault"] == "none", takesGzip(request.header("accept-encoding") ?? ""),
      let packed = gzip(bytes)
    else { return response }
    var response = response
    response.headers.append(("Content-Encoding", "gzip"))
    response.body = .pieces([packed], length: nil, pause: .zero, cut: false)
    return response
  }

  private static func takesGzip(_ header: String) -> Bool {
    header.lowercased().split(separator: ",").contains { entry in
      let parts = entry.split(separator: ";").map { $0.filter { $0 != " " } }
      guard parts.first == "gzip" || parts.first == "*" else { return false }
      return !parts.dropFirst().contains { $0.hasPrefix("q=") && Double($0.dropFirst(2)) == 0 }
    }
  }

  private static func gzip(_ bytes: [UInt8]) -> [UInt8]? {
    let packed = [UInt8](unsafeUninitializedCapacity: bytes.count + bytes.count / 1000 + 64) { buffer, count in
      count = bytes.withUnsafeBufferPointer {
        switchboard_gzip($0.baseAddress, $0.count, buffer.baseAddress, buffer.count)
      }
    }
    return packed.isEmpty ? nil : packed
  }
}
