import BackendKit

/// The facts that say how records are written.
struct WriteFacts {
  let facts: Facts

  /// How a record is made.
  func creating() -> Service.Creating? {
    let create = facts.section("create", .create)
    var creating = Service.Creating(
      mayAnswerNothing: create.text("returns") == "maybe", locates: create.flag("location"),
      looksFirst: create["readsFirst"] == nil ? nil : create.flag("readsFirst"))
    if let method = create.text("method") { creating.method = method }
    if create["atCollection"] != nil { creating.atItem = !create.flag("atCollection") }
    // A record that is made at its own path has an identifier that was chosen.
    let chooser = create.text("identifier")
    creating.takesIdentifiers = chooser == "client" || chooser == nil && (creating.atItem ?? (creating.method == "PUT"))
    creating.dropped = create.texts("drop") ?? []
    creating.replacedStatuses = Set(create.integers("replacedStatuses"))
    creating.extras = extras(create)
    creating.extras.members = create.value("extraMembers")?.object ?? Object()
    creating.body = body(create)
    creating.wrapping = create.member("wrap")
    creating.sendsNull = create.flag("sendsNull", else: true)
    let place = create.member("identifierPath")
    switch create.text("returns") {
    case "identifier"?:
      creating.answer = .identifier(place ?? [])
      if place == nil { create.mistake("identifierPath is missing", hint: "$ is the response itself") }
    case "location"?: creating.answer = .location
    case "nothing"?: creating.answer = .nothing
    default: creating.answer = .record
    }
    creating.idempotencyKey = create.text("idempotencyKey")
    return create.isThere ? creating : nil
  }

  /// How a record is changed.
  func updating() -> Service.Updating? {
    let update = facts.section("update", .update)
    let replacing = update.text("replaceMethod") ?? "PUT"
    let byType = update.pairs("clear") ?? []
    let clearing = clearing(update.text("clear") ?? byType.first { $0.0 == "any" }?.1, replacing)
    let method = update.isNull("method") ? nil : update.text("method") ?? "PATCH"
    // Without a method the whole record is sent, in which a field is left out, or null.
    if method == nil, [.removing, .impossible].contains(clearing) {
      update.mistake("without a method the record is replaced", at: "clear", hint: "clear: replace")
    }
    var updating = Service.Updating(
      method, clearing: clearing, keepsNull: update.flag("keepsNull", else: true),
      dropped: update.texts("drop") ?? [], mayAnswerNothing: update.text("returns") == "maybe",
      answersAsStored: update.flag("returnsStored"), mergesObjects: update.flag("mergesObjects"),
      isRepeatable: update.flag("repeatable", else: true))
    updating.form = update.text("patchFormat").flatMap { Service.Updating.Form(rawValue: $0) } ?? .fields
    updating.extras = extras(update)
    updating.extras.members = update.value("extraMembers")?.object ?? Object()
    updating.replaceMethod = replacing
    let own = FieldFacts(facts).written("fields").clear
    for field in FieldFacts(facts).fields("fields") {
      let word = own[field.name] ?? byType.first { $0.0 == field.kind.rawValue }?.1
      guard let word else { continue }
      updating.clearings[field.name] = self.clearing(word, replacing)
    }
    updating.isAtResource = update.flag("atCollection")
    if updating.isAtResource { checkIdentifier(update, ["path", "parameters", "extraMembers"]) }
    updating.body = body(update)
    updating.wrapping = update.member("wrap")
    updating.isAtomic = update.flag("atomic", else: true)
    updating.readsBack = update.flag("readBack")
    return update.isThere ? updating : nil
  }

  private func clearing(_ word: String?, _ replacing: String) -> Service.Updating.Clearing {
    switch word {
    case "null"?: .null
    case "replace"?: .replacing(replacing)
    case "replaceWithNull"?: .replacingByNull
    case "remove"?: .removing
    case "emptyText"?: .emptyText
    case "default"?: .defaultValue
    case "untested"?: .untested
    default: .impossible
    }
  }

  /// Tells a write at the collection that names no record, which could change all of them.
  private func checkIdentifier(_ write: Facts, _ keys: [String]) {
    let names = ["id"] + (facts.section("identifier", .identifier).texts("fields") ?? [])
    let texts = keys.compactMap { write.value($0).map(JSONWriter.compact) }
    guard !texts.contains(where: { text in names.contains { text.contains(text: "{\($0)}") } }) else { return }
    write.mistake(
      "the identifier is in none of \(keys.joined(separator: ", "))", at: "atCollection",
      hint: "for example \(keys.last ?? ""): {id: \"{id}\"}")
  }

