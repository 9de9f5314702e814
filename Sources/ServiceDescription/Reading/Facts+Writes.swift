import BackendKit

/// The facts that say how records are written.
struct WriteFacts {
  let facts: Facts

  /// How a record is made.
  func creating() -> Service.Creating? {
    let create = facts.section("create", .create)
    guard create.isThere else { return nil }
    return Service.Creating(
      mayAnswerNothing: create.text("returns") == "maybe", locates: create.flag("location"),
      takesIdentifiers: create.text("identifier") == "client", looksFirst: create.flag("looksFirst"))
  }

  /// How a record is changed.
  func updating() -> Service.Updating? {
    let update = facts.section("update", .update)
    guard update.isThere else { return nil }
    let replacing = update.text("replaceMethod") ?? "PUT"
    let clearing: Service.Updating.Clearing
    switch update.text("clear") {
    case "null"?: clearing = .null
    case "replace"?: clearing = .replacing(replacing)
    default: clearing = .impossible
    }
    let method = update.isNull("method") ? nil : update.text("method") ?? "PATCH"
    if method == nil, clearing != .replacing(replacing) {
      update.mistake("without a method the record is replaced", at: "clear", hint: "clear: replace")
    }
    return Service.Updating(
      method, clearing: clearing, keepsNull: update.flag("keepsNull", else: true),
      dropped: update.texts("drop") ?? [], mayAnswerNothing: update.text("returns") == "maybe",
      answersAsStored: update.flag("asStored"), mergesObjects: update.flag("mergesObjects"),
      isRepeatable: update.flag("repeatable", else: true))
  }

  /// How a record is deleted.
  func deleting() -> Service.Deleting? {
    let delete = facts.section("delete", .delete)
    guard delete.isThere else { return nil }
    return Service.Deleting(readsFirst: delete.flag("readsFirst"), all: delete.flag("all"))
  }

  /// What tells two versions of a record apart.
  func revision() -> Service.Revision? {
    let revision = facts.section("revision", .revision)
    guard let from = revision.required("from", "etag") else { return nil }
    let source: Service.Revision.Source
    if from == "field" {
      guard let field = revision.required("field", "version") else { return nil }
      source = .field(field)
    } else {
      source = .entityTag(isWeak: revision.flag("weak"))
    }
    return Service.Revision(
      source, sending: .header(revision.text("header") ?? "If-Match"), deletes: revision.flag("deletes"),
      isRequired: revision.flag("required"))
  }

  /// What else can be done.
  func actions() -> [Service.Action] {
    facts.sections("actions", .action).map { name, action in
      let effect: EffectMark =
        switch action.text("effect") {
        case "read"?: .read
        case "repeatable"?: .repeatableWrite
        default: .write
        }
      return Service.Action(
        ActionDescription(
          name, of: action.text("of") == "collection" ? .collection : .record,
          fields: FieldFacts(action).fields("fields"), effect: effect, note: action.text("note")),
        method: action.text("method") ?? "POST", path: action.path("path")?.segments ?? [name],
        body: action.text("body") == "list" ? .list : .object, answersList: action.flag("returnsList"))
    }
  }
}
