import BackendKit

struct WriteFacts: Facts {
  let from: SectionNode

  func create(_ identifier: IdentifierRule) -> Service.Creating? {
    var creating = Service.Creating()
    let method: String? = word(
      Key.createMethod, MethodWords.writing,
      "the method; PUT is sent to the path of the identifier, which the client then chooses")
    set(&creating.method, method)
    creating.atItem = answer(
      Key.createAtCollection,
      "whether it is sent to the collection, not to the path of its identifier; true unless the method is PUT"
    ).map { !$0 }
    creating.dropped =
      texts(Key.createDrop, "fields that are not sent in the body, such as an identifier in the path") ?? []
    (creating.extras, creating.body, creating.wrapping) = body(identifier)
    creating.sendsNull = flag("sendsNull", "whether null is sent; otherwise the field is left out", else: true)
    let answers: [Word] = [
      ("record", "the record"), ("maybe", "the record, or nothing"), ("identifier", "the identifier"),
      ("location", "only the header field Location"), ("nothing", "nothing"),
    ]
    let returns: String? = word(Key.createReturns, answers, "what the response contains (default: record)")
    let place = member(Key.createIdentifierPath, "where the response has the identifier", formerly: "identifierAt")
    creating.locates = flag(Key.createLocation, "whether the header field Location leads to the record")
    let chooser: String? = word(
      Key.createIdentifier, [("server", "the service chooses it"), ("client", "the client may choose it")],
      "who chooses the identifier (default: server)")
    creating.looksFirst = answer(
      Key.createReadsFirst,
      "whether to check first that a chosen identifier is unused; true if the request may replace a record",
      formerly: "looksFirst")
    // A record created at its own path has an identifier that the client chose.
    creating.takesIdentifiers = chooser.map { $0 == "client" } ?? creating.atItem ?? (creating.method == "PUT")
    creating.replacedStatuses = integers(
      "replacedStatuses", 200...299,
      "statuses that mean that an existing record was replaced; without any, only 201 rules out a replacement")
    creating.idempotencyKey = text(
      "idempotencyKey", "the idempotency-key header field, by which the service recognizes a repeated create", .header)
    switch returns {
    case "maybe"?: creating.mayAnswerNothing = true
    case "identifier"?:
      creating.answer = .identifier(place ?? [])
      if place == nil { missing("identifierPath", "$ is the response itself") }
    case "location"?: creating.answer = .location
    case "nothing"?: creating.answer = .nothing
    default: break
    }
    return isThere ? creating : nil
  }

