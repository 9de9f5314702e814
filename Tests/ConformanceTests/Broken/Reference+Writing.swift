import BackendConformance
import BackendKit

/// References that writes need.
extension Reference {
  /// Texts have a maximum length, and the server sets a date.
  static let limited = describing { description in
    description.fields[1].maximumLength = 80
    description.fields[2].maximumLength = 20
    description.fields.append(FieldDescription("made", .text, isReadOnly: true))
  }

  /// Records may have any field, and some hold lists and objects.
  static let open = describing { description in
    description.isOpen = true
    description.fields += [FieldDescription("tags", .list), FieldDescription("more", .object)]
  }

  /// A record need not have a title.
  static let untitled = describing { description in
    for place in description.fields.indices where description.fields[place].name == "title" {
      description.fields[place].isRequired = false
    }
  }

  /// Identifiers are texts, which a new record may bring with it.
  static let chosen: Reference = {
    var capabilities = Capabilities.all
    capabilities.takesIdentifiers = true
    return Reference(capabilities, form: .text)
  }()

  /// Identifiers are texts that the server chooses.
  static let named = Reference(.all, form: .text)

  /// Records carry a revision.
  static let revised = Reference(.all, revisionField: "version")

  /// Records can be closed.
  static let closable: Reference = {
    let reason = FieldDescription("reason", .text, isRequired: true)
    var reference = describing { $0.actions = [ActionDescription("close", fields: [reason])] }
    reference.resource.actions["close"] = Object([("body", "closed")])
    return reference
  }()

  /// Writes are answered and forgotten.
  static let echoing: Reference = {
    var capabilities = Capabilities.all
    capabilities.writes = .echoed
    return Reference(capabilities)
  }()

  /// The notes of one person; the last note is somebody else's.
  static let owned: Reference = {
    var reference = describing { description in description.fields.append(FieldDescription("owner", .integer)) }
    for place in reference.resource.records.indices { reference.resource.records[place]["owner"] = 7 }
    reference.resource.records[reference.resource.records.count - 1]["owner"] = 8
    reference.path = ResourcePath("people/7/notes") ?? notes
    return reference
  }()

  /// The notes of one person, which do not show whose they are.
  static let unnamed: Reference = {
    var reference = owned
    reference.resource.description.fields.removeAll { $0.name == "owner" }
    return reference
  }()

  /// One field takes only some values.
  static let listing = describing { $0.fields.append(FieldDescription("status", .text, values: ["open", "closed"])) }

  /// As ``bounded``, without reading single records.
  static let unread: Reference = {
    var reference = bounded
    reference.resource.description.capabilities.operations.remove(.get)
    return reference
  }()

  /// A number has bounds, and a text a pattern, which those of the records match.
  static let bounded: Reference = {
    var reference = describing { description in
      description.fields += [
        FieldDescription("amount", .integer, minimum: NumberBound(Number(0)), maximum: NumberBound(Number(1_000))),
        FieldDescription("code", .text, pattern: "^[A-Z]{3}$"),
      ]
    }
    for place in reference.resource.records.indices { reference.resource.records[place]["code"] = "ABC" }
    return reference
  }()

  /// The fields are known from a record.
  static let sampled = describing { $0.source = .sample }

  private static func describing(_ describe: (inout ResourceDescription) -> Void) -> Reference {
    var reference = Reference.paged
    describe(&reference.resource.description)
    return reference
  }
}

extension BrokenBackend {
  /// Refuses the largest amount that is described.
  mutating func refuseBound() {
    let fields = Kept(Object())
    creating = { fields.value = $0 }
    before = { operation throws(BackendError) in
      guard operation == "create", fields.value["amount"] == 1_000 else { return }
      throw BackendError(.invalid, "an amount is less than that", effect: .rejected)
    }
  }
}
