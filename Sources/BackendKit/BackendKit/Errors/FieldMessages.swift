/// The place of the messages about single fields in an error response.
public struct FieldMessages: Sendable {
  /// The arrangement of the messages.
  public enum Shape: Sendable, Hashable {
    /// An object with a member for each field: a text, or a list of texts or of objects with a message. Some services
    /// send a list of names in its place.
    case object
    /// A list of objects.
    case list
  }

  /// The path to the list or object.
  public var place: [String]
  /// The arrangement of the messages.
  public var shape: Shape
  /// The path to the field in each object of a list: a name, a JSON pointer into the document that was sent, or a
  /// list of names.
  public var field: [String]
  /// The path to the message in each object.
  public var message: [String]
  /// Names that a path to a field begins with and that are not part of it.
  public var prefixes: Set<String> = ["data", "attributes", "relationships", "body"]

  /// Messages in a list of objects.
  public init(_ place: [String], field: [String], message: [String]) {
    self.place = place
    self.field = field
    self.message = message
    shape = .list
  }

  /// Messages in an object with a member for each field; `message` is the path in each, where it is an object.
  public init(_ place: [String], message: [String] = ["message"]) {
    self.place = place
    self.message = message
    field = []
    shape = .object
  }
}
