import BackendKit

extension Facts {
  /// Reads the way to create a record.
  func create(_ identifier: IdentifierRule) -> Service.Creating? {
    let method: String? = word(
      Key.createMethod, MethodWords.writing,
      "the method; PUT is sent to the path of the identifier, which the client then chooses")
    let atCollection = read(
      Key.createAtCollection, .boolean,
      "whether it is sent to the collection, not to the path of its identifier; true unless the method is PUT")
    let dropped = texts(Key.createDrop, "fields that are not sent in the body, such as an identifier in the path")
    let extras = extras(identifier)
    let body = body(extras, identifier)
    let sendsNull = flag("sendsNull", "whether null is sent; otherwise the field is left out", else: true)
    let returns: String? = word(
      Key.createReturns,
      [
        ("record", "the record"), ("maybe", "the record, or nothing"), ("identifier", "the identifier"),
        ("location", "only the header field Location"), ("nothing", "nothing"),
      ],
      "what the response contains (default: record)")
    let place = member(Key.createIdentifierPath, "where the response has the identifier", formerly: "identifierAt")
    let locates = flag(Key.createLocation, "whether the header field Location leads to the record")
    let chooser: String? = word(
      Key.createIdentifier, [("server", "the service chooses it"), ("client", "the client may choose it")],
      "who chooses the identifier (default: server)")
    let looksFirst = read(
      Key.createReadsFirst, .boolean,
      "whether to check first that a chosen identifier is unused; true if the request may replace a record",
      formerly: "looksFirst")
    var creating = Service.Creating(
      mayAnswerNothing: returns == "maybe", locates: locates, looksFirst: looksFirst?.value.bool)
    if let method { creating.method = method }
    creating.atItem = atCollection?.value.bool.map { !$0 } ?? creating.atItem
    // A record that is made at its own path has an identifier that was chosen.
    creating.takesIdentifiers = chooser == "client" || chooser == nil && (creating.atItem ?? (creating.method == "PUT"))
    creating.dropped = dropped ?? []
    creating.replacedStatuses = integers(
      "replacedStatuses", 200...299,
      "statuses that mean that an existing record was replaced; without any, only 201 rules out a replacement")
    (creating.extras, creating.body, creating.wrapping) = body
    creating.sendsNull = sendsNull
    creating.idempotencyKey = text(
      "idempotencyKey", "the idempotency-key header field, by which the service recognizes a repeated create", .header)
    source()
    switch returns {
    case "identifier"?:
      creating.answer = .identifier(place ?? [])
      if place == nil { mistake("identifierPath is missing", hint: "$ is the response itself") }
    case "location"?: creating.answer = .location
    case "nothing"?: creating.answer = .nothing
    default: creating.answer = .record
    }
    return isThere ? creating : nil
  }

  /// Reads how a record is changed; returns how fields are cleared by their type.
  func update(_ resource: inout Service.Resource) -> [String: String] {
    let method =
      word(
        Key.updateMethod, MethodWords.writing,
        "the method that sends only the changes; null if the whole record is replaced") ?? "PATCH"
    let sent = isNull(Key.updateMethod) ? nil : method
    let form: Service.Updating.Form? = word(
      Key.updatePatchFormat,
      [
        ("fields", "an object with the fields"), ("mergePatch", "a JSON Merge Patch"),
        ("jsonPatch", "a JSON Patch"),
      ],
      "how the changes are written (default: fields)", formerly: "as")
    let isAtResource = flag(
      Key.updateAtCollection,
      "whether it is sent to the collection, with the identifier in `path`, `parameters` or `extraMembers`")
    if isAtResource { check(identifier: resource.identifier, in: ["path", "parameters", "extraMembers"]) }
    let body = body(extras(resource.identifier), resource.identifier)
    let clear = read(
      Key.updateClear, .either(.word(ClearingWords.all), .map(of: "type", .word(ClearingWords.all))),
      "how a field is cleared, for all types or by type; `any` covers the types not listed (default: impossible)")
    let byType = Dictionary(clear?.pairs ?? [], uniquingKeysWith: { first, _ in first })
    let replacing =
      word(
        "replaceMethod", MethodWords.writing, "the method that replaces a record (default: PUT)") ?? "PUT"
    let clearing = Service.Updating.Clearing(word: clear?.value.text ?? byType["any"], replacing: replacing)
    // Without a method the whole record is sent, in which a field is left out, or null.
    if sent == nil, [.removing, .impossible].contains(clearing) {
      mistake("without a method the record is replaced", at: "clear", hint: "clear: replace")
    } else if form != .jsonPatch, clearing == .removing || byType.values.contains("remove") {
      mistake(Self.noPatch, at: "clear", hint: Self.patchHint)
    }
    var updating = Service.Updating(
      sent, clearing: clearing,
      keepsNull: flag(Key.updateKeepsNull, "whether null is stored as null; otherwise it clears the field", else: true),
      dropped: texts(Key.updateDrop, "members of a record that are not sent with a replacement") ?? [],
      mayAnswerNothing: word(
        Key.updateReturns, [("record", "the record"), ("maybe", "the record, or nothing")], "what the response contains"
      )
        == "maybe")
    updating.readsBack = flag(Key.updateReadBack, "whether the record is read after the change")
    updating.answersAsStored = flag(
      "returnsStored", "whether the response shows the record as it is stored", formerly: "asStored")
    updating.mergesObjects = flag("mergesObjects", "whether object members that are not sent are kept")
    updating.isRepeatable =
      read(
        "repeatable", .boolean,
        "whether repeating it has no further effect: it is sent again if no response comes (default: unless it is a POST)"
      )?.value.bool ?? ((sent ?? replacing) != "POST")
    updating.isAtomic = flag(Key.updateAtomic, "whether concurrent changes to different fields are all kept")
    source()
    updating.form = form ?? .fields
    (updating.extras, updating.body, updating.wrapping) = body
    updating.replaceMethod = replacing
    updating.isAtResource = isAtResource
    resource.updating = isThere ? updating : nil
    return byType
  }

