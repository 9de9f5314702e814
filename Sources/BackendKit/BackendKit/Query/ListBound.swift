/// The number of records above which nobody reads the list that is requested. A service that reports the total in
/// response to a request of its own is then not asked for a page.
package enum ListBound {
  @TaskLocal package static var mostTotal: Int?

  /// Lists with a bound; nil for none.
  package static func listing<Success: Sendable>(
    atMost most: Int?, _ operation: () async throws(BackendError) -> Success
  ) async throws(BackendError) -> Success {
    guard let most else { return try await operation() }
    let result: Result<Success, BackendError> = await $mostTotal.withValue(most) {
      do throws(BackendError) { return .success(try await operation()) } catch { return .failure(error) }
    }
    return try result.get()
  }
}
