import AdapterSupport
import BackendClient
import BackendConformance
import BackendKit
import Foundation
import TestSupport
import Testing

/// The help desk that this adapter is for, as a process of its own.
enum HelpDeskServer {
  static func start() async throws -> RecordedExchange {
    let service = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../Service/tickets.py").standardizedFileURL.path
    let program = try RunningProgram(["python3", service, "0"])
    let line = try await program.expect("\n")
    let address = try #require(line.split(separator: " ").last).trimmingCharacters(in: .newlines)
    return try RecordedExchange(address, headers: [("Authorization", "Bearer s3cret-token")], server: program)
  }
}

@Suite struct TicketsTests {
  private let tickets = ResourcePath(name: "tickets")

  @Test("every law is kept", arguments: ["tickets", "users", "tickets/1004/comments", "comments"])
  func conformance(_ resource: String) async throws {
    let path = try #require(ResourcePath(resource))
    let subject = ConformanceSubject(
      "desk", path, exchange: try await HelpDeskServer.start(), plugin: try PluginLibrary("tickets").plugin)
    let report = await ConformanceSuite(subject).run()
    for failure in report.failures {
      Issue.record("\(failure.law): \(failure.breach.map { "\($0)" } ?? "")")
    }
    #expect(report.leftBehind == 0)
  }

  @Test func `a page is named by the service's cursor, and an update insists on the revision that was read`()
    async throws
  {
    let exchange = try await HelpDeskServer.start()
    let backend = try PluginLibrary("tickets").backend(exchange)
    let pages = try await backend.pages(ListQuery(tickets, pageSize: 30))
    #expect(pages.map(\.records.count) == [30, 27])
    #expect(pages.first?.end.total == 57)
    let read = try await backend.get("1004", from: tickets)
    let revision = try #require(read.revision)
    let receipt = try await backend.update("1004", in: tickets, changes: [.set("estimate", 3)], revision: revision)
    #expect(receipt.record?.revision != revision)
    #expect(exchange.requests.last?.header("If-Match") == revision)
    let stale = await failure { () throws(BackendError) in
      _ = try await backend.update("1004", in: tickets, changes: [.set("estimate", 4)], revision: revision)
    }
    #expect(stale?.code == .conflict && stale?.effect == .rejected)
  }

  @Test func `what is wrong with a field is told beside its name`() async throws {
    let backend = try PluginLibrary("tickets").backend(try await HelpDeskServer.start())
    let error = await failure { () throws(BackendError) in
      _ = try await backend.create(Object([("subject", "x"), ("assignee", "77")]), in: tickets)
    }
    #expect(error?.code == .invalid)
    #expect(error?.fields == [FieldMessage("assignee", "assignee does not exist")])
  }

  @Test func `a ticket is closed by its action, once`() async throws {
    let backend = try PluginLibrary("tickets").backend(try await HelpDeskServer.start())
    let receipt = try await backend.act("close", on: "1004", in: tickets, with: Object())
    #expect(receipt.record?.fields["status"] == "closed")
    let again = await failure { () throws(BackendError) in
      _ = try await backend.act("close", on: "1004", in: tickets, with: Object())
    }
    #expect(again?.code == .invalid && again?.effect == .rejected)
  }
}
