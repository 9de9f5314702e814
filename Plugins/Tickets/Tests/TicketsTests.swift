import AdapterSupport
import BackendClient
import BackendConformance
import BackendKit
import Foundation
import TestSupport
import Testing

/// The help desk that this adapter is for, as a process of its own.
enum HelpDeskServer {
  static func start() async throws -> ServerExchange {
    let server = try await PythonServer("../Service/tickets.py", ["0"])
    return try ServerExchange(
      server.address, headers: [("Authorization", "Bearer s3cret-token")], server: server.program)
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
    #expect(report.leftBehind == [])
    #expect(report.unclaimed == [])
  }

  @Test func `what the service does and a description does not claim is reported beside the laws`() async throws {
    let server = try await HelpDeskServer.start()
    let subject = ConformanceSubject("desk", tickets, exchange: server) { exchange throws(BackendError) in
      RESTBackend(try Self.least(), over: exchange)
    }
    let report = await ConformanceSuite(subject).run()
    let kinds = Set(report.unclaimed.map { String($0.prefix { $0 != ":" }) })
    #expect(kinds == ["a filter", "an order", "revisions"], "\(report.unclaimed)")
    #expect(report.unclaimed.contains { $0.contains("filter[status]") })
    let text = TextReport.text(report)
    #expect(text.contains("\nunclaimed: behavior that was observed but"))
    #expect(TAPReport.text(report).contains("\n# unclaimed: a filter: "))
    #expect(JUnitReport.text(report).contains("<system-out>unclaimed: a filter: "))
  }

  /// A mapping of the tickets that claims little.
  private static func least() throws(BackendError) -> Service {
    var tickets = Service.Resource(
      "tickets", at: try RequestPath("tickets"), identifier: IdentifierRule(form: .text),
      fields: [
        FieldDescription("id", .text, isReadOnly: true),
        FieldDescription("subject", .text, isRequired: true, maximumLength: 200, lengthUnit: .codePoints),
        FieldDescription("description", .text, maximumLength: 20_000, lengthUnit: .codePoints),
        FieldDescription("status", .text, values: ["open", "pending", "closed"]),
        FieldDescription("created", .date, isReadOnly: true), FieldDescription("updated", .date, isReadOnly: true),
      ])
    tickets.isOpen = true
    tickets.shape = .jsonAPI
    tickets.paging.size = "page[size]"
    (tickets.paging.defaultSize, tickets.paging.cap) = (20, 50)
    tickets.paging.cursor = "page[after]"
    tickets.paging.next = .parameter("page[after]", of: ["links", "next"])
    tickets.creating = Service.Creating(locates: true)
    tickets.updating = Service.Updating("PATCH", clearing: .impossible, answersAsStored: true)
    tickets.deleting = Service.Deleting()
    return Service(
      product: "Acme Desk", resources: [tickets], errors: Service.Errors(messages: [["errors", "*", "detail"]]))
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

  @Test func `what is wrong with a field is reported beside its name`() async throws {
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