  /// Tells a write at the collection that names no record, which could change all of them.
  private func check(identifier: IdentifierRule, in keys: [String]) {
    let texts = keys.compactMap { node?[$0].map { JSONWriter.compact($0.value) } }
    guard !texts.contains(where: { text in (["id"] + identifier.parts).contains { text.contains(text: "{\($0)}") } })
    else { return }
    mistake(
      "the identifier is in none of \(keys.joined(separator: ", "))", at: "atCollection",
      hint: "for example \(keys.last ?? ""): {id: \"{id}\"}")
  }

  /// Reads how a record is deleted, and what is deleted along with any.
  func delete(_ resource: inout Service.Resource) {
    var deleting = Service.Deleting()
    deleting.method = word(Key.deleteMethod, MethodWords.writing, "the method") ?? deleting.method
    deleting.extras = extras(resource.identifier)
    deleting.body = value("body", "the body, in which the text `{id}` is replaced by the identifier")
    if let body = deleting.body { checkPlaceholders(of: body, at: "body", resource.identifier) }
    deleting.isAtResource = flag(
      "atCollection", "whether it is sent to the collection, with the identifier in body or parameters")
    if deleting.isAtResource { check(identifier: resource.identifier, in: ["path", "parameters", "body"]) }
    let isSoft = flag(Key.deleteSoft, "whether the record can still be read afterwards, marked as deleted")
    deleting.isSoft = isSoft && !isLikely(Key.deleteSoft)
    deleting.readsFirst =
      read(
        Key.deleteReadsFirst, .boolean,
        "whether to read the record first, because the service also accepts a delete of a missing one; true if the request may create a record"
      )?.value.bool
    deleting.all = flag(
      "deleteAll", "whether DELETE of the collection deletes every record", formerly: "all")
    let orphans = text(
      Key.deleteOrphanSuffix,
      "the suffix of fields that refer to other records, such as `Id`: each delete also deletes all records that refer to a missing record",
      formerly: "orphans")
    source()
    resource.deleting = isThere ? deleting : nil
    resource.dependents = orphans.map { [.orphans(suffix: $0)] } ?? []
  }

  private func extras(_ identifier: IdentifierRule) -> Service.WriteParameters {
    let extras = Service.WriteParameters(
      path: path("path", "path segments after the path of the record or collection")?.segments ?? [],
      parameters: pairs("parameters", of: "parameter", "additional parameters to send"),
      headers: pairs("headers", of: "header field", "additional header fields to send"))
    for (_, text) in extras.parameters { checkPlaceholders(of: .string(text), at: "parameters", identifier) }
    return extras
  }

