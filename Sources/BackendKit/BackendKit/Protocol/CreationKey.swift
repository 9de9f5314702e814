/// The text by which a service that takes one knows a creation that is sent again, so that nothing is made twice.
public enum CreationKey {
  /// The key of the creation that is being sent; where there is none, each creation gets one of its own.
  @TaskLocal public static var current: String?
}
