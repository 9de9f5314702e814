import ConsoleSupport
import Testing

extension ConsoleRun {
  /// This run, which is expected to end with status 0.
  @discardableResult
  func succeeded(at place: SourceLocation = #_sourceLocation) -> ConsoleRun {
    #expect(status == 0, "\(output)\(errors)", sourceLocation: place)
    return self
  }
}
