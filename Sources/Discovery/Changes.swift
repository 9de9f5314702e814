import BackendKit
import ServiceDescription

/// What a description says otherwise than its service shows: facts that were proved, each held against what is written.
struct Changes {
  /// A sentence for each.
  let list: [String]
  /// Lists that the description takes for whole by saying nothing of pages, and that may not be, a sentence each.
  let doubts: [String]

  /// Compares a description with what the probes found. Throws where the description cannot be read.
  init(of bytes: [UInt8], file: String, with surveys: [ResourceSurvey], base: String) throws(BackendError) {
    let tree = try Self.tree(of: bytes, file)
    var list: [String] = []
    var doubts: [String] = []
    for survey in surveys {
      let written = tree["resources"]?.object?[survey.name]?.object ?? Object()
      if (written["page"] ?? tree["page"])?.object == nil, let reason = Self.doubt(survey) {
        doubts.append("\(survey.name): the description has no page, which means that the list comes whole; \(reason)")
      }
      for (name, section) in ResourceFacts(survey, base: base).sections.members {
        guard let found = section.object, name != "fields" else { continue }
        let known = (written[name] ?? tree[name])?.object ?? Object()
        // Conditions and orders that were not reached are not missing.
        if survey.isCut, ["filter", "sort", "search"].contains(name) { continue }
        for (key, value) in found.members where key != "source" {
          guard survey.claims.isProved("\(name).\(key)") || name == "total" || name == "filter" else { continue }
          guard let said = known[key] else {
            list.append("\(survey.name): \(name).\(key) is \(value.plainText), of which the description says nothing")
            continue
          }
          // Fields beyond those of the sample may be missing in lists, too.
          if name == "lists", let names = said.array, let here = value.array {
            let others = here.filter { !names.contains($0) }.compactMap(\.text)
            if !others.isEmpty {
              list.append(
                "\(survey.name): lists do not show \(others.joined(separator: ", ")) as single records do; lists.omit lacks it"
              )
            }
            continue
          }
          list += Self.differences(said, value, "\(name).\(key)").map { "\(survey.name): \($0)" }
        }
      }
    }
    (self.list, self.doubts) = (list, doubts)
  }

  /// The resources that a description names, by the paths that it has of them; those are left out whose paths depend on anything but
  /// their names.
  static func resources(of bytes: [UInt8], file: String) throws(BackendError) -> [KnownResource] {
    let tree = try Self.tree(of: bytes, file)
    return (tree["resources"]?.object?.members.map { $0 } ?? []).compactMap { name, facts in
      func text(_ section: String, _ key: String) -> String? {
        (facts.object?[section]?.object?[key] ?? tree[section]?.object?[key])?.text
      }
      let path = (text("paths", "collection") ?? name).replacing(text: "{resource}", with: name)
      guard !path.isEmpty, !path.contains("{") else { return nil }
      let last = path.split(separator: "/").last.map(String.init) ?? name
      let owners = facts.object?["owners"]?.object?.members.map { owner, facts in
        (name: owner, last: facts.object?["path"]?.text ?? last)
      }
      let start = path.hasPrefix("/") ? String(path.dropFirst()) : path
      return KnownResource(name: name, path: start + (text("base", "suffix") ?? ""), owners: owners ?? [])
    }
  }

  private static func tree(of bytes: [UInt8], _ file: String) throws(BackendError) -> Object {
    do throws(Mistakes) { return try Description(reading: bytes, file: file).tree.value.object ?? Object() } catch {
      throw .misconfigured(error.description)
    }
  }

  /// Why a list may go on behind what came; nil where its end was proved or nothing points to more.
  private static func doubt(_ survey: ResourceSurvey) -> String? {
    guard survey.claims["page.style"] != "none", let first = survey.first, let path = survey.shape?.path,
      let rows = survey.rows(of: first), !rows.isEmpty
    else { return nil }
    let hint = "declare how it is paged, or page: {style: none}"
    if let total = Totals.candidates(first, path).first(where: { $0.count > rows.count && $0.saysTotal }) {
      return "the response has \(counted(rows.count, "record")) and a total of \(total.count): \(hint)"
    }
    if NextPage.find(in: first, rows: path) != nil { return "the response names a next page: \(hint)" }
    guard EndProof.isUsualPage(rows.count), survey.total != rows.count else { return nil }
    return "the response has exactly \(counted(rows.count, "record")), a usual page size: \(hint)"
  }

  /// Where both say something, and not the same: of sections in what both have.
  private static func differences(_ said: Value, _ found: Value, _ place: String) -> [String] {
    guard let said = said.object, let found = found.object else {
      return said.isSame(as: found) || said == "exact" && found == "superset"
        ? [] : ["\(place) is \(found.plainText); the description says \(said.plainText)"]
    }
    return found.members.flatMap { name, value in said[name].map { differences($0, value, "\(place).\(name)") } ?? [] }
  }
}
