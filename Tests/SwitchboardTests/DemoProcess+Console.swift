import ConsoleSupport
import DemoServerSupport
import Foundation
import TestSupport
import Testing

extension DemoProcess {
  /// A server that answers so late that nobody waits for it; the switches say which requests.
  static func late(_ switches: String...) async throws -> DemoProcess {
    try await start(["--memory"] + (["fault=delay", "fault.delay=600000"] + switches).flatMap { ["--set", $0] })
  }
}

extension RunningDemo {
  /// Writes a configuration whose only back end is this server's Grails dialect, and returns its path.
  func configuration(in home: ConsoleRun.Home, name: String = "one.json") throws -> String {
    try home.write(
      """
      {
        "switchboard": 1, "default": "intranet",
        "backends": {
          "intranet": { "plugin": "grails", "url": "\(base("grails"))", "resource": "announcements" }
        }
      }
      """, to: name)
  }

  /// Waits until the server has counted requests of a dialect; each look is an exchange with the server.
  func waitForRequests(of dialect: String = "grails", atLeast count: Int = 1) async throws {
    let deadline = ContinuousClock.now + .seconds(180)
    while ContinuousClock.now < deadline {
      if try await send("GET", "/_demo/requests").object()[dialect] as? Int ?? 0 >= count { return }
    }
    Issue.record("the server has not counted \(count) requests in three minutes")
  }
}
