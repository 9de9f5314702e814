/// A field that holds a file: records show the address of its content, or facts about it; the content itself is sent
/// and read separately.
public struct FileField: Sendable, Hashable {
  /// The ways to send the content.
  public enum Upload: Sendable, Hashable {
    /// As a part of a form with the other fields; nil means the field's own name.
    case form(part: String?)
    /// As the body of a separate request with this method to ``FileField/path``.
    case body(method: String)
  }

  /// The way to send the content; nil if there is none.
  public var upload: Upload?
  /// The path of the content below the record's own; nil if the field's value has the address.
  public var path: [String]?
  /// The place of the content's address in the field's value; empty if the value is the address.
  public var link: [String] = []
  /// The place of the size in bytes in the field's value; nil if it has none.
  public var size: [String]?
  /// The place of the media type in the field's value; nil if it has none.
  public var type: [String]?
  /// The media type to send; nil to derive it from the file's name.
  public var mediaType: String?

  /// A field whose value has the address of the content.
  public init(upload: Upload?) { self.upload = upload }

  /// The size according to a record.
  public func size(in value: Value?) -> Int? { size.flatMap { value?.at($0)?.integer } }

  /// A value for people: its type and size, or its address; never content. For a stand-in of a file, its facts.
  public func shown(_ value: Value) -> String {
    if let file = UploadedFile.shown(value) { return file }
    let type = type.flatMap { value.at($0)?.text }
    let size = size(in: value).map { counted($0, "byte") }
    let facts = [type, size].compactMap(\.self)
    guard facts.isEmpty else { return facts.joined(separator: ", ") }
    return value.at(link)?.text ?? "a file"
  }

  /// The value without content that a service may show instead of an address: a text that is not one is reduced to its
  /// length.
  func withoutContent(_ value: Value) -> Value {
    guard case .string(let text) = value, text.hasPrefix("data:") || text.utf8.count > Self.longestAddress else {
      return value
    }
    return .object(Object([("length", .int(text.utf8.count))]))
  }

  private static let longestAddress = 4_096
}

extension FieldDescription {
  /// True if writes contain values of it: not if only the server sets it, or if it is a file.
  public var takesValues: Bool { !isReadOnly && file == nil }
}