  /// How a record is deleted.
  func deleting() -> Service.Deleting? {
    let delete = facts.section("delete", .delete)
    var deleting = Service.Deleting(readsFirst: delete.flag("readsFirst"), all: delete.flag("deleteAll"))
    if let method = delete.text("method") { deleting.method = method }
    deleting.extras = extras(delete)
    deleting.body = delete.value("body")
    deleting.isAtResource = delete.flag("atCollection")
    if deleting.isAtResource { checkIdentifier(delete, ["path", "parameters", "body"]) }
    deleting.isSoft = delete.flag("soft")
    return delete.isThere ? deleting : nil
  }

  /// What is deleted along with any record.
  func orphans() -> [Dependents] {
    facts.section("delete", .delete).text("orphanSuffix").map { [.orphans(suffix: $0)] } ?? []
  }

  private func extras(_ facts: Facts) -> Service.WriteParameters {
    Service.WriteParameters(
      path: facts.path("path")?.segments ?? [], parameters: facts.pairs("parameters") ?? [],
      headers: facts.pairs("headers") ?? [])
  }

  private func body(_ facts: Facts) -> Service.BodyForm { facts.text("body") == "form" ? .form : .json }

  /// What tells two versions of a record apart.
  func revision() -> Service.Revision? {
    let revision = facts.section("revision", .revision)
    let (field, isWeak, header) = (revision.text("field"), revision.flag("weak"), revision.text("header"))
    let (sentField, parameter) = (revision.text("sendField"), revision.text("sendParameter"))
    let (deletes, isRequired, conflicts) = (
      revision.flag("onDelete"), revision.flag("required"), revision.integers("conflictStatuses")
    )
    guard let from = revision.required("from", "etag") else { return nil }
    if from == "field", field == nil {
      revision.mistake("field is missing", hint: "for example field: version")
      return nil
    }
    return Service.Revision(
      from == "field" ? .field(field ?? "") : .entityTag(isWeak: isWeak),
      sending: sentField.map { .field($0) } ?? parameter.map { .parameter($0) } ?? .header(header ?? "If-Match"),
      deletes: deletes, isRequired: isRequired, conflicts: Set(conflicts))
  }

  /// How a write that is done later is followed.
  func job() -> Service.Job? {
    let section = facts.section("job", .job)
    let statuses = section.integers("statuses")
    var job = Service.Job(
      statuses: statuses.isEmpty ? [202] : Set(statuses), at: address(section.section("statusUrl", .jobAddress)),
      state: section.member("state"))
    job.pending = section.texts("pending") ?? []
    job.done = section.texts("done") ?? []
    job.failed = section.texts("failed") ?? []
    job.progress = section.member("progress")
    job.message = section.member("message")
    job.result = section.member("result")
    if let seconds = section.integer("interval") { job.interval = .seconds(seconds) }
    if let seconds = section.integer("timeout") { job.patience = .seconds(seconds) }
    return section.isThere ? job : nil
  }

  private func address(_ facts: Facts) -> Service.Job.Address {
    let (header, member, path, id) = (
      facts.text("header"), facts.member("member"), facts.text("path"), facts.member("id")
    )
    return header.map { .header($0) } ?? member.map { .member($0) } ?? path.map { .template($0, id: id ?? ["id"]) }
      ?? .location
  }

  /// What else can be done.
  func actions() -> [Service.Action] {
    facts.sections("actions", .action).map { name, action in
      let declared: RequestEffect =
        switch action.text("effect") {
        case "read"?: .read
        case "repeatable"?: .repeatableWrite
        default: .write
        }
      let method = action.text("method") ?? "POST"
      let effect = declared.counted(method: method, isTrusted: facts.reading.isTrusted)
      let doubt = effect == declared ? nil : "described as a read, but sent by \(method), so it counts as a write"
      let notes = [action.text("note"), doubt].compactMap(\.self)
      return Service.Action(
        ActionDescription(
          name, of: action.text("appliesTo") == "collection" ? .collection : .record,
          fields: FieldFacts(action).fields("fields"), effect: effect,
          note: notes.isEmpty ? nil : notes.joined(separator: "; ")),
        method: method, path: action.path("path")?.segments ?? [name],
        body: action.text("body") == "list" ? .list : .object, answersList: action.flag("returnsList"))
    }
  }
}
