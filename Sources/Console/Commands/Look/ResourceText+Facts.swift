import BackendKit

extension ResourceText {
  var facts: Object {
    let path: [(String, any Fact)] = [("resource", target.path.description)]
    return Object(facts: whole.headFacts + path + whole.resourceFacts + ownFacts + (decisions?.facts ?? []))
  }

  private var ownFacts: [(String, any Fact)] {
    let dependents = resource.dependents.map {
      Object(facts: [("resource", $0.resource), ("field", $0.field), ("orphanSuffix", $0.orphanSuffix)])
    }
    let identifier = resource.identifier
    return [
      ("children", resource.children), ("dependents", dependents.isEmpty ? nil : dependents),
      ("relations", backend.relations(of: resource).map(\.facts)),
      ("actions", resource.actions.isEmpty ? nil : resource.actions.map { facts(of: $0) }),
      (
        "identifier",
        Object(facts: [
          ("field", identifier.field), ("form", identifier.form.rawValue), ("address", identifier.address),
          ("pattern", identifier.pattern),
        ])
      ), ("capabilities", capabilityFacts), ("fields", resource.fields.map { facts(of: $0) }),
      ("fieldsKnownFrom", resource.source.rawValue), ("hasOtherFields", resource.isOpen),
    ]
  }

  private var capabilityFacts: Object {
    let can = resource.capabilities
    let operations = Capabilities.Operation.allCases.filter { can.operations.contains($0) }
    return Object(facts: [
      ("operations", operations.map(\.rawValue)), ("paging", can.paging.rawValue), ("pageCap", can.pageCap),
      ("pageSize", can.defaultPageSize), ("stability", can.stability.rawValue), ("hasTotal", can.hasTotal),
      ("listEnd", can.listEnd == .proved ? nil : can.listEnd.rawValue), ("update", can.update.rawValue),
      ("updatesAreAtomic", can.updatesAreAtomic ? nil : false), ("canClear", can.canClear),
      ("writes", can.writes.rawValue), ("unlistedFields", can.unlistedFields),
      ("unlistedIsLikely", can.unlistedIsLikely ? true : nil),
      ("onlyListedFields", can.onlyListedFields.isEmpty ? nil : can.onlyListedFields),
      ("omitsRecords", can.omitsRecords ? true : nil), ("showsWritesLater", can.showsWritesLater ? true : nil),
      ("keepsDeleted", can.keepsDeleted ? true : nil), ("hasRevisions", can.hasRevisions),
      ("deletesAtRevision", can.deletesAtRevision), ("needsRevision", can.needsRevision),
      ("mergesObjects", can.mergesObjects), ("takesIdentifiers", can.takesIdentifiers),
      ("takesCreationKeys", can.takesCreationKeys ? true : nil), ("hasSearch", can.hasSearch),
      ("embedding", can.embedding?.names),
    ])
  }

  private func facts(of action: ActionDescription) -> Object {
    Object(facts: [
      ("name", action.name), ("of", action.subject.rawValue), ("effect", action.effect.rawValue),
      ("fields", action.fields.map { facts(of: $0) }), ("note", action.note),
    ])
  }

  private func facts(of field: FieldDescription) -> Object {
    let likely = FieldDescription.Fact.allCases.filter(field.likely.contains).map(\.rawValue)
    return Object(facts: [
      ("name", field.name), ("kind", field.kind.rawValue), ("required", field.isRequired),
      ("readOnly", field.isReadOnly), ("maximumLength", field.maximumLength), ("minimumLength", field.minimumLength),
      ("lengthUnit", (field.maximumLength ?? field.minimumLength).map { _ in field.lengthUnit.rawValue }),
      ("minimum", field.minimum?.value), ("maximum", field.maximum?.value),
      ("minimumIsExcluded", field.minimum?.isExcluded == true ? true : nil),
      ("maximumIsExcluded", field.maximum?.isExcluded == true ? true : nil), ("pattern", field.pattern),
      ("default", field.defaultValue), ("serverDefault", field.serverDefault),
      ("file", field.file == nil ? nil : true), ("title", field.title), ("hidden", field.isHidden ? true : nil),
      ("values", field.values.isEmpty ? nil : field.values), ("likely", likely.isEmpty ? nil : likely),
      ("limited", field.isLimited ? true : nil), ("nullable", field.isNullable ? nil : false),
      ("reference", field.reference.map { Object(facts: [("resource", $0.resource), ("key", $0.key)]) }),
      ("volatile", field.isVolatile ? true : nil), ("unique", field.isUnique ? true : nil),
      ("secret", field.isSecret ? true : nil),
      ("fields", field.fields.isEmpty ? nil : field.fields.map { facts(of: $0) }),
      ("holdsNumbers", field.holdsNumbers ? true : nil), ("suggestion", field.suggestion?.words), ("note", field.note),
    ])
  }
}
