import BackendKit

extension JSONPlaceholderOptions {
  /// A json-server, or jsonplaceholder.typicode.com, which answers writes and forgets them.
  var service: Service {
    var hooks = Self.hooks
    hooks.compile = compile
    hooks.classify = meaning
    hooks.learn = learn
    let names = SiteCollection.all.map(\.name)
    let others = collections.filter { !names.contains($0) }.map { SiteCollection($0, []) }
    let single = records.filter { !(names + collections).contains($0) }
    var tried = resource(SiteCollection("", []), at: .base)
    tried.identifier.isOptional = true
    return Service(
      product: "json-server \(version.rawValue)", apiVersion: version.rawValue,
      resources: (SiteCollection.all + others).compactMap { resource($0) } + single.compactMap { self.single($0) },
      others: tried,
      // json-server 1 has no such address.
      inspection: Service.Inspection(samples: true, overview: version == .zero ? try? RequestPath("db") : nil),
      hooks: hooks)
  }

  /// The hooks, which are the same in every version.
  static var hooks: Service.Hooks {
    var hooks = Service.Hooks()
    hooks.encode = encode
    hooks.step = step
    return hooks
  }

  /// The resources in the whole database: a collection for each list, with the fields of its first records, and a
  /// single record for each object.
  private func learn(_ members: [Record]) -> [Service.Resource] {
    let names = Set(members.compactMap(\.id?.text))
    return members.compactMap { member in
      guard let name = member.id?.text else { return nil }
      if let record = member.fields["record"]?.object {
        return single(name, FieldDescription.sampled([record]))
      }
      let records = (member.fields["records"]?.array ?? []).compactMap(\.object)
      var fields = FieldDescription.sampled(records, identifier: takesIdentifiers ? nil : "id")
      for place in fields.indices {
        let owner = Self.owners(of: fields[place].name).first { names.contains($0) }
        fields[place].reference = owner.map { RecordReference(to: $0) }
      }
      guard var found = resource(SiteCollection(name, fields)) else { return nil }
      found.source = fields.isEmpty ? .unknown : .sample
      return found
    }
  }

  /// The collections whose records a field may name: `companyId` those of `companies`.
  private static func owners(of field: String) -> [String] {
    guard field.hasSuffix("Id"), field.count > 2 else { return [] }
    let name = String(field.dropLast(2))
    return [name + "s", name + "es", name.hasSuffix("y") ? name.dropLast() + "ies" : "", name].filter { !$0.isEmpty }
  }

  /// A single record without an identifier.
  private func single(_ name: String, _ fields: [FieldDescription] = []) -> Service.Resource? {
    guard let path = try? RequestPath(name) else { return nil }
    var resource = Service.Resource(name, at: path, identifier: IdentifierRule(field: nil, form: .none), fields: fields)
    resource.source = fields.isEmpty ? .unknown : .sample
    resource.isOpen = true
    resource.updating = Service.Updating("PATCH", clearing: .replacing("PUT"))
    resource.writes = writes
    return resource
  }

  /// True if the server accepts an identifier for a new record: json-server 0.17 does, if it keeps writes.
  private var takesIdentifiers: Bool { version == .zero && writes != .echoed }

  private func resource(_ collection: SiteCollection) -> Service.Resource? {
    (try? RequestPath(collection.name)).map { resource(collection, at: $0) }
  }

  private func resource(_ collection: SiteCollection, at path: RequestPath) -> Service.Resource {
    // Identifiers are numbers on the site, but any text on a json-server of one's own.
    var resource = Service.Resource(
      collection.name, at: path, identifier: IdentifierRule(form: .text), fields: collection.fields)
    if takesIdentifiers, let place = resource.fields.firstIndex(where: { $0.name == "id" }) {
      resource.fields[place].isReadOnly = false
    }
    resource.source = collection.fields.isEmpty ? .unknown : .adapter
    resource.isOpen = true
    resource.remarks["nested"] = .array(collection.nested.map { .string($0) })
    resource.paging = paging
    resource.sorting = Service.Sorting(
      "_sort", direction: version == .one ? .minus : .parameter("_order"), isMultiple: true)
    resource.hasSearch = version == .zero
    resource.embedding = Service.Embedding("_embed", names: collection.embedded)
    resource.embedding?.parameterOfName = { [version] name in
      version == .zero && Noun.isSingular(name) ? "_expand" : "_embed"
    }
    resource.creating = Service.Creating(locates: true, takesIdentifiers: takesIdentifiers, looksFirst: true)
    resource.updating = Service.Updating("PATCH", clearing: .replacing("PUT"))
    resource.deleting = Service.Deleting()
    resource.writes = writes
    guard version == .zero else {
      resource.recordsAt = [["data"]]
      return resource
    }
    resource.owners = collection.owners.map { Service.Owner($0.collection, field: $0.field) }
    resource.references = collection.owners.map { Service.Reference($0.field, to: $0.collection) }
    resource.dependents = SiteCollection.all.flatMap { other in
      other.owners.filter { $0.collection == collection.name }.map { Dependents(of: other.name, naming: $0.field) }
    }
    // Each deletion removes every record whose owner does not exist, in whatever collection.
    resource.dependents.append(.orphans(suffix: "Id"))
    return resource
  }

