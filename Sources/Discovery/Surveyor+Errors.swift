import BackendClient
import BackendKit
import ServiceDescription

/// The place of errors for single fields that some resources of the service have proved, and others are likely to have.
struct ShownErrors {
  let place: Object
  let names: String

  /// Nil if no resource proved one, or if they differ.
  init?(_ surveys: [ResourceSurvey]) {
    let proved = surveys.filter { $0.claims.isProved(.errorsFields) }
    let places = proved.compactMap { $0.claims[.errorsFields] }
    guard let place = places.first, places.allSatisfy({ $0 == place }) else { return nil }
    (self.place, names) = (place, proved.map(\.name).joined(separator: ", "))
  }
}

extension ResourceSurvey {
  /// Adds the usual error places of the dialect to the observed ones; those that other resources proved come first.
  func takeErrors(_ shared: ShownErrors?) {
    guard shape != nil, !dialect.isPlain, let said = dialect.errors else { return }
    let usual = "usual for \(dialect.preset)"
    func seen(_ key: some FactName) -> SurveyClaim? { claims.taken(key) == nil ? nil : claims.claim(key) }
    if let message = said["message"] {
      let found = seen(Key.errorsMessage)
      let usualPlaces = message.array ?? [message]
      let seenPlaces = found.map { $0.value.array ?? [$0.value] } ?? []
      let places = usualPlaces + seenPlaces.filter { !usualPlaces.contains($0) }
      suppose(
        .errorsMessage, .array(places), usual + (found.map { "; \($0.evidence)" } ?? ""), from: .preset)
    }
    if var fields = said["fields"]?.object {
      let found = seen(Key.errorsFields)
      if let found, let shown = found.value.object {
        // The findings take precedence; for the same place, the preset has more detail.
        let isSame = shown["errorsPath"] == fields["errorsPath"] && shown["layout"] == fields["layout"]
        for (name, value) in shown.members { fields[name] = value }
        if isSame { claims.replace(.errorsFields, fields, found.grade, "\(found.evidence); \(usual)") }
      } else if let shared {
        suppose(.errorsFields, shared.place, "as shown for \(shared.names)")
      } else {
        suppose(.errorsFields, fields, usual, from: .preset)
      }
    }
    for key in [.errorsCode, .errorsMappings] as [Key<Value>] {
      if let value = said[key.name] { suppose(key, value, usual, from: .preset) }
    }
  }
}
