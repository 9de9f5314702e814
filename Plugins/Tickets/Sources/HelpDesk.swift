import BackendKit

/// A help desk: tickets, their comments, and the users that they are assigned to.
enum HelpDesk {
  static func service() throws(BackendError) -> Service {
    var tickets = try resource(
      "tickets",
      [
        text("subject", 200, isRequired: true), text("description", 20_000),
        FieldDescription("status", .text, values: ["open", "pending", "closed"]),
        FieldDescription("priority", .text, values: ["low", "normal", "high"]),
        FieldDescription("estimate", .integer), FieldDescription("billable", .boolean),
        FieldDescription("due", .day), FieldDescription("customer", .object),
        FieldDescription("tags", .list, isNullable: false),
        FieldDescription("assignee", .text, reference: RecordReference(to: "users")),
      ], filters: ["status", "priority", "assignee"], orders: ["created", "updated", "subject", "priority"])
    tickets.actions = [
      Service.Action(
        ActionDescription("close", note: "closing a ticket that is already closed is refused"), path: ["close"])
    ]
    let users = try resource(
      "users",
      [
        text("name", 80, isRequired: true), text("email", 120, isRequired: true, isUnique: true),
        FieldDescription("role", .text, values: ["agent", "admin"]),
      ], filters: ["role", "email"], orders: ["name", "created"])
    var comments = try resource(
      "comments",
      [
        text("text", 5_000, isRequired: true),
        FieldDescription("author", .text, reference: RecordReference(to: "users")),
      ],
      orders: ["created"])
    // They are listed and made below their ticket, which they do not name, and read, changed and deleted by themselves.
    comments.owners = [Service.Owner("tickets", field: nil, createsBelow: true)]
    comments.operationsBelow = [.list, .create]
    return Service(
      product: "Acme Desk", resources: [tickets, users, comments],
      inspection: Service.Inspection(readsList: true),
      errors: Service.Errors(
        messages: [["errors", "*", "detail"]],
        fields: FieldMessages(["errors"], field: ["source", "pointer"], message: ["detail"]),
        meanings: [meaning("taken", .alreadyExists), meaning("in_use", .invalid), meaning("already_closed", .invalid)]),
      hooks: hooks)
  }

  private static func resource(
    _ name: String, _ fields: [FieldDescription], filters: [String] = [], orders: [String]
  ) throws(BackendError) -> Service.Resource {
    let own = ["created", "updated"].map { FieldDescription($0, .date, isReadOnly: true) }
    var resource = Service.Resource(
      name, at: try RequestPath(name), identifier: IdentifierRule(form: .text),
      fields: [FieldDescription("id", .text, isReadOnly: true)] + fields + own)
    resource.refusesOtherKinds = true
    resource.shape = .jsonAPI
    resource.paging.size = "page[size]"
    (resource.paging.defaultSize, resource.paging.cap) = (20, 50)
    resource.paging.cursor = "page[after]"
    resource.paging.next = .parameter("page[after]", of: ["links", "next"])
    resource.paging.total = .member(["meta", "total"])
    resource.paging.counting.isExact = true
    resource.paging.counting.ignoresConditions = false
    if !filters.isEmpty {
      resource.filters = Service.Filters(filters, equal: "filter[{field}]", separator: ",", fidelity: .exact)
    }
    resource.sorting = Service.Sorting("sort", direction: .minus, own: orders)
    resource.creating = Service.Creating(locates: true)
    resource.updating = Service.Updating("PATCH", clearing: .null, answersAsStored: true)
    resource.deleting = Service.Deleting()
    resource.revision = Service.Revision(.entityTag(isWeak: false), deletes: true)
    return resource
  }

  private static func text(
    _ name: String, _ longest: Int, isRequired: Bool = false, isUnique: Bool = false
  ) -> FieldDescription {
    FieldDescription(
      name, .text, isRequired: isRequired, maximumLength: longest, lengthUnit: .codePoints, isUnique: isUnique)
  }

  // MARK: Hooks

  /// The hooks that descriptions of such a help desk may name.
  static var hooks: Service.Hooks {
    var hooks = Service.Hooks()
    hooks.stored = { value in value.text.map { .string(trimmed($0)) } ?? value }
    return hooks
  }

  /// White space at the ends of a text is not stored.
  private static func trimmed(_ text: String) -> String {
    var text = text.unicodeScalars[...]
    while text.last?.properties.isWhitespace == true { text.removeLast() }
    while text.first?.properties.isWhitespace == true { text.removeFirst() }
    return String(text)
  }

  /// A value that another record has is no conflict with another change.
  private static func meaning(_ own: String, _ code: BackendError.Code) -> Service.Meaning {
    Service.Meaning(statuses: [409], has: (["errors", "*", "code"], .string(own)), code: code)
  }
}
