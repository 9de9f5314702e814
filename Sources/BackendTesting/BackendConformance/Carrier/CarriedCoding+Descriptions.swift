public import BackendKit

extension DescriptionDepth: CarriedCoding {}
extension Capabilities.Operation: CarriedCoding {}
extension Capabilities.Paging: CarriedCoding {}
extension Capabilities.Stability: CarriedCoding {}
extension Capabilities.Update: CarriedCoding {}
extension Capabilities.Writes: CarriedCoding {}
extension EndProof: CarriedCoding {}
extension ResourceDescription.Source: CarriedCoding {}
extension IdentifierRule.Form: CarriedCoding {}
extension FieldDescription.Kind: CarriedCoding {}
extension FieldDescription.Fact: CarriedCoding {}
extension LengthUnit: CarriedCoding {}
extension EffectMark: CarriedCoding {}
extension ActionDescription.Subject: CarriedCoding {}

extension Capabilities: CarriedCoding {
  /// Every capability.
  public var carried: Value {
    .carrying([
      "operations": Operation.allCases.filter(operations.contains),
      "operationsBelow": operationsBelow.map { below in Operation.allCases.filter(below.contains) }, "paging": paging,
      "pageCap": pageCap, "takesLargerPages": takesLargerPages,
      "defaultPageSize": defaultPageSize, "stability": stability, "hasTotal": hasTotal, "update": update,
      "updatesAreAtomic": updatesAreAtomic,
      "canClear": canClear, "clearsByEmptyText": clearsByEmptyText, "writes": writes, "unlistedFields": unlistedFields,
      "unlistedIsLikely": unlistedIsLikely,
      "hasRevisions": hasRevisions,
      "deletesAtRevision": deletesAtRevision, "needsRevision": needsRevision, "mergesObjects": mergesObjects,
      "takesIdentifiers": takesIdentifiers, "takesCreationKeys": takesCreationKeys, "hasSearch": hasSearch,
      "missingStatuses": missingStatuses, "embedding": embedding?.names, "listEnd": listEnd,
    ])
  }

  /// Reads capabilities.
  public init(carried: Value) throws(BackendError) {
    let members = try CarriedMembers(carried, of: "capabilities")
    let operations: [Operation] = try members.read("operations")
    let below: [Operation]? = try members.readIfThere("operationsBelow")
    let embedding: [String]? = try members.readIfThere("embedding")
    self.init(
      operations: Set(operations), operationsBelow: below.map { Set($0) }, paging: try members.read("paging"),
      pageCap: try members.readIfThere("pageCap"), takesLargerPages: try members.read("takesLargerPages"),
      defaultPageSize: try members.readIfThere("defaultPageSize"), stability: try members.read("stability"),
      hasTotal: try members.read("hasTotal"), update: try members.read("update"),
      updatesAreAtomic: try members.read("updatesAreAtomic"),
      canClear: try members.read("canClear"), clearsByEmptyText: try members.read("clearsByEmptyText"),
      writes: try members.read("writes"),
      unlistedFields: try members.read("unlistedFields"), unlistedIsLikely: try members.read("unlistedIsLikely"),
      hasRevisions: try members.read("hasRevisions"),
      deletesAtRevision: try members.read("deletesAtRevision"), needsRevision: try members.read("needsRevision"),
      mergesObjects: try members.read("mergesObjects"),
      takesIdentifiers: try members.read("takesIdentifiers"),
      takesCreationKeys: try members.read("takesCreationKeys"), hasSearch: try members.read("hasSearch"),
      missingStatuses: try members.read("missingStatuses"), embedding: embedding.map { Embedding($0) },
      listEnd: try members.read("listEnd"))
  }
}

extension IdentifierRule: CarriedCoding {
  /// The field and the form.
  public var carried: Value {
    .carrying([
      "field": field, "form": form, "isOptional": isOptional, "address": address, "pattern": pattern,
      "likely": FieldDescription.Fact.allCases.filter(likely.contains), "mayRepeat": mayRepeat,
    ])
  }

  /// Reads a rule.
  public init(carried: Value) throws(BackendError) {
    let members = try CarriedMembers(carried, of: "identifier rule")
    self.init(
      field: try members.readIfThere("field"), form: try members.read("form"),
      isOptional: try members.read("isOptional"), address: try members.readIfThere("address"),
      pattern: try members.readIfThere("pattern"))
    let likely: [FieldDescription.Fact] = try members.read("likely")
    self.likely = Set(likely)
    mayRepeat = try members.read("mayRepeat")
  }
}

extension FieldDescription: CarriedCoding {
  /// Everything said of the field.
  public var carried: Value {
    .carrying([
      "name": name, "kind": kind, "isRequired": isRequired, "isReadOnly": isReadOnly,
      "maximumLength": maximumLength, "minimumLength": minimumLength, "lengthUnit": lengthUnit, "minimum": minimum,
      "maximum": maximum, "pattern": pattern, "values": values, "isLimited": isLimited, "isNullable": isNullable,
      "reference": reference, "isUnique": isUnique,
      "isSecret": isSecret, "fields": fields, "holdsNumbers": holdsNumbers,
      // Null is a value here.
      "default": defaultValue.map { [$0] }, "serverDefault": serverDefault.map { [$0] }, "title": title,
      "isHidden": isHidden,
      "suggestion": suggestion, "note": note, "likely": Fact.allCases.filter(likely.contains),
      "holdsSchema": holdsSchema,
    ])
  }

