import BackendKit
import ServiceDescription

/// Looks for a record that a whole list omits: if identifiers are numbers with gaps, records may exist there. Several
/// gaps are looked at, since those of deleted records and of other kinds that share the numbers have none.
struct AbsenceProbe: Probe {
  /// The maximum number of gaps looked at: the first, the last, and others evenly between them. Both ends of each are
  /// read.
  private static let gaps = 3
  static let requests = 2 * gaps

  let survey: ResourceSurvey

  func run() async throws(BackendError) {
    guard let whole = survey.whole, let identifier = survey.identifier else { return }
    let numbers = whole.compactMap { RecordID(identifier.value(of: $0)).flatMap { Int($0.text) } }.sorted()
    guard numbers.count == whole.count else { return }
    for number in Self.missing(in: numbers) {
      guard let id = RecordID(.string(String(number))), try await identifier.read(id, survey.prober) != nil else {
        continue
      }
      let target = identifier.target(id).shown
      survey.prove(.listsOmitsRecords, true, "GET \(target) finds a record that is not in the list")
      return survey.note(
        "the list leaves out records: GET \(target) finds one that is not in it; what is absent from the list may be there"
      )
    }
  }

  /// The numbers at the ends of some gaps between sorted numbers.
  private static func missing(in numbers: [Int]) -> [Int] {
    let all = zip(numbers, numbers.dropFirst()).filter { $0 < .max && $1 > $0 + 1 }
    let chosen = all.count <= gaps ? all : (0..<gaps).map { all[$0 * (all.count - 1) / (gaps - 1)] }
    return chosen.flatMap { before, next in before + 2 == next ? [before + 1] : [before + 1, next - 1] }
  }
}
