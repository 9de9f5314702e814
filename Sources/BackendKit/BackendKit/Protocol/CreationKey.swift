/// The text by which a service that takes one knows a creation that is sent again, so that nothing is made twice.
public enum CreationKey {
  /// The key of the creation that is being sent; where there is none, each creation gets one of its own.
  @TaskLocal public static var current: String?
}

/// The identifiers that a list which was just read does not have, so that a creation need not look for its own first.
public enum ListedAbsence {
  /// True if the identifier of the creation being sent was looked up in such a list.
  @TaskLocal public static var isProved = false
}
