extension StringProtocol {
  /// The media type in a header's value, in lowercase and without parameters.
  var mediaType: String { lowercased().prefix { $0 != ";" }.filter { $0 != " " } }
}
