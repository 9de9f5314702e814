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
        for (key, value) in found.members where key != "because" {
          guard survey.claims.isProved("\(name).\(key)") || name == "total" || name == "filter" else { continue }
          guard let said = known[key] else {
            list.append("\(survey.name): \(name).\(key) is \(Self.text(value)), of which the description says nothing")
            continue
          }
          guard !Self.isSame(said, value) else { continue }
          list.append(
            "\(survey.name): \(name).\(key) is \(Self.text(value)); the description says \(Self.text(said))")
        }
      }
    }
    self.list = list
  }

  private static func text(_ value: Value) -> String { value.text ?? JSONWriter.compact(value) }

  /// Whether both say the same; where either is a section, in what both say.
  private static func isSame(_ said: Value, _ found: Value) -> Bool {
    guard let said = said.object, let found = found.object else { return said.isSame(as: found) }
    return found.members.allSatisfy { name, value in said[name].map { isSame($0, value) } ?? true }
  }
}