  /// Refuses a text that is a name in braces for which nothing would be put in: it would be sent as it stands.
  private func checkPlaceholders(of value: Value, at key: String, _ identifier: IdentifierRule) {
    let known = ["id"] + identifier.parts
    for text in value.allTexts where text.first == "{" && text.last == "}" {
      guard let name = text.namesInBraces.first, text.count == name.count + 2, !known.contains(name),
        name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" })
      else { continue }
      return notPlaceholder(name, at: key, known)
    }
  }

  /// Reads the members sent in addition to the fields, and the form of the fields.
  private func body(
    _ extras: Service.WriteParameters, _ identifier: IdentifierRule
  ) -> (extras: Service.WriteParameters, form: Service.BodyForm, wrapping: [String]?) {
    let form: Service.BodyForm? = choice(
      Key.createBody, [("json", "as JSON", .json), ("form", "as a form", .form)], "how the fields are written")
    let wrapping = member(Key.createWrap, "the member of the document that contains the fields")
    var extras = extras
    extras.members =
      object(
        "extraMembers", of: "member",
        "members of the body besides the fields: constants, or the identifier, written as `{id}`") ?? Object()
    checkPlaceholders(of: .object(extras.members), at: "extraMembers", identifier)
    return (extras, form ?? .json, wrapping)
  }

  /// Reads the revision, which distinguishes two versions of a record.
  func revision() -> Service.Revision? {
    let from = read(
      Key.revisionFrom, .word([("etag", "the ETag"), ("field", "a field of the record")]), "where it is read")?.value
      .text
    let field = text(Key.revisionField, "the field")
    let isWeak = flag(Key.revisionWeak, "whether a weak ETag distinguishes versions")
    let header = text(
      "header", "the header field with which a write requires that version (default: If-Match)", .header)
    let sentField = text("sendField", "alternatively, the field of the record that is sent")
    let parameter = text("sendParameter", "alternatively, the parameter")
    let deletes = flag(Key.revisionOnDelete, "whether a delete can require it, too", formerly: "deletes")
    let isRequired = flag(Key.revisionRequired, "whether the service refuses a write without it")
    let conflicts = integers(
      Key.revisionConflictStatuses, 400...499, "statuses that mean that the record has changed, besides 409 and 412",
      formerly: "conflicts")
    source()
    guard let from else {
      if isThere { mistake("from is missing", hint: "for example from: etag") }
      return nil
    }
    if from == "field", field == nil { mistake("field is missing", hint: "for example field: version") }
    return Service.Revision(
      from == "field" ? .field(field ?? "") : .entityTag(isWeak: isWeak),
      sending: sentField.map { .field($0) } ?? parameter.map { .parameter($0) } ?? .header(header ?? "If-Match"),
      deletes: deletes, isRequired: isRequired, conflicts: conflicts)
  }

  /// Reads the way to follow a write that is completed later.
  func job() -> Service.Job? {
    let statuses = integers("statuses", 200...299, "statuses that mean that it is not done yet (default: 202)")
    let address = section(
      .jobAddress, at: "statusUrl", "where the status address is (default: Location)", formerly: "at"
    ).jobAddress()
    let state = member("state", "the member with its state (default: the HTTP status)")
    var job = Service.Job(statuses: statuses.isEmpty ? [202] : statuses, at: address, state: state)
    job.pending = texts("pending", "its values while it is running") ?? []
    job.done = texts("done", "its values when it is done") ?? []
    job.failed = texts("failed", "its values when it has failed") ?? []
    job.progress = member("progress", "where its progress is, a number or text, shown unchanged")
    job.message = member("message", "where the error message is")
    job.result = member("result", "where the record, its address or its identifier is when it is done")
    let interval = integer("interval", 1...3_600, "seconds between two checks, 1 to 3600, if the service gives none")
    job.interval = interval.map { .seconds($0) } ?? job.interval
    let patience = integer("timeout", 1...86_400, "the maximum wait in seconds", formerly: "patience")
    job.patience = patience.map { .seconds($0) } ?? job.patience
    source()
    check(statesOf: job)
    return isThere ? job : nil
  }

  /// Tells states by which a job would never be seen to end, or be seen to end in two ways.
  private func check(statesOf job: Service.Job) {
    if job.state != nil, job.done.isEmpty { mistake("done is missing", hint: "for example done: [succeeded]") }
    let lists = [("pending", job.pending), ("done", job.done), ("failed", job.failed)]
    if job.state == nil, let (key, _) = lists.first(where: { !$1.isEmpty }) {
      mistake("state is missing, where the response has one of these", at: key, hint: "for example state: status")
    }
    for (place, (key, states)) in lists.enumerated() {
      for (other, theirs) in lists[..<place] {
        guard let both = states.first(where: theirs.contains) else { continue }
        mistake("\"\(both)\" is among the states of \(other), too", at: key)
      }
    }
  }

