public import BackendConformance
public import BackendKit

/// A service in memory with revisions, actions, nested fields and fields whose values are listed.
public enum Desk {
  /// Its resources.
  public static let resources = [
    tickets,
    InMemoryResource("users", [Object([("name", "Ana")]), Object([("name", "Bo")])], fields: users),
    notes,
  ]

  /// The adapter of the service.
  public static func backend(_ exchange: any HTTPExchange) -> any Backend {
    ReferenceBackend(resources, exchange: exchange, product: "desk")
  }

  private static let address: Value = ["city": "Bern", "zip": 3000]

  private static let users = [
    FieldDescription("id", .integer, isReadOnly: true), FieldDescription("name", .text),
    FieldDescription("pin", .text, isSecret: true),
  ]

  /// Its records may have any field.
  private static let notes: InMemoryResource = {
    var notes = InMemoryResource(
      "notes", [Object([("title", "one"), ("address", address)] as [(String, Value)])],
      fields: [
        FieldDescription("id", .integer, isReadOnly: true), FieldDescription("title", .text),
        FieldDescription("address", .object), FieldDescription("a.c", .text),
      ])
    notes.description.isOpen = true
    return notes
  }()

  private static let tickets: InMemoryResource = {
    let status = FieldDescription("status", .text, values: ["open", "closed"])
    return InMemoryResource(
      "tickets",
      (1...3).map { number in
        Object([("subject", .string("Ticket \(number)")), ("status", "open"), ("customer", address)])
      },
      fields: [
        FieldDescription("id", .integer, isReadOnly: true),
        FieldDescription(
          "subject", .text, isRequired: true, maximumLength: 20, lengthUnit: .codePoints, isUnique: true),
        status, FieldDescription("due", .day),
        FieldDescription("assignee", .integer, reference: RecordReference(to: "users")),
        FieldDescription(
          "customer", .object, fields: [FieldDescription("city", .text), FieldDescription("zip", .integer)]),
        FieldDescription("version", .integer, isReadOnly: true),
      ], revisionField: "version",
      actions: [
        (
          ActionDescription(
            "close", fields: [FieldDescription("reason", .text, isRequired: true)], note: "ends the ticket"),
          Object([("status", "closed")])
        ), (ActionDescription("archive", of: .collection), Object()),
        (ActionDescription("preview", effect: .read), Object()),
      ])
  }()
}
