import BackendKit
import Testing

@testable import Console
@testable import ConsoleOutput

/// A server's messages about single fields, as people and programs read them.
@Suite("Messages per field") struct FieldMessageTests {
  private func failure(_ fields: [FieldMessage]) -> CommandFailure {
    CommandFailure(
      BackendError(
        .invalid, "the server did not accept the request", effect: .rejected, operation: "create", backend: "desk",
        resource: "tickets", fields: fields))
  }

  private static let two = [
    FieldMessage("subject", "can't be blank"), FieldMessage("customer.city", "is\u{1B}[31m too long\n"),
  ]

  @Test("a sentence goes on with them") func text() {
    #expect(
      failure(Self.two).message
        == "create desk/tickets: the server did not accept the request; subject: can't be blank;"
        + " customer.city: is\u{1B}[31m too long")
    let many = (1...50).map { FieldMessage("f\($0)", String(repeating: "x", count: 500)) }
    #expect(failure(many).message.hasSuffix("; 30 more"))
    #expect(failure(many).message.count < 5_000)
  }

  @Test("an error for programs has them as a list, made visible") func json() throws {
    let text = ErrorReport(failure(Self.two), file: nil, line: 0).text { $0 }.text
    let report = try #require(try JSONReader.read(Array(text.utf8)).object)
    let fields = try #require(report["fields"]?.array)
    #expect(fields.count == 2)
    #expect(fields[0] == ["field": "subject", "message": "can't be blank"])
    #expect(fields[1].object?["message"]?.text?.contains("\u{1B}") == false)
    let none = ErrorReport(failure([]), file: nil, line: 0).text { $0 }.text
    #expect(!none.contains("\"fields\""))
  }
}
