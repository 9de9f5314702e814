extension Service {
  /// An operation on a record or on the resource.
  public struct Action: Sendable {
    /// The description that commands see.
    public var description: ActionDescription
    /// The method.
    public var method: String
    /// The path below the record's, or the resource's. A segment in braces, `{name}`, is the value of that input field.
    public var path: [String]
    /// The form in which the input fields that are not in the path are sent.
    public var body: Body
    /// True if the action returns a list, which is empty if the response is.
    public var answersList: Bool

    /// The form in which input fields are sent.
    public enum Body: Sendable, Hashable {
      /// As an object, if there are any.
      case object
      /// As a list with one object.
      case list
    }

    /// An action.
    public init(
      _ description: ActionDescription, method: String = "POST", path: [String], body: Body = .object,
      answersList: Bool = false
    ) {
      self.description = description
      self.description.effect = description.effect.counted(method: method, isTrusted: true)
      self.method = method
      self.path = path
      self.body = body
      self.answersList = answersList
    }

    /// The path with values of fields filled in, and the fields that are left for the body.
    func filled(_ fields: Object) throws(BackendError) -> (path: [String], rest: Object) {
      var rest = fields
      var filled: [String] = []
      for part in path {
        guard part.hasPrefix("{"), part.hasSuffix("}") else {
          filled.append(part)
          continue
        }
        let name = String(part.dropFirst().dropLast())
        guard let value = RecordID(fields[name]) else {
          throw .invalid("\(description.name) needs a value for \(name)", hint: "text or a number")
        }
        filled.append(value.text)
        rest[name] = nil
      }
      return (filled, rest)
    }
  }
}
