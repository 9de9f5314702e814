import ConsoleSupport
import Testing

extension ConsoleRun {
  /// This run, which is expected to end with status 0, and to print this text if one is given.
  @discardableResult
  func succeeded(printing text: String? = nil, at place: SourceLocation = #_sourceLocation) -> ConsoleRun {
    #expect(status == 0, "\(output)\(errors)", sourceLocation: place)
    if let text { #expect(output == text, "\(errors)", sourceLocation: place) }
    return self
  }

  /// This run, which is expected to end with a status, any but 0 if none is given, and to say these words in its errors.
  @discardableResult
  func failed(
    _ expected: Int? = nil, saying words: String..., at place: SourceLocation = #_sourceLocation
  ) -> ConsoleRun {
    let isExpected = if let expected { status == expected } else { status != 0 }
    #expect(isExpected, "\(status) \(output)\(errors)", sourceLocation: place)
    for text in words { #expect(errors.contains(text), "\(text): \(errors)", sourceLocation: place) }
    return self
  }
}
