import BackendKit
import ServiceDescription

/// What a description says otherwise than its service shows: facts that were proved, each held against what is written.
struct Changes {
  /// A sentence for each.
  let list: [String]

  /// Compares a description with what the probes found. Throws where the description cannot be read.
  init(of bytes: [UInt8], file: String, with surveys: [ResourceSurvey], base: String) throws(BackendError) {
    let tree: Object
    do throws(Mistakes) { tree = try Description(reading: bytes, file: file).tree.value.object ?? Object() } catch {
      throw .misconfigured(error.description)
    }
    var list: [String] = []
    for survey in surveys {
      let written = tree["resources"]?.object?[survey.name]?.object ?? Object()
      for (name, section) in ResourceFacts(survey, base: base).sections.members {
        guard let found = section.object, name != "fields" else { continue }
        let known = (written[name] ?? tree[name])?.object ?? Object()
        // Conditions and orders that were not reached are not missing.
        if survey.isCut, ["filter", "sort", "search"].contains(name) { continue }
        for (key, value) in found.members where key != "because" {
          guard survey.claims.isProved("\(name).\(key)") || name == "total" || name == "filter" else { continue }
          guard let said = known[key] else {
            list.append("\(survey.name): \(name).\(key) is \(Self.text(value)), of which the description says nothing")
            continue
          }
          list += Self.differences(said, value, "\(name).\(key)").map { "\(survey.name): \($0)" }
        }
      }
    }
    self.list = list
  }

  private static func text(_ value: Value) -> String { value.text ?? JSONWriter.compact(value) }

  /// Where both say something, and not the same: of sections in what both have.
  private static func differences(_ said: Value, _ found: Value, _ place: String) -> [String] {
    guard let said = said.object, let found = found.object else {
      return said.isSame(as: found) ? [] : ["\(place) is \(text(found)); the description says \(text(said))"]
    }
    return found.members.flatMap { name, value in said[name].map { differences($0, value, "\(place).\(name)") } ?? [] }
  }
}
