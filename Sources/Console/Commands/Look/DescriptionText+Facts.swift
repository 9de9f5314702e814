import BackendClient
import BackendKit

extension DescriptionText {
  /// The description as a program reads it.
  var facts: Object {
    let path: [(String, Value?)] = [("resource", .string(target.path.description))]
    return Object(present: whole.headFacts + path + whole.resourceFacts + ownFacts)
  }

  private var ownFacts: [(String, Value?)] {
    [
      ("children", .array(resource.children.map { .string($0) })),
      (
        "dependents",
        resource.dependents.isEmpty
          ? nil
          : .array(
            resource.dependents.map {
              .object(
                Object(present: [
                  ("resource", $0.resource.map { .string($0) }), ("field", $0.field.map { .string($0) }),
                  ("orphanSuffix", $0.orphanSuffix.map { .string($0) }),
                ]))
            })
      ),
      ("relations", .array(backend.relations(of: resource).map { .object($0.facts) })),
      ("actions", resource.actions.isEmpty ? nil : .array(resource.actions.map { .object(facts(of: $0)) })),
      (
        "identifier",
        .object(
          Object(present: [
            ("field", resource.identifier.field.map { .string($0) }),
            ("form", .string(resource.identifier.form.rawValue)),
            ("address", resource.identifier.address.map { .string($0) }),
            ("pattern", resource.identifier.pattern.map { .string($0) }),
          ]))
      ),
      ("capabilities", .object(capabilityFacts)), ("fields", .array(resource.fields.map { .object(facts(of: $0)) })),
      ("fieldsKnownFrom", .string(resource.source.rawValue)), ("hasOtherFields", .bool(resource.isOpen)),
    ]
  }

  private var capabilityFacts: Object {
    let can = resource.capabilities
    let operations = Capabilities.Operation.allCases.filter { can.operations.contains($0) }
    return Object(present: [
      ("operations", .array(operations.map { .string($0.rawValue) })), ("paging", .string(can.paging.rawValue)),
      ("pageCap", can.pageCap.map { .int($0) }), ("pageSize", can.defaultPageSize.map { .int($0) }),
      ("stability", .string(can.stability.rawValue)), ("hasTotal", .bool(can.hasTotal)),
      ("listEnd", can.listEnd == .proved ? nil : .string(can.listEnd.rawValue)),
      ("update", .string(can.update.rawValue)),
      ("updatesAreAtomic", can.updatesAreAtomic ? nil : false), ("canClear", .bool(can.canClear)),
      ("writes", .string(can.writes.rawValue)), ("unlistedFields", .array(can.unlistedFields.map { .string($0) })),
      ("unlistedIsLikely", can.unlistedIsLikely ? true : nil),
      ("onlyListedFields", can.onlyListedFields.isEmpty ? nil : .array(can.onlyListedFields.map { .string($0) })),
      ("omitsRecords", can.omitsRecords ? true : nil),
      ("showsWritesLater", can.showsWritesLater ? true : nil), ("keepsDeleted", can.keepsDeleted ? true : nil),
      ("hasRevisions", .bool(can.hasRevisions)),
      ("deletesAtRevision", .bool(can.deletesAtRevision)), ("needsRevision", .bool(can.needsRevision)),
      ("mergesObjects", .bool(can.mergesObjects)), ("takesIdentifiers", .bool(can.takesIdentifiers)),
      ("takesCreationKeys", can.takesCreationKeys ? true : nil), ("hasSearch", .bool(can.hasSearch)),
      ("embedding", can.embedding.map { .array($0.names.map { .string($0) }) }),
    ])
  }

  private func facts(of action: ActionDescription) -> Object {
    Object(present: [
      ("name", .string(action.name)), ("of", .string(action.subject.rawValue)),
      ("effect", .string(action.effect.rawValue)),
      ("fields", .array(action.fields.map { .object(facts(of: $0)) })), ("note", action.note.map { .string($0) }),
    ])
  }

  private func facts(of field: FieldDescription) -> Object {
    Object(present: [
      ("name", .string(field.name)), ("kind", .string(field.kind.rawValue)), ("required", .bool(field.isRequired)),
      ("readOnly", .bool(field.isReadOnly)), ("maximumLength", field.maximumLength.map { .int($0) }),
      ("minimumLength", field.minimumLength.map { .int($0) }),
      (
        "lengthUnit",
        (field.maximumLength ?? field.minimumLength).map { _ in .string(field.lengthUnit.rawValue) }
      ), ("minimum", field.minimum.map { .number($0.value) }), ("maximum", field.maximum.map { .number($0.value) }),
      ("minimumIsExcluded", field.minimum?.isExcluded == true ? true : nil),
      ("maximumIsExcluded", field.maximum?.isExcluded == true ? true : nil),
      ("pattern", field.pattern.map { .string($0) }), ("default", field.defaultValue),
      ("serverDefault", field.serverDefault),
      ("file", field.file == nil ? nil : true), ("title", field.title.map { .string($0) }),
      ("hidden", field.isHidden ? true : nil),
      ("values", field.values.isEmpty ? nil : .array(field.values)),
      (
        "likely",
        field.likely.isEmpty
          ? nil : .array(FieldDescription.Fact.allCases.filter(field.likely.contains).map { .string($0.rawValue) })
      ),
      ("limited", field.isLimited ? true : nil), ("nullable", field.isNullable ? nil : false),
      (
        "reference",
        field.reference.map { reference in
          .object(
            Object(present: [("resource", .string(reference.resource)), ("key", reference.key.map { .string($0) })]))
        }
      ), ("unique", field.isUnique ? true : nil), ("secret", field.isSecret ? true : nil),
      ("fields", field.fields.isEmpty ? nil : .array(field.fields.map { .object(facts(of: $0)) })),
      ("holdsNumbers", field.holdsNumbers ? true : nil),
      ("suggestion", field.suggestion.map { .string($0.words) }),
      ("note", field.note.map { .string($0) }),
    ])
  }
}
