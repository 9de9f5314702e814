import BackendClient
import BackendKit
import ConsoleSystem

extension ServiceSurvey {
  /// The resources whose list may be incomplete: no second page was found, and no total proves that the first is the
  /// whole list.
  var untestedLists: [String] {
    claims.filter { $0.fact == "page.style" && [.untested, .likely].contains($0.grade) }.compactMap(\.resource).filter {
      name in
      section("page", of: name)?.object?["style"] == "untested"
        && !claims.contains { $0.resource == name && $0.fact == "total" && $0.grade == .proved }
    }
  }

  /// Records the user's word that these lists are complete.
  mutating func declareWhole(_ names: [String], on date: String, _ surveyor: any ServiceSurveyor) {
    let reason = Object(facts: [
      ("from", "operator"), ("evidence", "the answer to the question that add asks"), ("date", date),
    ])
    let page = Value.object(Object(facts: [("style", "none"), ("source", reason)]))
    var resources = description["resources"]?.object ?? Object()
    let shared = description["page"]
    if shared != nil, resources.names.allSatisfy(names.contains) {
      description["page"] = page
    } else {
      description["page"] = nil
      for name in resources.names {
        guard var sections = resources[name]?.object else { continue }
        sections["page"] = names.contains(name) ? page : sections["page"] ?? shared
        resources[name] = .object(sections)
      }
      description["resources"] = .object(resources)
    }
    file = surveyor.file(of: description)
    for place in claims.indices where claims[place].fact == "page.style" {
      guard let name = claims[place].resource, names.contains(name) else { continue }
      claims[place].value = "none"
      claims[place].grade = .likely
      claims[place].evidence = "the operator's answer"
    }
  }

  /// Throws if deletions of a trial deleted other records, too, or a record of the trial may still exist.
  func checkLeftovers() throws(CommandFailure) {
    let left = leftovers.isEmpty ? nil : "not deleted: \(leftovers.joined(separator: "; "))"
    guard losses.isEmpty else {
      throw CommandFailure(
        .failure,
        "deleting a test record removed other records: "
          + ([losses.joined(separator: ", ")] + [left].compactMap(\.self)).joined(separator: "; "),
        hint: "restore the missing records from a backup; no more test writes were sent")
    }
    if let left { throw CommandFailure(.failure, left, hint: "delete the records left over from the write test") }
  }

  /// The note about lists that may be only first pages.
  var untestedNote: [String] {
    let names = untestedLists
    guard !names.isEmpty else { return [] }
    return [
      "no paging was found for \(names.joined(separator: ", ")), and nothing proves that the first response is the whole list: commands that need the whole list refuse to run without --trust-end; page: {style: none} in the description declares it complete"
    ]
  }
}