  /// Reads how a record is updated; returns by type how fields are cleared.
  func update(_ resource: inout Service.Resource) -> [String: String] {
    let method =
      word(
        Key.updateMethod, MethodWords.writing,
        "the method that sends only the changes; null if the whole record is replaced") ?? "PATCH"
    let sent = isNull(Key.updateMethod) ? nil : method
    let forms: [Word] = [
      ("fields", "an object with the fields"), ("mergePatch", "a JSON Merge Patch"),
      ("jsonPatch", "a JSON Patch"),
    ]
    let form: Service.Updating.Form? = word(
      Key.updatePatchFormat, forms, "how the changes are written (default: fields)", formerly: "as")
    let isAtResource = flag(
      Key.updateAtCollection,
      "whether it is sent to the collection, with the identifier in `path`, `parameters` or `extraMembers`")
    if isAtResource { check(identifier: resource.identifier, in: ["path", "parameters", "extraMembers"]) }
    let body = body(resource.identifier)
    let clear = read(
      Key.updateClear, .either(.word(ClearingWords.all), .map(of: "type", .word(ClearingWords.all))),
      "how a field is cleared, for all types or by type; `any` covers the types not listed (default: impossible)")
    let byType = Dictionary(clear?.pairs ?? [], uniquingKeysWith: { first, _ in first })
    let replacing =
      word("replaceMethod", MethodWords.writing, "the method that replaces a record (default: PUT)") ?? "PUT"
    let clearing = Service.Updating.Clearing(word: clear?.value.text ?? byType["any"], replacing: replacing)
    // Without a method the whole record is sent, in which a field can only be omitted or null.
    if sent == nil, [.removing, .impossible].contains(clearing) {
      mistake("without a method the record is replaced", at: "clear", hint: "clear: replace")
    } else if form != .jsonPatch, clearing == .removing || byType.values.contains("remove") {
      needsPatch()
    }
    var updating = Service.Updating(
      sent, clearing: clearing,
      keepsNull: flag(Key.updateKeepsNull, "whether null is stored as null; otherwise it clears the field", else: true),
      dropped: texts(Key.updateDrop, "members of a record that are not sent with a replacement") ?? [],
      mayAnswerNothing: choice(
        Key.updateReturns, [("record", "the record", false), ("maybe", "the record, or nothing", true)],
        "what the response contains") ?? false)
    updating.readsBack = flag(Key.updateReadBack, "whether the record is read after the change")
    updating.answersAsStored = flag(
      "returnsStored", "whether the response shows the record as it is stored", formerly: "asStored")
    updating.mergesObjects = flag("mergesObjects", "whether object members that are not sent are kept")
    updating.isRepeatable = flag(
      "repeatable",
      "whether repeating it has no further effect: it is sent again if no response comes (default: unless it is a POST)",
      else: (sent ?? replacing) != "POST")
    updating.isAtomic = flag(Key.updateAtomic, "whether concurrent changes to different fields are all kept")
    updating.form = form ?? .fields
    (updating.extras, updating.body, updating.wrapping) = body
    updating.replaceMethod = replacing
    updating.isAtResource = isAtResource
    resource.updating = isThere ? updating : nil
    return byType
  }

  func needsPatch() {
    mistake(
      "only a JSON Patch has the operation `remove`", at: "clear", hint: "add patchFormat: jsonPatch to update")
  }

  /// Reports a write to the collection that names no record: it could change all of them.
  private func check(identifier: IdentifierRule, in keys: [String]) {
    let texts = keys.compactMap { node?[$0].map { JSONWriter.compact($0.value) } }
    guard !texts.contains(where: { text in (["id"] + identifier.parts).contains { text.contains(text: "{\($0)}") } })
    else { return }
    mistake(
      "the identifier is in none of \(keys.joined(separator: ", "))", at: "atCollection",
      hint: "for example \(keys.last ?? ""): {id: \"{id}\"}")
  }

  func delete(_ resource: inout Service.Resource) {
    var deleting = Service.Deleting()
    set(&deleting.method, word(Key.deleteMethod, MethodWords.writing, "the method"))
    deleting.extras = extras(resource.identifier)
    deleting.body = value("body", "the body, in which the text `{id}` is replaced by the identifier")
    if let body = deleting.body { checkPlaceholders(in: body, at: "body", resource.identifier) }
    deleting.isAtResource = flag(
      "atCollection", "whether it is sent to the collection, with the identifier in body or parameters")
    if deleting.isAtResource { check(identifier: resource.identifier, in: ["path", "parameters", "body"]) }
    let isSoft = flag(Key.deleteSoft, "whether the record can still be read afterwards, marked as deleted")
    deleting.isSoft = isSoft && !isLikely(Key.deleteSoft)
    deleting.readsFirst = answer(
      Key.deleteReadsFirst,
      "whether to read the record first, because the service also accepts a delete of a missing one; true if the request may create a record"
    )
    deleting.all = flag("deleteAll", "whether DELETE of the collection deletes every record", formerly: "all")
    let orphans = text(
      Key.deleteOrphanSuffix,
      "the suffix of fields that refer to other records, such as `Id`: each delete also deletes all records that refer to a missing record",
      formerly: "orphans")
    resource.deleting = isThere ? deleting : nil
    resource.dependents = orphans.map { [.orphans(suffix: $0)] } ?? []
  }

