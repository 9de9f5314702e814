import AdapterSupport
import BackendClient
import BackendKit
import Testing

/// Messages of error responses, in whatever shape.
@Suite struct ErrorShapeTests {
  /// A shape: the switch of the server, the facts, the message and the messages of fields.
  struct Shape: Sendable, CustomTestStringConvertible {
    var name: String
    var errors: Service.Errors
    var message: String?
    var fields: [FieldMessage]
    var testDescription: String { name }
  }

  static let shapes = [
    Shape(
      name: "rails", errors: Service.Errors(fields: FieldMessages([])), message: nil,
      fields: [
        FieldMessage("title", "is too short"), FieldMessage("title", "is taken"), FieldMessage("body", "is blank"),
      ]),
    Shape(
      name: "laravel", errors: Service.Errors(messages: [["message"]], fields: FieldMessages(["errors"])),
      message: "The given data was invalid.", fields: [FieldMessage("title", "The title is required.")]),
    Shape(
      name: "fastapi",
      errors: Service.Errors(
        messages: [["detail", "*", "msg"]], fields: FieldMessages(["detail"], field: ["loc"], message: ["msg"])),
      message: "field required", fields: [FieldMessage("title", "field required")]),
    Shape(
      name: "jsonapi",
      errors: Service.Errors(
        messages: [["errors", "*", "detail"]],
        fields: FieldMessages(["errors"], field: ["source", "pointer"], message: ["detail"])),
      message: "is taken", fields: [FieldMessage("title", "is taken")]),
    Shape(
      name: "pocketbase",
      errors: Service.Errors(messages: [["message"]], fields: FieldMessages(["data"], message: ["message"])),
      message: "Failed.", fields: [FieldMessage("title", "Cannot be blank.")]),
    Shape(
      name: "names",
      errors: Service.Errors(messages: [["message"]], fields: FieldMessages(["data", "params"])),
      message: "Missing parameter(s)", fields: [FieldMessage("title", "is missing")]),
    Shape(
      name: "odata",
      errors: Service.Errors(
        messages: [["error", "message"]], code: ["error", "code"],
        fields: FieldMessages(["error", "details"], field: ["target"], message: ["message"])),
      message: "Bad. (E7)", fields: [FieldMessage("title", "too long")]),
  ]

  @Test("what a service says of a failure and of single fields is reported", arguments: shapes)
  func reported(_ shape: Shape) async throws {
    let backend = try await TrapServer().backend("error/\(shape.name)", errors: shape.errors) {
      $0.creating = Service.Creating()
    }
    let error = await failure { () async throws(BackendError) in _ = try await backend.create(["title": ""], in: things)
    }
    #expect(error?.code == .invalid && error?.effect == .rejected)
    #expect(error?.fields == shape.fields)
    if let message = shape.message {
      #expect(error?.message == "request rejected (\(error?.httpStatus ?? 0)): \(message)")
    }
  }

  @Test func `another status is a limit only where nothing is left`() async throws {
    let server = try await TrapServer()
    for (left, code) in [("0", BackendError.Code.rateLimited), ("3", .forbidden)] {
      let backend = try server.backend("limited") {
        $0.parameters = [("left", left)]
        ($0.limits.statuses, $0.limits.remaining, $0.limits.reset) = ([403], "X-Left", "X-Reset")
      }
      let error = await failure { () async throws(BackendError) in _ = try await backend.page(ListQuery(things)) }
      #expect(error?.code == code)
      if left == "0" { #expect(error?.hint == "retry after 30 s") }
    }
  }

  @Test func `a meaning of the resource's own counts, and can say that the change was made`() async throws {
    let backend = try await TrapServer().backend("error/laravel") {
      $0.creating = Service.Creating()
      $0.errors = Service.Errors(
        messages: [["message"]],
        meanings: [
          Service.Meaning(statuses: [422], says: "nothing of it", code: .forbidden),
          Service.Meaning(statuses: [422], says: "invalid", code: .conflict, isApplied: true, hint: "look"),
        ])
    }
    let error = await failure { () async throws(BackendError) in _ = try await backend.create(["title": ""], in: things)
    }
    #expect(error?.code == .conflict && error?.effect == .applied && error?.hint == "look")
  }

  @Test func `no more requests are sent at once than the service allows`() async throws {
    let server = try await TrapServer()
    let backend = try server.backend("page404") { $0.limits.concurrent = 1 }
    let names = try await withThrowingTaskGroup(of: Value?.self) { group in
      for id in 1...5 { group.addTask { try await backend.get(RecordID("\(id)"), from: things).fields["name"] } }
      var names: [String] = []
      for try await name in group { names.append(name?.text ?? "") }
      return names
    }
    #expect(names.sorted() == (1...5).map { "thing \($0)" })
  }
}