  private var paging: Service.Paging {
    var paging = Service.Paging()
    paging.defaultSize = defaultPageSize
    paging.number = ("_page", 1)
    paging.over = .sends
    paging.counting.isExact = true
    paging.counting.ignoresConditions = false
    guard version == .zero else {
      paging.size = "_per_page"
      paging.next = .member(["next"])
      paging.pages = .member(["pages"])
      paging.total = .member(["items"])
      paging.repeatsLast = true
      return paging
    }
    paging.size = "_limit"
    paging.stretch = ("_start", "_end")
    // Links are not looked at: they name the wrong scheme, and are empty where everything is on one page.
    paging.total = .header("X-Total-Count")
    paging.mayIgnore = true
    return paging
  }

  /// Refuses owners that are null: the server then fails at every deletion. An identifier has to lead to its record,
  /// and to be one for the server, which takes null, 0 and an empty text for none.
  private static func encode(_ draft: inout Service.Draft, _ resource: Service.Resource) throws(BackendError) {
    if draft.isNew, let id = draft.fields["id"], resource.creating?.takesIdentifiers == true {
      let isPath = id.text.map { (try? RequestPath($0)) != nil } == true
      let isNumber = id.integer.map { $0 != 0 && $0.magnitude <= 1 << 53 } == true
      guard isPath || isNumber else {
        throw .invalid(
          "\(JSONWriter.compact(id)) cannot be an identifier", hint: "use text, or a whole number other than 0")
      }
    }
    for (field, value) in draft.fields.members where value == .null && field.hasSuffix("Id") {
      throw .invalid(
        "\(field) cannot be null: every delete on this server would then fail", hint: "use --unset \(field)")
    }
  }

  /// Interprets a status 500. If any record's owner is null, the server fails after it has deleted; a server that keeps
  /// nothing fails to replace a missing record instead of reporting it as missing.
  private static func step(
    _ operation: Service.Operation, _ responses: [Service.Response], _: inout Object
  ) -> Service.Step {
    guard ["DELETE", "PUT"].contains(operation.method), let id = operation.id, responses.first?.status == 500 else {
      return .usual
    }
    guard responses.count > 1 else {
      return .send(HTTPRequest("GET", operation.path, headers: [("Cache-Control", "no-cache")], effect: .read))
    }
    guard responses[1].status == 404, var error = operation.error else { return .usual }
    guard operation.method == "DELETE" else {
      return .fail(BackendError(.notFound, "not found (404)", effect: .rejected))
    }
    error.message += ", yet record \(id) is gone"
    error.hint = "look for records whose owner, a field ending in Id, is null: with such a record, every delete fails"
    error.effect = .applied
    return .fail(error)
  }

  /// Says what the server says, and which generation of it answers.
  private func meaning(_ failure: Service.Failure) -> BackendError {
    var error = failure.error
    switch (version, failure.document) {
    case (.zero, .object(let object)?) where object["data"]?.array != nil && object["items"] != nil:
      return .misconfigured(
        "the server responds like json-server 1, with an object around the records",
        hint: "set the option apiVersion to 1")
    case (.one, .array?):
      return .misconfigured(
        "the server responds like json-server 0.17, with a plain list", hint: "set the option apiVersion to 0.17")
    default: break
    }
    if failure.words == nil, let line = Self.line(in: failure.body) {
      error.message += ": \(line)"
    }
    return error
  }

  /// The first line of the server's own error page, or of the text that it announces as one, which says what failed;
  /// its stack stands below.
  private static func line(in bytes: [UInt8]) -> String? {
    let text = String(decoding: bytes, as: UTF8.self)
    let content = text.firstRange(ofText: "<pre>").map { text[$0.upperBound...] } ?? text[...]
    guard content.first != "{", content.first != "[" else { return nil }
    guard let line = content.split(whereSeparator: \.isNewline).first?.prefix(while: { $0 != "<" }), !line.isEmpty
    else { return nil }
    return BackendError.quoted(
      [("&quot;", "\""), ("&#39;", "'"), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")]
        .reduce(String(line)) { $0.replacing(text: $1.0, with: $1.1) })
  }
}
