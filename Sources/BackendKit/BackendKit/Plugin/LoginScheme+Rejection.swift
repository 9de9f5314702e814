extension LoginScheme {
  /// A response that means that a token is no longer valid.
  public struct Rejection: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The statuses of errors; 401 and 403 by default.
    public var statuses: [Int]
    /// A text in the body or in `WWW-Authenticate`, or the whole value of the member; nil for any.
    public var text: String?
    /// A member of the JSON document in the body; nil for none.
    public var member: FieldPath?

    /// A response with one of these statuses, and with a text or a member if they are given.
    public init(_ statuses: [Int] = [401, 403], text: String? = nil, member: String? = nil) {
      self.statuses = statuses
      self.text = text
      self.member = member.map(FieldPath.init)
    }

    /// A 401 or 403 with this text.
    public init(stringLiteral text: String) { self.init(text: text) }
  }
}
