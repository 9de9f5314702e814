import BackendKit
import ConsoleSystem
import DemoServerSupport
import Synchronization

/// The demo that a run in the process of the test embeds: there from its first use to the end of the run, with data in the run's home.
final class EmbeddedDemo: Sendable {
  private let environment: [String: String]
  private let running = Mutex<Demo?>(nil)

  init(_ environment: [String: String]) { self.environment = environment }

  /// The base address of a dialect.
  @Sendable func base(_ dialect: String, _: String, _: ChildEnvironment) throws(BackendError) -> String {
    do {
      return try running.withLock { running in
        let demo = try running ?? Demo.inProcess([], environment: environment)
        running = demo
        return demo.base(dialect)
      }
    } catch {
      throw BackendError(.unavailable, "the embedded demo server cannot be started: \(error)", effect: .notSent)
    }
  }
}
