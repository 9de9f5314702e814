import BackendKit

/// Runs the trials one by one, and counts other records: once a deletion has removed some, nothing more is tried.
final class TrialWatch {
  private struct Tally {
    let total: Int?
    let rows: [Object]
  }

  private static let mostReads = 3
  static let readsPerResource = (mostReads + 1) * 2

  private let surveys: [ResourceSurvey]
  private let prober: Prober
  /// The records lost with a test record, as a phrase for each resource.
  private(set) var losses: [String] = []
  /// The lists before a trial created its first record.
  private var before: [String: Tally] = [:]
  /// True if all resources were counted after an accepted deletion.
  private var isChecked = false

  private let orphans: Orphans

  init(_ surveys: [ResourceSurvey], _ prober: Prober, _ orphans: Orphans) {
    (self.surveys, self.prober, self.orphans) = (surveys, prober, orphans)
  }

  /// Tries the writes of every resource that seems writable.
  func trials() async throws(BackendError) -> [WriteTrial] {
    if let reason = try await orphans.reasonAgainstDeleting() {
      for survey in surveys { survey.note("no write was tried: \(reason)") }
      return []
    }
    var trials: [WriteTrial] = []
    for survey in surveys where losses.isEmpty {
      let trial = WriteTrial(survey, self)
      do throws(BackendError) { try await trial.run() } catch {
        throw Self.naming(trials.compactMap(\.record.leftover), in: error)
      }
      trials.append(trial)
    }
    return trials
  }

  /// The error, extended by the records that earlier trials have left behind.
  private static func naming(_ leftovers: [String], in error: BackendError) -> BackendError {
    guard !leftovers.isEmpty else { return error }
    var error = error
    if error.effect != .unknown { error.effect = .applied }
    error.hint = ([error.hint].compactMap(\.self) + ["not deleted: \(leftovers.joined(separator: "; "))"])
      .joined(separator: "; ")
    return error
  }

  var reads: Int { (isChecked ? 1 : surveys.count) * Self.readsPerResource }

  /// Counts the records before a trial: those of its resource, and of all others until a deletion was accepted. False
  /// if the resource's list cannot be read.
  func begin(_ survey: ResourceSurvey) async throws(BackendError) -> Bool {
    let counted = surveys.filter { $0 === survey || !isChecked && before[$0.name] == nil }
    prober.begin(limit: counted.count)
    for other in counted { before[other.name] = try await tally(other) }
    return before[survey.name] != nil
  }

  /// Counts again after a deletion, while `besides` records of the trial should still exist.
  func compare(_ survey: ResourceSurvey, besides: Int, isAccepted: Bool) async throws(BackendError) {
    for other in surveys where other === survey || !isChecked {
      guard let before = self.before[other.name], let after = try await tally(other) else { continue }
      let count = try await lost(other, before, after, besides: other === survey ? besides : 0)
      guard count > 0 else { continue }
      losses.append("\(counted(count, "record")) of \(other.name)")
      self.before[other.name] = after
    }
    isChecked = isChecked || isAccepted
  }

  func rows(before survey: ResourceSurvey) -> [Object]? { before[survey.name]?.rows }

  private func tally(_ survey: ResourceSurvey) async throws(BackendError) -> Tally? {
    prober.forget()
    guard let answer = try await prober.get(survey.target), let rows = survey.rows(of: answer) else { return nil }
    let total = survey.claims[.total].flatMap { Totals.count(at: $0, in: answer, survey.shape?.path ?? []) }
    return Tally(total: total, rows: rows)
  }

  /// The number of lost records: by the totals, or else those of the first response that can no longer be found.
  private func lost(
    _ survey: ResourceSurvey, _ before: Tally, _ after: Tally, besides: Int
  ) async throws(BackendError) -> Int {
    if let was = before.total, let now = after.total { return max(was + besides - now, 0) }
    let there = Set(survey.keys(after.rows))
    let gone = before.rows.filter { !there.contains(survey.key($0)) }
    var missing = 0
    for row in gone.prefix(Self.mostReads) {
      if try await !isThere(row, survey) { missing += 1 }
    }
    return missing == 0 ? 0 : max(missing, before.rows.count - after.rows.count)
  }

  private func isThere(_ row: Object, _ survey: ResourceSurvey) async throws(BackendError) -> Bool {
    guard let identifier = survey.identifier, let id = RecordID(identifier.value(of: row)) else { return false }
    return try await identifier.read(id, prober) != nil
  }
}
