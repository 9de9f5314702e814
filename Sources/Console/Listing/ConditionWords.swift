import BackendClient
import BackendKit

extension [ListCondition] {
  /// The words on who decides the conditions: `filtered locally`, `filtered by the service, checked again locally`, and
  /// by field where only some are left to the console. Nil without conditions.
  var words: String? {
    guard !isEmpty else { return nil }
    let verb = allSatisfy(\.isSearch) ? "searched" : "filtered"
    let sides = [
      ("by the service", filter { $0.fidelity == .exact }),
      ("by the service, checked again locally", filter { $0.fidelity == .superset }),
      ("locally", filter { $0.fidelity == .not }),
    ].filter { !$1.isEmpty }
    guard sides.count > 1, sides[sides.count - 1].0 == "locally" else { return "\(verb) \(sides[sides.count - 1].0)" }
    let parts = sides.map { side, own in "\(side): \(own.map(\.name).unique.joined(separator: ", "))" }
    return "\(verb) \(parts.joined(separator: "; "))"
  }
}

extension ListSummary {
  /// True if the console decided, or checked again, which of the records read belong to the list.
  var isNarrowed: Bool { !Set(["filtered", "searched", "checked again"]).isDisjoint(with: doneLocally) }

  /// The words on the work of the console, and on who decided the conditions if it took part in that.
  var work: String {
    guard isNarrowed, conditions.contains(where: { $0.fidelity != .not }), let decided = conditions.words else {
      return "\(doneLocally.joined(separator: " and ")) locally"
    }
    let others = doneLocally.filter { !["filtered", "searched", "checked again"].contains($0) }
    return others.isEmpty ? decided : "\(decided); \(others.joined(separator: " and ")) locally"
  }
}
