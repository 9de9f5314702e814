import BackendKit
import ServiceDescription

/// Looks for a record that a whole list omits: if identifiers are numbers with a gap, a record may exist there.
struct AbsenceProbe: Probe {
  private let survey: ResourceSurvey

  init(_ survey: ResourceSurvey) { self.survey = survey }

  func run() async throws(BackendError) {
    guard let whole = survey.whole, let identifier = survey.identifier else { return }
    let numbers = whole.compactMap { RecordID(identifier.value(of: $0)).flatMap { Int($0.text) } }.sorted()
    guard numbers.count == whole.count,
      let before = zip(numbers, numbers.dropFirst()).first(where: { $0 < .max && $1 > $0 + 1 })?.0,
      let id = RecordID(.string(String(before + 1))),
      try await identifier.read(id, survey.prober) != nil
    else { return }
    survey.prove(.listsOmitsRecords, true, "GET \(identifier.target(id).shown) finds a record that is not in the list")
    survey.note(
      "the list leaves out records: GET \(identifier.target(id).shown) finds one that is not in it; what is absent from the list may be there"
    )
  }
}
