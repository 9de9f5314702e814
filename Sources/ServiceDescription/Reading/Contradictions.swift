import BackendKit

/// Facts that contradict others: nothing that uses both could be right.
extension ResourceFacts {
  /// Tells what is wrong with a resource that was read whole.
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

  /// Refuses names in braces in paths for which an address has no value.
  private func checkPaths(of resource: Service.Resource) {
    let paths = Self(below(node?["paths"]))
    let owners = resource.owners.compactMap(\.field)
    let all = ["resource"] + (resource.addressing.version == .path ? ["version"] : []) + owners
    let one = ["id"] + [resource.identifier.field].compactMap(\.self) + resource.identifier.parts + owners
    for (key, names) in [("collection", all), ("write", all), ("item", one), ("itemFilter", ["value"])] {
      var seen: Set<String> = []
      paths.checkPlaceholders(paths.names(inPathAt: key), at: key, names.filter { seen.insert($0).inserted })
    }
    let delete = Self(below(node?["delete"]))
    delete.checkPlaceholders(delete.names(inPathAt: "path"), at: "path", ["id"])
  }

  private func names(inPathAt key: String) -> [String] { node?[key]?.value.text?.namesInBraces ?? [] }

  /// Tells a name that no field has, and that is one letter from that of a field. Any other may be that of a member that is no field,
  /// and one that is said of all resources need not be that of each.
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
  /// The complaint about a value that the field is said to have, as a clause; nil for one that it may have.
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
  /// Returns whether this is another name but for one letter that is missing, added, replaced or swapped with the next. A sign or
  /// a digit makes two names, and so does a letter in the place of one of two or three.
  fileprivate func isMisspelled(_ name: String) -> Bool {
    var (left, right) = (self[...], name[...])
    while let first = left.first, first == right.first { (left, right) = (left.dropFirst(), right.dropFirst()) }
    while let last = left.last, last == right.last { (left, right) = (left.dropLast(), right.dropLast()) }
    let isSwapped = left.count == 2 && left.elementsEqual(right.reversed())
    guard isSwapped || max(left.count, right.count) == 1, (left + right).allSatisfy(\.isLetter) else { return false }
    return count != name.count || count > 3
  }
}
