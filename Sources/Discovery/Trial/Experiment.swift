import BackendClient
import BackendKit
import ServiceDescription

/// A part of a trial. All parts share its record.
protocol TrialPart {
  var record: TrialRecord { get }
}

/// Something to try on the record of a trial, or on another one.
protocol Experiment: TrialPart {
  /// True if earlier findings leave its question open.
  var isDue: Bool { get }
  func run() async throws(BackendError)
}

extension Experiment {
  var isDue: Bool { true }
}

protocol UpdatePart: TrialPart {
  var updates: TrialUpdates { get }
}

protocol ChangeExperiment: UpdatePart, Experiment {}

extension ChangeExperiment {
  /// A creation that updates a record may also create another one, and is sent only once.
  var isDue: Bool { survey.claims[.updateAtCollection] != true }
}

extension UpdatePart {
  var record: TrialRecord { updates.record }
  var method: String? { survey.claims[.updateMethod] }
  var merges: Bool { survey.claims[.updateMerges] == true }
}

// Shared state that nearly every part uses.
extension TrialPart {
  var survey: ResourceSurvey { record.survey }
  var prober: Prober { record.prober }
  var watch: TrialWatch { record.watch }
  var marker: Marker { record.marker }
  var fields: TrialFields { record.fields }
  var form: SentForm { record.form }
  var marked: (name: String, text: String)? { record.marked }
  var made: MadeRecord? { record.made }
  var sent: Object { record.sent }

  func step(_ name: String, _ outcome: String) { record.step(name, outcome) }

  func claim<Content>(
    field name: String, _ key: Key<Content>, _ content: Content?, _ evidence: String, _ grade: SurveyClaim.Grade
  ) {
    record.claim(field: name, key, content, evidence, grade)
  }

  func look() async throws(BackendError) -> TrialRecord.Sight { try await record.look() }
}
