import BackendClient
import BackendKit
import ServiceDescription

/// The differences between a description, as the engine uses it, and its service.
struct Changes {
  let list: [DescriptionChange]
  /// Possible differences, a sentence each.
  let doubts: [String]

  /// Compares a description with the findings of the probes. Throws if it cannot be read.
  init(of source: DescriptionSource, with surveys: [ResourceSurvey], base: String) throws(BackendError) {
    let description = try Self.description(source)
    var list: [DescriptionChange] = []
    var doubts: [String] = []
    for survey in surveys {
      guard let node = description.resource(survey.name) else { continue }
      let written = WrittenResource(survey.name, node, source)
      if written["page"] == nil, let reason = Self.doubt(survey) {
        doubts.append(
          "\(survey.name): the description has no page, so nothing says that a response has the whole list; \(reason)")
      }
      let sections = ResourceFacts(survey, base: base).sections
      for (name, section) in sections.members {
        guard var found = section.object, name != "fields" else { continue }
        if name == "owners" {
          // A list below records that the document describes is a resource of its own.
          found = Object(
            found.members.filter { owner, _ in (try? description.documented("\(owner)/\(survey.name)")) == nil })
        }
        list += Self.changes(name, found, written, survey)
      }
      list += Self.forbidden(sections, written, survey)
      let fields = FieldChanges(written, survey)
      list += fields.list
      doubts += fields.doubts
    }
    (self.list, self.doubts) = (list, doubts)
  }

  /// The proved facts of a section that differ from the description.
  private static func changes(
    _ name: String, _ found: Object, _ written: WrittenResource, _ survey: ResourceSurvey
  ) -> [DescriptionChange] {
    // Conditions and orders that the survey did not reach are not missing.
    if survey.isCut, ["filter", "sort", "search"].contains(name) { return [] }
    return found.members.flatMap { key, value -> [DescriptionChange] in
      guard key != "source",
        survey.claims.claim("\(name).\(key)")?.grade == .proved || name == "total" || name == "filter"
      else { return [] }
      let evidence = survey.claims.evidence(of: name, key)
      guard let said = written[name]?[key] else {
        return isUsual(name, key, value, written) ? [] : [written.change([name, key], nil, value, evidence)]
      }
      // Fields outside of the sample may be missing in lists, too.
      if name == "lists", let names = said.value.array, let here = value.array {
        let others = here.filter { !names.contains($0) }
        return others.isEmpty ? [] : [written.change([name, key], said, .array(names + others), evidence)]
      }
      return differences(said, value, [name, key], written, evidence)
    }
  }

  /// Returns whether a value is the engine's default for a key.
  private static func isUsual(_ section: String, _ key: String, _ value: Value, _ written: WrittenResource) -> Bool {
    let said = written[section]
    switch "\(section).\(key)" {
    // An identifier may be other than a single field.
    case Key.identifierField.path:
      return value == "id" || [Key.identifierFields.name, Key.identifierLink.name].contains { said?[$0] != nil }
        || said?[Key.identifierType.name]?.value == "none"
    case Key.sizeWhenTooLarge.path: return value == "clamp"
    case Key.pageFirst.path: return value == (said?[Key.pageStyle.name]?.value == "number" ? 1 : 0)
    default: return false
    }
  }

  /// The differences between two values; in sections, those of the keys that both have.
  private static func differences(
    _ said: Node, _ found: Value, _ path: [String], _ written: WrittenResource, _ evidence: String
  ) -> [DescriptionChange] {
    guard said.members != nil, let found = found.object else {
      let isSame = said.value.isSame(as: found) || said.value == "exact" && found == "superset"
      return isSame ? [] : [written.change(path, said, found, evidence)]
    }
    return found.members.flatMap { name, value in
      said[name].map { differences($0, value, path + [name], written, evidence) } ?? []
    }
  }

  /// Described writes that the document or OPTIONS no longer names, or names by another method.
  private static func forbidden(
    _ sections: Object, _ written: WrittenResource, _ survey: ResourceSurvey
  ) -> [DescriptionChange] {
    [Key.create, .update, .delete].compactMap { verb -> DescriptionChange? in
      guard let said = written[verb.path], written.author(of: said, in: verb.path) != .preset else { return nil }
      func claim(_ key: some FactName) -> SurveyClaim? {
        survey.claims.claim(key).flatMap { [.probe, .document].contains($0.source) ? $0 : nil }
      }
      if let claim = claim(verb), claim.value == .null, claim.grade != .untested {
        return written.change([verb.path], said, .null, claim.evidence, isProved: false)
      }
      guard verb == .update, let claim = claim(Key.updateMethod), claim.grade != .proved,
        let method = claim.value.text, let known = said[Key.updateMethod.name]?.value.text, known != method,
        let section = sections[verb.path], section.object != nil
      else { return nil }
      return written.change([verb.path], said, section, claim.evidence, isProved: false)
    }
  }

  /// The resources of a description by their paths, without those whose paths depend on anything but their names.
  static func resources(of source: DescriptionSource) throws(BackendError) -> [KnownResource] {
    let tree = try description(source).tree.value.object ?? Object()
    return (tree["resources"]?.object?.members.map { $0 } ?? []).compactMap { name, facts in
      guard facts.object != nil else { return nil }
      func text(_ section: String, _ key: String) -> String? {
        (facts.object?[section]?.object?[key] ?? tree[section]?.object?[key])?.text
      }
      let path = (text("paths", Key.pathsCollection.name) ?? name).replacing(text: "{resource}", with: name)
      guard !path.isEmpty, !path.contains("{") else { return nil }
      let last = path.split(separator: "/").last.map(String.init) ?? name
      let suffix = text("base", "suffix") ?? ""
      let owners = facts.object?["owners"]?.object?.members.map { owner, facts in
        (name: owner, last: Candidates.plain((facts.object?["path"]?.text ?? last) + suffix))
      }
      let start = path.hasPrefix("/") ? String(path.dropFirst()) : path
      return KnownResource(name: name, path: start + suffix, owners: owners ?? [])
    }
  }

  static func description(_ source: DescriptionSource) throws(BackendError) -> Description {
    do throws(Mistakes) { return try Description(source) } catch { throw .misconfigured(error.description) }
  }

  /// The reason to suspect that a list is incomplete; nil if its end was proved, or nothing suggests more.
  private static func doubt(_ survey: ResourceSurvey) -> String? {
    let isWhole = survey.claims[.pageStyle] == "none" && survey.claims.isProved(.pageStyle)
    guard !isWhole, let first = survey.first, let path = survey.shape?.path,
      let rows = survey.rows(of: first), !rows.isEmpty
    else { return nil }
    let hint = "declare how it is paged, or page: {style: none}"
    if let total = Totals.candidates(first, path).first(where: { $0.count > rows.count && $0.saysTotal }) {
      return "the response has \(counted(rows.count, "record")) and a total of \(total.count): \(hint)"
    }
    if NextPage.find(in: first, rows: path) != nil { return "the response has a next page: \(hint)" }
    guard EndProof.isUsualPage(rows.count), survey.total != rows.count else { return nil }
    return "the response has exactly \(counted(rows.count, "record")), a usual page size: \(hint)"
  }
}

extension Claims {
  fileprivate func evidence(of section: String, _ key: String) -> String {
    let facts = ["\(section).\(key)", section]
    let claim =
      list.first { facts.contains($0.fact) } ?? list.first { $0.fact.hasPrefix(section + ".") && $0.grade == .proved }
    return claim?.evidence ?? ""
  }
}
