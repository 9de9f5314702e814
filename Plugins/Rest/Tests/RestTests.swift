import AdapterSupport
import BackendClient
import BackendConformance
import BackendKit
import DemoServerSupport
import Foundation
import Synchronization
import TestSupport
import Testing

/// A service that is described as data keeps the laws that an adapter in Swift keeps.
@Suite struct DescribedConformanceTests {
  private func judge(
    _ name: String, _ resource: String, _ exchange: any HTTPExchange, changes: String? = nil
  ) async throws -> ConformanceReport {
    let path = try #require(ResourcePath(resource))
    let source = try DescribedService.source(name, changes: changes)
    var subject = ConformanceSubject(
      name, path, exchange: exchange, plugin: try PluginLibrary("rest").plugin.describing(source))
    subject.timeLimit = .seconds(600)
    subject.patience = .seconds(300)
    let report = await ConformanceSuite(subject).run()
    for failure in report.failures { Issue.record("\(failure.law): \(failure.breach.map { "\($0)" } ?? "")") }
    #expect(report.leftBehind == [])
    return report
  }

  @Test("a description is read once for a backend, however many writes are checked and tried")
  func readOnce() async throws {
    let looks = Mutex(0)
    var source = try DescribedService.source("kitura")
    source.hooks = { [find = source.hooks] plugin, name throws(BackendError) in
      looks.withLock { $0 += 1 }
      return try find(plugin, name)
    }
    let prepared = try DescribedService.prepared(source)
    let once = looks.withLock { $0 }
    #expect(once > 0)
    let server = CountingExchange(nil)
    let client = Client(name: "kitura", exchange: server, prepared: prepared)
    let write = Write.create(ResourcePath(name: "todos"), Object([("title", "x")]))
    for _ in 0..<100 { try await client.check(write) }
    for _ in 0..<10 { _ = try await client.request(of: write) }
    #expect(looks.withLock { $0 } == once)
    #expect(server.count == 0)
  }

  @Test("the help desk", arguments: ["tickets", "users", "tickets/1004/comments"])
  func desk(_ resource: String) async throws {
    let server = try await PythonServer("../../Tickets/Service/tickets.py", ["0"])
    let exchange = try ServerExchange(
      server.address, headers: [("Authorization", "Bearer s3cret-token")], server: server.program)
    let report = try await judge("tickets", resource, exchange)
    #expect(report.unclaimed == [])
  }

  @Test("services that are imitated as their documents describe them", arguments: ["odata4", "postgrest"])
  func imitation(_ name: String) async throws {
    let server = try await PythonServer("Server/odata_and_postgrest.py")
    _ = try await judge(
      name, "tasks", try ServerExchange("\(server.address)/\(name)", headers: [], server: server.program))
  }

  @Test(
    "the services of the demo",
    arguments: [
      ("grails", "grails", "announcements", ""), ("kitura", "kitura", "todos", ""),
      ("json-server", "jsonplaceholder", "posts", "jsonplaceholder.profile=json-server"),
    ])
  func demo(_ name: String, _ dialect: String, _ resource: String, _ switches: String) async throws {
    let demo = try await DemoProcess.start(["--memory", "--seed", "30"])
    _ = try await judge(name, resource, try ServerExchange(demo, dialect, switches: switches))
  }
}