  func jobAddress() -> Service.Job.Address {
    let header = text("header", "in a header field", .header)
    let member = member("member", "in the document")
    let path = text("path", "a path below the backend's address; `{id}` is the value at `id`", .path)
    let id = self.member("id", "where in the document")
    checkPlaceholders(ofPath: path ?? "", at: "path", ["id"])
    let given = ["header", "member", "path"].filter(has)
    if given.count > 1 { mistake("only one of \(given.joined(separator: " and ")) can be given") }
    return header.map { .header($0) } ?? member.map { .member($0) } ?? path.map { .template($0, id: id ?? ["id"]) }
      ?? .location
  }

  func persistence(_ resource: inout Service.Resource) {
    resource.writes =
      choice(
        Key.persistenceKept,
        [
          ("yes", "a later read shows it", .kept), ("no", "the response looks as if it were stored", .echoed),
          ("unknown", "the first write is read back", .unknown),
        ],
        "whether the service stores what is written") ?? .kept
    resource.showsWritesLater = flag(
      "eventuallyConsistent", "whether a read may show a write only some time after its response",
      formerly: "visibleLater")
    source()
  }

  /// Reads an action other than the standard operations.
  func action(_ name: String) -> Service.Action {
    let target: String? = word(
      "appliesTo", [("record", "a record"), ("collection", "the resource")], "what it acts on (default: record)",
      formerly: "of")
    let method = word("method", MethodWords.all, "the method (default: POST)") ?? "POST"
    let path = path("path", "below the record or the resource; `{name}` is the value of an input field")
    let fields = fields("fields", "its input fields").map(\.description)
    let unknown = path?.segments.flatMap(\.namesInBraces).first { name in !fields.contains { $0.name == name } }
    if let unknown { notPlaceholder(unknown, at: "path", fields.map(\.name)) }
    let body: String? = word(
      "body", [("object", "as an object"), ("list", "as a list with one object")], "how that is sent")
    let answersList = flag("returnsList", "whether it returns a list")
    let declared: RequestEffect =
      choice(
        "effect",
        [
          ("read", "nothing", .read), ("write", "it changes something", .write),
          ("repeatable", "it changes something, and repeating it has no further effect", .repeatableWrite),
        ],
        "its effect on the data (default: write)") ?? .write
    let note = text("note", "a note for people")
    source()
    let effect = declared.counted(method: method, isTrusted: reading.isTrusted)
    let doubt = effect == declared ? nil : "described as a read, but sent by \(method), so it counts as a write"
    let notes = [note, doubt].compactMap(\.self)
    return Service.Action(
      ActionDescription(
        name, of: target == "collection" ? .collection : .record, fields: fields, effect: effect,
        note: notes.isEmpty ? nil : notes.joined(separator: "; ")),
      method: method, path: path?.segments ?? [name], body: body == "list" ? .list : .object, answersList: answersList)
  }
}

extension Service.Updating {
  /// Clears a field as a word says.
  mutating func clear(_ field: String, _ word: String) {
    clearings[field] = Clearing(word: word, replacing: replaceMethod)
  }
}

extension Service.Updating.Clearing {
  init(word: String?, replacing method: String) {
    self =
      switch word {
      case "null"?: .null
      case "replace"?: .replacing(method)
      case "replaceWithNull"?: .replacingByNull
      case "remove"?: .removing
      case "emptyText"?: .emptyText
      case "default"?: .defaultValue
      case "untested"?: .untested
      default: .impossible
      }
  }
}

/// Ways to clear a field.
enum ClearingWords {
  static let all: [Word] = [
    ("null", "by null"), ("replace", "by sending the record without the field"),
    ("replaceWithNull", "by sending the whole record with null"),
    ("remove", "by a `remove` operation of a JSON Patch"), ("emptyText", "by empty text"),
    ("default", "by the field's `serverDefault`"),
    ("untested", "unknown: null is sent and the record is read back"), ("impossible", "not at all"),
  ]
}

/// The methods that a description may name.
enum MethodWords {
  /// Those that change something; MERGE is how OData 2 and 3 change fields.
  static let writing: [Word] = ["POST", "PUT", "PATCH", "DELETE", "MERGE"].map { ($0, "") }
  static let all: [Word] = [("GET", "")] + writing
}