  /// Reads the description of a field.
  public init(carried: Value) throws(BackendError) {
    let members = try CarriedMembers(carried, of: "field description")
    let defaultValue: [Value]? = try members.readIfThere("default")
    self.init(
      try members.read("name"), try members.read("kind"), isRequired: try members.read("isRequired"),
      isReadOnly: try members.read("isReadOnly"), maximumLength: try members.readIfThere("maximumLength"),
      minimumLength: try members.readIfThere("minimumLength"), lengthUnit: try members.read("lengthUnit"),
      minimum: try members.readIfThere("minimum"), maximum: try members.readIfThere("maximum"),
      pattern: try members.readIfThere("pattern"), values: try members.read("values"),
      isLimited: try members.read("isLimited"), isNullable: try members.read("isNullable"),
      reference: try members.readIfThere("reference"), isUnique: try members.read("isUnique"),
      isSecret: try members.read("isSecret"), fields: try members.read("fields"),
      holdsNumbers: try members.read("holdsNumbers"), default: defaultValue?.first,
      title: try members.readIfThere("title"), isHidden: try members.read("isHidden"),
      suggestion: try members.readIfThere("suggestion"),
      note: try members.readIfThere("note"))
    let serverDefault: [Value]? = try members.readIfThere("serverDefault")
    self.serverDefault = serverDefault?.first
    let likely: [Fact] = try members.read("likely")
    self.likely = Set(likely)
    holdsSchema = try members.read("holdsSchema")
  }
}

extension NumberBound: CarriedCoding {
  /// The number and whether it is excluded.
  public var carried: Value { .carrying(["value": Value.number(value), "isExcluded": isExcluded]) }

  /// Reads a bound.
  public init(carried: Value) throws(BackendError) {
    let members = try CarriedMembers(carried, of: "bound")
    let value: Value = try members.read("value")
    guard case .number(let number) = value else { throw .uncarried(value, "number") }
    self.init(number, isExcluded: try members.read("isExcluded"))
  }
}

extension SuggestedValue: CarriedCoding {
  /// A value, or the name of what is counted or reported.
  public var carried: Value {
    switch self {
    case .value(let value): .carrying(["value": value])
    case .count: .string("count")
    case .now: .string("now")
    }
  }

  /// Reads a suggestion.
  public init(carried: Value) throws(BackendError) {
    switch carried.text {
    case "count"?: self = .count
    case "now"?: self = .now
    default: self = .value(try CarriedMembers(carried, of: "suggestion").read("value"))
    }
  }
}

extension ResourceDescription: CarriedCoding {
  /// Everything said of the resource.
  public var carried: Value {
    .carrying([
      "name": name, "identifier": identifier, "fields": fields, "source": source, "isOpen": isOpen,
      "capabilities": capabilities, "children": children, "dependents": dependents, "actions": actions,
    ])
  }

  /// Reads the description of a resource.
  public init(carried: Value) throws(BackendError) {
    let members = try CarriedMembers(carried, of: "resource description")
    self.init(
      name: try members.read("name"), identifier: try members.read("identifier"), fields: try members.read("fields"),
      source: try members.read("source"), isOpen: try members.read("isOpen"),
      capabilities: try members.read("capabilities"), children: try members.read("children"),
      dependents: try members.read("dependents"), actions: try members.read("actions"))
  }
}

extension RecordReference: CarriedCoding {
  /// The resource and the key.
  public var carried: Value { .carrying(["resource": resource, "key": key]) }

  /// Reads a reference.
  public init(carried: Value) throws(BackendError) {
    let members = try CarriedMembers(carried, of: "reference")
    self.init(to: try members.read("resource"), by: try members.readIfThere("key"))
  }
}

extension ActionDescription: CarriedCoding {
  /// Everything said of the action.
  public var carried: Value {
    .carrying(["name": name, "subject": subject, "fields": fields, "effect": effect, "note": note])
  }

  /// Reads the description of an action.
  public init(carried: Value) throws(BackendError) {
    let members = try CarriedMembers(carried, of: "action")
    self.init(
      try members.read("name"), of: try members.read("subject"), fields: try members.read("fields"),
      effect: try members.read("effect"), note: try members.readIfThere("note"))
  }
}

extension Dependents: CarriedCoding {
  /// Which records they are.
  public var carried: Value { .carrying(["resource": resource, "field": field, "orphanSuffix": orphanSuffix]) }

  /// Reads dependents.
  public init(carried: Value) throws(BackendError) {
    let members = try CarriedMembers(carried, of: "dependents")
    self.init(
      resource: try members.readIfThere("resource"), field: try members.readIfThere("field"),
      orphanSuffix: try members.readIfThere("orphanSuffix"))
  }
}

extension BackendDescription: CarriedCoding {
  /// Everything said of the backend.
  public var carried: Value {
    .carrying([
      "product": product, "apiVersion": apiVersion, "resources": resources, "isOpen": isOpen, "others": others,
      "note": note,
    ])
  }

  /// Reads the description of a backend.
  public init(carried: Value) throws(BackendError) {
    let members = try CarriedMembers(carried, of: "description")
    self.init(
      product: try members.readIfThere("product"), apiVersion: try members.readIfThere("apiVersion"),
      resources: try members.read("resources"), isOpen: try members.read("isOpen"),
      others: try members.readIfThere("others"), note: try members.readIfThere("note"))
  }
}
