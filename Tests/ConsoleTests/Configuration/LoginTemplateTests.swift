import BackendKit
import ConsoleSupport
import Foundation
import Testing

@testable import ConsoleSetup

/// The logins that the documents show, read as a configuration.
@Suite struct LoginTemplateTests {
  @Test(arguments: [("reference/logins.md", 9), ("reference/configuration.md", 6)])
  func `Each login of a document can be pasted into a backend`(_ document: String, _ least: Int) throws {
    let text = try String(contentsOf: ConsoleRun.root.appending(path: "docs/" + document), encoding: .utf8)
    let blocks = text.components(separatedBy: "```json\n").dropFirst().compactMap {
      $0.components(separatedBy: "\n```").first
    }
    // Examples that belong together stand in one block, with an empty line between them.
    let logins = blocks.flatMap { $0.components(separatedBy: "\n\n") }.filter { $0.hasPrefix("\"login\"") }
    #expect(logins.count >= least)
    for login in logins {
      let fixture = try ConfigurationFixture()
      let members = login.hasSuffix(",") ? String(login.dropLast()) : login
      let backend = try fixture.backend(members)
      let scheme = try #require(backend.login, "\(login)")
      // A login alone shows its own keys; with credentials it is complete.
      guard members.contains("\"credentials\"") else { continue }
      let missing = scheme.needs.filter { backend.credentials?[$0] == nil }
      #expect(missing.isEmpty && backend.credentials?.named.allSatisfy(scheme.takes.contains) == true, "\(login)")
      #expect(try backend.checkedLogin(TrustTests.plugin([])) == scheme, "\(login)")
    }
  }
}
