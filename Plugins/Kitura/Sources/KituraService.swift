import BackendKit

extension KituraOptions {
  /// Todos of a Kitura server.
  var service: Service {
    var todos = Service.Resource(
      resource, at: .base,
      // The server takes `+1` and `01` too: one record would have many names.
      identifier: IdentifierRule(field: "id", form: .integer, address: "url"),
      fields: [
        FieldDescription(
          "id", .integer, isReadOnly: true, note: "assigned by the server, from 0 again after each restart"),
        FieldDescription("title", .text),
        FieldDescription("user", .text),
        FieldDescription("order", .integer, suggestion: .count, note: "stored, but the server never sorts by it"),
        FieldDescription(
          "completed", .boolean, suggestion: .value(.bool(false))),
        FieldDescription("url", .text, isReadOnly: true, note: "often points to another host; never followed"),
      ])
    // Two that are made at the same moment may get the same one, and so does one made after a deletion by some
    // variants.
    todos.identifier.mayRepeat = true
    for place in todos.fields.indices where KituraRecords.needed.contains(todos.fields[place].name) {
      todos.fields[place].isRequired = needsAll
    }
    if let place = todos.fields.firstIndex(where: { $0.name == "completed" }) {
      todos.fields[place].serverDefault = .bool(false)
    }
    todos.paging = .none
    // It refuses any other kind with a text that says no more than "malformed".
    todos.refusesOtherKinds = true
    todos.creating = Service.Creating()
    todos.updating = Service.Updating(
      "PATCH", clearing: hasPut && !needsAll ? .replacing("PUT") : .impossible, keepsNull: false,
      dropped: ["id", "url"],
      answersAsStored: true)
    todos.deleting = Service.Deleting(readsFirst: deletesAnything, all: true)
    // Not every variant says how it is; its list does. One release compares the whole content type.
    return Service(
      product: "Kitura", resources: [todos],
      inspection: Service.Inspection(about: healthPath, proof: ("status", "UP"), readsList: true),
      hooks: KituraRecords.hooks)
  }
}

/// The hooks of a Kitura server: the parts that data cannot describe.
enum KituraRecords {
  static var hooks: Service.Hooks {
    var hooks = Service.Hooks()
    hooks.decode = record
    hooks.classify = meaning
    return hooks
  }

  /// The fields without which the variant with a database fails.
  static let needed = ["title", "user", "order"]

  /// Reads the record in one JSON value, its fields in the order of the server, which is another one each time. It
  /// leaves out those without a value; any may be missing, and the identifier then is the last part of the address.
  private static func record(
    _ value: Value, _ resource: Service.Resource, _ inList: Bool
  ) throws(BackendError) -> Record {
    guard let object = value.object else {
      throw BackendError(.badResponse, "the response contains a \(value.kind) instead of a record", effect: .rejected)
    }
    if case .number(let number)? = object["id"], let id = number.integerText {
      return Record(id: RecordID(id), fields: object)
    }
    let last = object["url"]?.text?.split(separator: "/").last.map(String.init) ?? ""
    guard resource.identifier.complaint(about: last) == nil else { return Record(id: nil, fields: object) }
    guard !object.has("id"), let number = Number(last) else { return Record(id: RecordID(last), fields: object) }
    return Record(id: RecordID(last), fields: Object([("id", Value.number(number))] + Array(object.members)))
  }

  /// Returns the error for a failure. The text of a status 404 begins with "Cannot" if there is no such route; any
  /// other 404 means that there is no such record. A status 503 without a text may mean that fields are missing.
  private static func meaning(_ failure: Service.Failure) -> BackendError {
    var error = failure.error
    if failure.status == 503, failure.words == nil, let sent = failure.sent, failure.method != "PATCH" {
      let names = failure.method == "PUT" ? needed + ["completed"] : needed
      let missing = names.filter { sent[$0] ?? .null == .null }
      guard !missing.isEmpty else { return error }
      error.message += "; \(missing.joined(separator: " and ")) \(missing.count == 1 ? "is" : "are") missing"
      error.message += missing.count == 1 ? ", which some servers require" : ", and some servers require them"
    }
    guard failure.status == 404 else { return error }
    let isRoute = failure.words?.hasPrefix("Cannot ") == true
    if isRoute, failure.method == "PUT" {
      error.code = .unsupported
      error.message = "this server has no PUT, without which a field cannot be cleared"
      error.hint = "set another value instead"
    } else if isRoute || failure.id == nil {
      error.code = .misconfigured
      error.message = "the server has no route \(failure.method) /\(failure.path)"
      error.hint = "check the backend's address"
    } else {
      error.message = "not found (\(failure.status))"
    }
    return error
  }
}
