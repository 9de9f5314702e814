extension Service {
  /// The form in which a service writes dates. In records, changes and conditions they are ISO 8601 texts.
  public enum DateForm: String, Sendable, Hashable, CaseIterable {
    /// As texts of ISO 8601.
    case iso
    /// As seconds since 1970.
    case epoch
    /// As milliseconds since 1970.
    case epochMilliseconds
    /// As dates of HTTP: `Sun, 06 Nov 1994 08:49:37 GMT`.
    case rfc1123
  }
}
