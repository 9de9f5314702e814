import Synchronization

/// A form of texts and files (RFC 7578), assembled while it is sent.
struct MultipartForm {
  private enum Segment: Sendable {
    case bytes([UInt8])
    case file(UploadedFile)

    var length: Int {
      switch self {
      case .bytes(let bytes): bytes.count
      case .file(let file): file.size
      }
    }
  }

  let boundary: String
  private let segments: [Segment]
  private let summary: Value

  /// A form whose boundary is a digest of its parts: no content can hold the digest of itself.
  init(_ pairs: [(String, String)], _ files: [(part: String, file: UploadedFile)]) {
    let all = pairs.flatMap { [$0.0, $0.1] } + files.flatMap { [$0.part, $0.file.sha256] }
    let boundary = String(SHA256.hex(Array(all.joined(separator: "\0").utf8)).prefix(40))
    self.boundary = boundary
    var segments: [Segment] = []
    func begin(_ head: String) { segments.append(.bytes(Array("--\(boundary)\r\n\(head)\r\n\r\n".utf8))) }
    for (name, value) in pairs {
      begin("Content-Disposition: form-data; name=\"\(Self.quoted(name))\"")
      segments.append(.bytes(Array("\(value)\r\n".utf8)))
    }
    for (part, file) in files {
      begin(
        "Content-Disposition: form-data; name=\"\(Self.quoted(part))\"; filename=\"\(Self.quoted(file.name))\"\r\n"
          + "Content-Type: \(file.type)")
      segments += [.file(file), .bytes(Array("\r\n".utf8))]
    }
    segments.append(.bytes(Array("--\(boundary)--\r\n".utf8)))
    self.segments = segments
    summary = .object(Object(pairs.map { ($0.0, .string($0.1)) } + files.map { ($0.part, $0.file.summary) }))
  }

  var contentType: String { "multipart/form-data; boundary=\(boundary)" }

  var body: StreamedBody {
    StreamedBody(length: segments.reduce(0) { $0 + $1.length }, summary: summary) {
      [segments] () throws(BackendError) in
      // A changed file is reported before anything is sent.
      for case .file(let file) in segments { _ = try file.open() }
      let reader = Reader(segments)
      return HTTPBody { () throws(BackendError) in try await reader.next() }
    }
  }

  /// A name in quotes, as browsers write it.
  private static func quoted(_ name: String) -> String {
    var quoted = ""
    for scalar in name.unicodeScalars {
      switch scalar {
      case "\"": quoted += "%22"
      case "\r": quoted += "%0D"
      case "\n": quoted += "%0A"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted
  }

  /// Reads the segments piece by piece.
  private final class Reader: Sendable {
    private let rest: Mutex<ArraySlice<Segment>>
    private let opened = Mutex<HTTPBody?>(nil)

    init(_ segments: [Segment]) { rest = Mutex(segments[...]) }

    func next() async throws(BackendError) -> [UInt8]? {
      while true {
        if let body = opened.withLock(\.self) {
          if let piece = try await body.next() { return piece }
          opened.withLock { $0 = nil }
        }
        switch rest.withLock({ $0.popFirst() }) {
        case .bytes(let bytes)?: return bytes
        case .file(let file)?:
          let body = try file.open()
          opened.withLock { $0 = body }
        case nil: return nil
        }
      }
    }
  }
}