  private func extras(_ identifier: IdentifierRule) -> Service.WriteParameters {
    let extras = Service.WriteParameters(
      path: segments("path", "path segments after the path of the record or collection"),
      parameters: pairs("parameters", of: "parameter", "additional parameters to send"),
      headers: pairs("headers", of: "header field", "additional header fields to send"))
    for (_, text) in extras.parameters { checkPlaceholders(in: .string(text), at: "parameters", identifier) }
    return extras
  }

  /// Refuses a text that consists of an unknown placeholder.
  private func checkPlaceholders(in value: Value, at key: String, _ identifier: IdentifierRule) {
    let names = value.allTexts.compactMap { text in
      text.namesInBraces.first { name in
        text == "{\(name)}" && name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
      }
    }
    checkPlaceholders(names, at: key, ["id"] + identifier.parts)
  }

  private func body(
    _ identifier: IdentifierRule
  ) -> (extras: Service.WriteParameters, form: Service.BodyForm, wrapping: [String]?) {
    var extras = extras(identifier)
    let forms: Choices<Service.BodyForm> = [
      ("json", "as JSON", .json), ("form", "as a form, the elements of lists by number: `c[0]=1`", .form),
      ("repeatingForm", "as a form, the name of a list repeated: `c=1&c=2`", .repeatingForm),
    ]
    let form = choice(Key.createBody, forms, "how the fields are written")
    let wrapping = member(Key.createWrap, "the member of the document that contains the fields")
    set(
      &extras.members,
      object(
        "extraMembers", of: "member",
        "members of the body besides the fields: constants, or the identifier, written as `{id}`"))
    checkPlaceholders(in: .object(extras.members), at: "extraMembers", identifier)
    return (extras, form ?? .json, wrapping)
  }

  func revision() -> Service.Revision? {
    let origin: String? = word(
      Key.revisionFrom, [("etag", "the ETag"), ("field", "a field of the record")], "where it is read")
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
    guard let origin else {
      if isThere { missing("from", "for example from: etag") }
      return nil
    }
    if origin == "field", field == nil { missing("field", "for example field: version") }
    return Service.Revision(
      origin == "field" ? .field(field ?? "") : .entityTag(isWeak: isWeak),
      sending: sentField.map { .field($0) } ?? parameter.map { .parameter($0) } ?? .header(header ?? "If-Match"),
      deletes: deletes, isRequired: isRequired, conflicts: conflicts)
  }

  func persistence(_ resource: inout Service.Resource) {
    let ways: Choices<Capabilities.Writes> = [
      ("yes", "a later read shows it", .kept), ("no", "the response looks as if it were stored", .echoed),
      ("unknown", "the first write is read back", .unknown),
    ]
    resource.writes = choice(Key.persistenceKept, ways, "whether the service stores what is written") ?? .kept
    resource.showsWritesLater = flag(
      "eventuallyConsistent", "whether a read may show a write only some time after its response",
      formerly: "visibleLater")
  }

}

extension Service.Updating.Clearing {
  init(word: String?, replacing method: String) {
    self = ClearingWords.ways(replacing: method).first { $0.name == word }?.value ?? .impossible
  }
}

enum ClearingWords {
  static let all: [Word] = ways(replacing: "").map { ($0.name, $0.help) }

  /// Each way with its meaning for a service that replaces records by this method.
  static func ways(replacing method: String) -> Choices<Service.Updating.Clearing> {
    [
      ("null", "by null", .null), ("replace", "by sending the record without the field", .replacing(method)),
      ("replaceWithNull", "by sending the whole record with null", .replacingByNull),
      ("remove", "by a `remove` operation of a JSON Patch", .removing), ("emptyText", "by empty text", .emptyText),
      ("default", "by the field's `serverDefault`", .defaultValue),
      ("untested", "unknown: null is sent and the record is read back", .untested),
      ("impossible", "not at all", .impossible),
    ]
  }
}

enum MethodWords {
  /// The methods that change something. OData 2 and 3 update by MERGE.
  static let writing = plain("POST", "PUT", "PATCH", "DELETE", "MERGE")
  static let all: [Word] = [("GET", "")] + writing
}
