import BackendKit

extension GrailsOptions {
  /// The domain classes of a Grails application, each read at one path and written at another or the same.
  var service: Service {
    var hooks = Self.hooks
    hooks.classify = meaning
    return Service(
      product: "Grails", apiVersion: apiVersion,
      // Any other type reaches another renderer or status 406. Messages are shown, so they are asked for in English.
      headers: [("Accept", "application/json"), ("Accept-Language", "en")],
      resources: [announcements] + others.map(records),
      inspection: Service.Inspection(
        about: .base, version: "grailsversion", readsList: true, samples: !others.isEmpty),
      errors: Service.Errors(
        messages: [["message"], ["_embedded", "errors", "*", "message"], ["errors", "*", "message"]]), hooks: hooks)
  }

  private var announcements: Service.Resource {
    let note =
      listsBodies == nil ? "lists in this version may omit it" : "omitted by lists in this version"
    var announcements = records(
      DomainClass(
        name: resource, readPath: readPath, writePath: writePath,
        fields: [
          FieldDescription(
            "title", .text, isRequired: true, maximumLength: GrailsText.titleLimit,
            note: "white space around it is not stored"),
          FieldDescription("body", .html, note: listsBodies == true ? "blank is stored as null" : note),
        ]))
    (announcements.source, announcements.isOpen) = (.adapter, false)
    announcements.unlisted = listsBodies == true ? [] : ["body"]
    announcements.unlistedIsLikely = listsBodies == nil
    // Titles are sorted without regard to case.
    announcements.sorting?.own = ["title"]
    return announcements
  }

  /// Returns the resource of a domain class, with the facts that all of them share.
  private func records(_ domain: DomainClass) -> Service.Resource {
    let known = domain.fields.filter { $0.name != "id" }
    var records = Service.Resource(
      domain.name, at: domain.readPath, identifier: IdentifierRule(field: "id", form: .integer),
      fields: [FieldDescription("id", .integer, isReadOnly: true, note: "counted by the server")] + known)
    records.source = known.isEmpty ? .unknown : .configuration
    records.isOpen = true
    records.writePath = domain.writePath
    records.addressing.version = versionPlace
    // A list may be a projection, and a null is left out of every answer.
    records.unlisted = known.map(\.name)
    records.unlistedIsLikely = true
    records.paging.size = "max"
    records.paging.defaultSize = 10
    records.paging.cap = 100
    records.paging.offset = "offset"
    // It is read as a number of 32 bits; anything else is answered with status 500.
    records.paging.lastOffset = Int(Int32.max)
    // Without an order the database is asked for none, and pages may overlap.
    records.sorting = Service.Sorting(
      "sort", direction: .parameter("order"), exact: ["id"], own: known.map(\.name), default: SortKey(FieldPath("id")))
    records.creating = Service.Creating()
    // A field that is left out stays as it is, whatever the method. What cannot be read is answered with 200 and the
    // record as it was.
    records.updating = Service.Updating("PUT", clearing: .null, answersAsStored: true)
    records.deleting = Service.Deleting()
    return records
  }

  /// The hooks, which are the same in every version.
  static var hooks: Service.Hooks {
    var hooks = Service.Hooks()
    hooks.encode = GrailsText.encode
    hooks.stored = GrailsText.stored
    hooks.decode = record
    return hooks
  }

  /// Reads the record in one JSON value, its fields in the order of the server. A field that is not there is a null,
  /// which the server never writes; what lists do not load is left to the engine.
  private static func record(
    _ value: Value, _ resource: Service.Resource, _ inList: Bool
  ) throws(BackendError) -> Record {
    guard let object = value.object, let id = RecordID(object["id"]) else {
      throw BackendError(
        .badResponse, "the response contains a \(value.kind) instead of a record with an id", effect: .rejected,
        hint: "check whether the option readPath leads to records")
    }
    var fields = object
    let unlisted = inList ? resource.unlisted : []
    for field in resource.fields where !object.has(field.name) && !unlisted.contains(field.name) {
      fields[field.name] = .null
    }
    return Record(id: id, fields: fields)
  }

  /// Returns the error for a status 404: the server sends no text for a missing record; a text comes from an address
  /// that it does not know.
  private func meaning(_ failure: Service.Failure) -> BackendError {
    var error = failure.error
    if failure.status == 404, failure.id != nil, failure.body.isEmpty {
      error.message = "not found (404)"
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
