/// A file whose content a write sends: its facts when it was named, and access to its bytes.
public struct UploadedFile: Sendable {
  /// The path.
  public let path: String
  /// Its media type.
  public let type: String
  /// Its size in bytes.
  public let size: Int
  /// The digest of its content.
  public let sha256: String
  /// Opens the content. Reading fails before the last piece if the content has changed since the file was named.
  public let open: @Sendable () throws(BackendError) -> HTTPBody

  /// A file.
  public init(
    path: String, type: String, size: Int, sha256: String,
    open: @escaping @Sendable () throws(BackendError) -> HTTPBody
  ) {
    self.path = path
    self.type = type
    self.size = size
    self.sha256 = sha256
    self.open = open
  }

  /// The file name that is sent to the server.
  public var name: String {
    String(path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...])
  }

  /// Its stand-in in a field wherever a write is shown or stored: all facts, but no content.
  public var value: Value { value(at: path) }

  /// Its stand-in in a request, without its folder.
  var summary: Value { value(at: name) }

  private func value(at path: String) -> Value {
    .object(
      Object([
        ("file", .string(path)), ("type", .string(type)), ("size", .int(size)), ("sha256", .string(sha256)),
      ]))
  }

  /// The path, media type and digest in a stand-in; nil for any other value.
  public static func facts(in value: Value) -> (path: String, type: String, sha256: String)? {
    guard let object = value.object, object.count == 4, let path = object["file"]?.text,
      let type = object["type"]?.text, object["size"]?.integer != nil, let digest = object["sha256"]?.text
    else { return nil }
    return (path, type, digest)
  }

  /// The text of a stand-in for people; nil for any other value.
  public static func shown(_ value: Value) -> String? {
    guard let facts = facts(in: value) else { return nil }
    let name = facts.path.split(separator: "/").last ?? ""
    return "\(name) (\(facts.type), \(counted(value.object?["size"]?.integer ?? 0, "byte")), sha256 \(facts.sha256))"
  }
}

/// A body that is streamed, and never in memory as a whole.
public struct StreamedBody: Sendable {
  /// Its length in bytes.
  public let length: Int
  /// The fields for people and recordings, with facts in place of files.
  public let summary: Value
  /// Opens it at its beginning.
  public let open: @Sendable () throws(BackendError) -> HTTPBody

  init(length: Int, summary: Value, open: @escaping @Sendable () throws(BackendError) -> HTTPBody) {
    self.length = length
    self.summary = summary
    self.open = open
  }

  /// The content of one file.
  init(_ file: UploadedFile) { self.init(length: file.size, summary: file.summary, open: file.open) }
}

/// The content of a file as a service sends it.
public struct FileDownload: Sendable {
  /// The media type according to the service: untrusted text.
  public let type: String?
  /// The size according to the service.
  public let size: Int?
  /// The content, whose length may differ.
  public let body: HTTPBody

  /// A content.
  public init(type: String?, size: Int?, body: HTTPBody) {
    self.type = type
    self.size = size
    self.body = body
  }
}
