/// A field that holds a file: records show where its content is, or facts about it, and the content is sent and read apart from them.
public struct FileField: Sendable, Hashable {
  /// The ways to send the content.
  public enum Upload: Sendable, Hashable {
    /// As a part of a form with the other fields; nil stands for the field's own name.
    case form(part: String?)
    /// Alone, as the body of a request with this method to ``FileField/path``.
    case body(method: String)
  }

  /// The way to send the content; nil if there is none.
  public var upload: Upload?
  /// The path of the content below the record's own; nil if the field's value tells.
  public var path: [String]?
  /// The place in the field's value of the address of the content; empty if the value is the address.
  public var link: [String] = []
  /// The place in the field's value of the size in bytes; nil if it is not there.
  public var size: [String]?
  /// The place in the field's value of the media type; nil if it is not there.
  public var type: [String]?
  /// The media type that is sent; nil for that of the file's name.
  public var mediaType: String?

  /// A field with the content where its value says.
  public init(upload: Upload?) { self.upload = upload }

  /// The size that a record shows.
  public func size(in value: Value?) -> Int? { size.flatMap { value?.at($0)?.integer } }

  /// The text for people of a value: its type and its size, else its address; never content. Of a file that is to be sent, its facts.
  public func shown(_ value: Value) -> String {
    if let file = UploadedFile.shown(value) { return file }
    let type = type.flatMap { value.at($0)?.text }
    let size = size(in: value).map { counted($0, "byte") }
    let facts = [type, size].compactMap(\.self)
    guard facts.isEmpty else { return facts.joined(separator: ", ") }
    return value.at(link)?.text ?? "a file"
  }

  /// The value without content that a service may show in place of an address: of a text that is none only the length is left.
  func withoutContent(_ value: Value) -> Value {
    guard case .string(let text) = value, text.hasPrefix("data:") || text.utf8.count > Self.longestAddress else {
      return value
    }
    return .object(Object([("length", .int(text.utf8.count))]))
  }

  private static let longestAddress = 4_096
}

extension FieldDescription {
  /// True if records are written with a value of it: neither if only the server sets it, nor if it is a file.
  public var takesValues: Bool { !isReadOnly && file == nil }
}
