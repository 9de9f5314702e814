import BackendKit

/// Contradictions between facts.
extension ResourceFacts {
  /// Reports contradictions in a resource that was read completely.
  func checkAgreement(of resource: Service.Resource) {
    checkPaths(of: resource)
    if resource.paging.ends == [.pages], resource.paging.pages == nil {
      Self(below(node?["end"])).mistake(
        "page.pageCount is missing, by which pages are counted", at: "when",
        hint: "for example pageCount: {member: pages}")
    }
    for field in node?["fields"]?.members ?? [] where resource.updating.map({ $0.form != .jsonPatch }) == true {
      let facts = WriteFacts(below(field.node))
      if facts.node?["clear"]?.value == "remove" { facts.needsPatch() }
    }
    guard !resource.fields.isEmpty, !resource.isOpen else { return }
    let sorted = resource.sorting.map { ($0.own ?? []) + $0.exact } ?? []
    let places: [(Node?, [String])] = [
      (node?["identifier"]?["fields"], []), (node?["create"]?["drop"], []), (node?["update"]?["drop"], []),
      (node?["revision"]?["field"], []), (node?["sort"]?["default"], sorted),
    ]
    for (node, others) in places { check(node, among: resource.fields.map(\.name), others) }
  }

  /// Refuses placeholders in paths for which no value exists.
  private func checkPaths(of resource: Service.Resource) {
    let paths = Self(below(node?["paths"]))
    let owners = resource.owners.compactMap(\.field)
    let all = ["resource"] + (resource.addressing.version == .path ? ["version"] : []) + owners
    let one = ["id"] + [resource.identifier.field].compactMap(\.self) + resource.identifier.parts + owners
    for (key, names) in [("collection", all), ("write", all), ("item", one), ("itemFilter", ["value"])] {
      paths.checkPlaceholders(paths.names(inPathAt: key), at: key, names.unique)
    }
    let delete = Self(below(node?["delete"]))
    delete.checkPlaceholders(delete.names(inPathAt: "path"), at: "path", ["id"])
  }

  private func names(inPathAt key: String) -> [String] { node?[key]?.value.text?.namesInBraces ?? [] }

  /// Reports a name that is one letter away from that of a field. Other unknown names may be members that are not
  /// described, and keys for all resources need not fit each.
  private func check(_ node: Node?, among fields: [String], _ others: [String]) {
    for node in node?.elements ?? [node].compactMap(\.self) where node.place.path.first == "resources" {
      guard var name = node.value.text else { continue }
      if name.first == "-" { name.removeFirst() }
      guard !(fields + others).contains(name), let meant = fields.first(where: name.isMisspelled) else { continue }
      reading.add(Mistake(node.place, "no field is named \"\(name)\"", hint: "did you mean \(meant)?"))
    }
  }
}

extension DescribedField {
  /// The problem with a value that the field is said to have, as a clause; nil if it may have it.
  func complaint(about value: Value, isSent: Bool = false) -> String? {
    let field = description.proved
    let isNumber = if case .number = value { true } else { false }
    switch field.kind {
    case .boolean where field.holdsNumbers && isNumber, .date where isNumber, .day where isNumber: return nil
    case .number where isTextNumber && value.text != nil, .integer where isTextNumber && value.text != nil: return nil
    default: return field.kindComplaint(about: value) ?? (isSent ? field.complaint(about: value) : nil)
    }
  }
}

extension String {
  /// Returns whether the names differ in one letter that is missing, added, replaced, or swapped with the next. Signs
  /// and digits distinguish names, as do replaced letters in names of up to three.
  fileprivate func isMisspelled(_ name: String) -> Bool {
    var (left, right) = (self[...], name[...])
    while let first = left.first, first == right.first { (left, right) = (left.dropFirst(), right.dropFirst()) }
    while let last = left.last, last == right.last { (left, right) = (left.dropLast(), right.dropLast()) }
    let isSwapped = left.count == 2 && left.elementsEqual(right.reversed())
    guard isSwapped || max(left.count, right.count) == 1, (left + right).allSatisfy(\.isLetter) else { return false }
    return count != name.count || count > 3
  }
}
