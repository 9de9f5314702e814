import BackendKit
import ConsoleOutput
import SQL

extension SQLPlan {
  /// The plan with all texts that may have secrets passed through `blank`.
  func blanked(_ blank: (String) -> String) -> SQLPlan {
    var plan = self
    for place in plan.scans.indices {
      plan.scans[place].request = plan.scans[place].request.map(blank)
      plan.scans[place].exact = plan.scans[place].exact.map(blank)
      plan.scans[place].superset = plan.scans[place].superset.map(blank)
      plan.scans[place].local = plan.scans[place].local.map(blank)
    }
    plan.steps = plan.steps.map(blank)
    return plan
  }

  /// The note on every statement that reads services.
  private static let consistency =
    "a list is read page by page, not as a snapshot; within the statement a record keeps the values of its first read"

  var text: EscapedText {
    var text: EscapedText = ""
    for scan in scans {
      text += "\(scan.table)\n"
      if let request = scan.request { text += "  request   \(request)\n" }
      text += "  requests  \(scan.requests) (\(scan.strategy))\n"
      for condition in scan.exact { text += "  server    \(condition)\n" }
      for condition in scan.superset { text += "  server    \(condition), checked again locally\n" }
      for condition in scan.local { text += "  local     \(condition)\n" }
    }
    if !steps.isEmpty { text += "steps\n" }
    for step in steps { text += "  \(step)\n" }
    text += "rows      \(streams ? "printed as they come" : "printed once all is read")\n"
    if !scans.isEmpty { text += "note: \(Self.consistency)\n" }
    return text
  }

  var facts: Object {
    func list(_ texts: [String]) -> Value { .array(texts.map { .string($0) }) }
    let scans = scans.map { scan in
      Value.object(
        Object(facts: [
          ("table", scan.table), ("strategy", scan.strategy), ("requests", scan.requests), ("request", scan.request),
          ("exact", list(scan.exact)), ("superset", list(scan.superset)), ("local", list(scan.local)),
        ]))
    }
    return Object(facts: [
      ("tables", scans), ("steps", list(steps)), ("streams", streams),
      ("notes", list(scans.isEmpty ? [] : [Self.consistency])),
    ])
  }
}
