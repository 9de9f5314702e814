import DemoServerSupport
import TestSupport

extension RunningDemo {
  /// The number of requests so far, all of them or those of a dialect.
  func requests(of dialect: String = "total") async throws -> Int {
    try await send("GET", "/_demo/requests").object()[dialect] as? Int ?? 0
  }
}
