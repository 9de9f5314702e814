/// A file whose content a write sends: what was found out of it when it was named, and the way to its bytes.
public struct UploadedFile: Sendable {
  /// The path.
  public let path: String
  /// Its media type.
  public let type: String
  /// Its size in bytes.
  public let size: Int
  /// The digest of its content.
  public let sha256: String
  /// Opens the content. What is read ends with an error, before its last piece, unless it is the content that was found out of.
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

  /// The name that a server is told.
  public var name: String {
    String(path[(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)...])
  }

  /// The value of its field, wherever a write is shown or kept: all facts, and no content.
  public var value: Value { value(at: path) }

  /// The same for a request, which tells nothing of where it is.
  var summary: Value { value(at: name) }

  private func value(at path: String) -> Value {
    .object(
      Object([
        ("file", .string(path)), ("type", .string(type)), ("size", .int(size)), ("sha256", .string(sha256)),
      ]))
  }

  /// The path, media type and digest in a value that stands for a file; nil of any other.
  public static func facts(in value: Value) -> (path: String, type: String, sha256: String)? {
    guard let object = value.object, object.count == 4, let path = object["file"]?.text,
      let type = object["type"]?.text, object["size"]?.integer != nil, let digest = object["sha256"]?.text
    else { return nil }
    return (path, type, digest)
  }

  /// The text for people of a value that stands for a file; nil of any other.
  public static func shown(_ value: Value) -> String? {
    guard let facts = facts(in: value) else { return nil }
    let name = facts.path.split(separator: "/").last ?? ""
    return "\(name) (\(facts.type), \(counted(value.object?["size"]?.integer ?? 0, "byte")), sha256 \(facts.sha256))"
  }
}

/// A body that is sent as it is read, and never held whole.
public struct StreamedBody: Sendable {
  /// Its length in bytes.
  public let length: Int
  /// The fields for people and recordings, with facts in the place of files.
  public let summary: Value
  /// Opens it from its beginning.
  public let open: @Sendable () throws(BackendError) -> HTTPBody

  init(length: Int, summary: Value, open: @escaping @Sendable () throws(BackendError) -> HTTPBody) {
    self.length = length
    self.summary = summary
    self.open = open
  }

  /// The content of a file alone.
  init(_ file: UploadedFile) { self.init(length: file.size, summary: file.summary, open: file.open) }
}

/// The content of a file as a service sends it.
public struct FileDownload: Sendable {
  /// The media type that the service states: untrusted text.
  public let type: String?
  /// The size that it states.
  public let size: Int?
  /// The content, which is as long as it is.
  public let body: HTTPBody

  /// A content.
  public init(type: String?, size: Int?, body: HTTPBody) {
    self.type = type
    self.size = size
    self.body = body
  }
}
