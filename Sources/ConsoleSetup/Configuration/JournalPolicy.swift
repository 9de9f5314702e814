/// The extent to which a backend's writes are journaled, and the consequence if that is not possible.
public struct JournalPolicy: Sendable, Hashable {
  /// True if writes are journaled at all.
  public var isOn = true
  /// True if a record is read before and after it is written.
  public var isFull = false
  /// True if writes that cannot be journaled are not sent.
  public var isRequired = false

  /// The default policy.
  public static let on = JournalPolicy()

  init(isOn: Bool = true, isFull: Bool = false, isRequired: Bool = false) {
    self.isOn = isOn
    self.isFull = isFull
    self.isRequired = isRequired
  }

  /// The policy in comma-separated words; nil if they are invalid.
  init?(_ text: String) {
    switch text {
    case "off": isOn = false
    case "on": break
    default:
      let words = text.split(separator: ",", omittingEmptySubsequences: false).map { word in
        word.drop { $0 == " " }.prefix { $0 != " " }
      }
      guard !words.isEmpty, Set(words).count == words.count, words.allSatisfy({ $0 == "full" || $0 == "required" })
      else {
        return nil
      }
      isFull = words.contains("full")
      isRequired = words.contains("required")
    }
  }
}

/// The retention of entries.
public struct JournalKeep: Sendable, Hashable {
  /// The maximum age in days; older entries are deleted.
  public var days = 90
  /// The maximum size of the file; the oldest entries beyond it are deleted.
  public var megabytes = 256

  /// The default retention.
  public init() {}
}
