import BackendKit

extension GrailsOptions {
  /// Announcements of a Grails application: read at one path, written at another.
  var service: Service {
    var announcements = Service.Resource(
      resource, at: readPath,
      identifier: IdentifierRule(field: "id", form: .integer),
      fields: [
        FieldDescription("id", .integer, isReadOnly: true, note: "counted by the server"),
        FieldDescription(
          "title", .text, isRequired: true, maximumLength: GrailsText.titleLimit,
          note: "white space around it is not stored"),
        FieldDescription(
          "body", .html, note: listsBodies ? "blank is stored as null" : "not loaded by lists of this version"),
      ])
    announcements.writePath = writePath
    announcements.unlisted = listsBodies ? [] : ["body"]
    announcements.paging.size = "max"
    announcements.paging.defaultSize = 10
    announcements.paging.cap = 100
    announcements.paging.offset = "offset"
    // It is read as a number of 32 bits; anything else is answered with status 500.
    announcements.paging.lastOffset = Int(Int32.max)
    // Without an order the database is asked for none, and pages may overlap. Titles are sorted without regard to case.
    announcements.sorting = Service.Sorting(
      "sort", direction: .parameter("order"), exact: ["id"], own: ["title"], default: SortKey(FieldPath("id")))
    announcements.creating = Service.Creating()
    // A field that is left out stays as it is, whatever the method. What cannot be read is answered with 200 and the record as
    // it was.
    announcements.updating = Service.Updating("PUT", clearing: .null, answersAsStored: true)
    announcements.deleting = Service.Deleting()
    var hooks = Self.hooks
    hooks.classify = meaning
    return Service(
      product: "Grails", apiVersion: apiVersion,
      // Messages are shown, so they are asked for in English.
      headers: versionHeaders + [("Accept-Language", "en")], resources: [announcements],
      inspection: Service.Inspection(about: .base, version: "grailsversion", readsList: true),
      errors: Service.Errors(
        messages: [["message"], ["_embedded", "errors", "*", "message"], ["errors", "*", "message"]]), hooks: hooks)
  }

  /// What is the same in every version.
  static var hooks: Service.Hooks {
    var hooks = Service.Hooks()
    hooks.encode = GrailsText.encode
    hooks.stored = GrailsText.stored
    hooks.decode = record
    return hooks
  }

  /// The record in one JSON value. A field that is not there is a null, which the server never writes; a body that lists do not load is
  /// taken out of them by the engine.
  private static func record(
    _ value: Value, _ resource: Service.Resource, _ inList: Bool
  ) throws(BackendError) -> Record {
    guard let object = value.object, let id = RecordID(object["id"]) else {
      throw BackendError(
        .badResponse, "the response contains a \(value.kind) instead of a record with an id", effect: .rejected,
        hint: "check whether the option readPath leads to records")
    }
    var fields = Object(["id", "title", "body"].map { ($0, object[$0] ?? .null) })
    for (name, value) in object.members where fields[name] == nil { fields[name] = value }
    return Record(id: id, fields: fields)
  }

  /// What a status 404 means: of a record that is not there the server says nothing; words come from an address that it
  /// does not know.
  private func meaning(_ failure: Service.Failure) -> BackendError {
    var error = failure.error
    if failure.status == 404, let id = failure.id, failure.body.isEmpty {
      error.message = "there is no record \(id)"
    } else if failure.status == 404 {
      error.code = .misconfigured
      let version = failure.method == "GET" ? apiVersion.map { " in version \($0)" } ?? "" : ""
      error.message = "the server has no route \(failure.method) /\(failure.path)\(version)"
    }
    if failure.status < 300 { error.hint = "check whether the option readPath leads to a list that Grails pages" }
    if error.code == .misconfigured {
      let options = failure.method == "GET" ? "readPath and apiVersion" : "writePath"
      error.hint = "check the backend's address and its options \(options)"
    }
    return error
  }
}
