import BackendKit
import ServiceDescription

/// Values that no rule but the type of a field speaks for.
extension TrialRecord {
  /// Returns plain values for the fields that a new record is not known to need: the writable ones, and the doubtful
  /// ones, which could do harm in a change.
  func plainFields() -> Object {
    Object(
      fields.all.compactMap { field in
        guard isFree(field.name) || isDoubted(field.name), !field.isReference, !field.isGuarded,
          sent[field.name] == nil, referred(field.name) == nil
        else {
          return nil
        }
        return plainValue(of: field, nil).map { (field.name, $0) }
      })
  }

  /// A value of a field's type that no rule but the type speaks for; nil where there is none to try.
  func plainValue(of field: TrialField, _ current: Value?) -> Value? {
    let facts = survey.claims[field: field.name]
    switch facts?[.fieldType] {
    case "text"?, "any"?, nil:
      let most = facts?[.fieldMaximumLength] ?? field.maximumLength
      return marker.text(upTo: most).map { .string(current == .string($0) ? Marker.changed($0) : $0) }
    case "integer"?: return .int((current?.integer).map { $0 == 7 ? 8 : 7 } ?? 7)
    case "boolean"?: return .bool(current?.bool != true)
    case "date"?: return current.map { $0 == .null } ?? false ? "2026-01-02T03:04:05Z" : nil
    case "day"?: return current.map { $0 == .null } ?? false ? "2026-01-02" : nil
    case "list"?: return [1, "1", true, .null, [], [:]]
    case "object"?: return ["a": .null, "b": [], "c": [:], "d": ""]
    default: return nil
    }
  }

  /// Returns whether a field counts as restricted only because nothing has shown otherwise, so that it may be tried in
  /// a new record.
  func isDoubted(_ name: String) -> Bool {
    guard name != marked?.name, name != survey.identifier?.field, let facts = survey.claims[field: name]
    else { return false }
    return facts[.fieldReadOnly] != true && facts[.fieldRestrictedValues] == true && facts[.fieldReference] == nil
      && facts[.fieldType] != "text"
      && facts[.fieldSecret] != true
  }

  /// Returns whether, by the description so far, any value of its type may be written to a field.
  func isFree(_ name: String) -> Bool {
    guard name != marked?.name, name != survey.identifier?.field, survey.claims[.revisionField] != name,
      let facts = survey.claims[field: name]
    else { return false }
    return facts[.fieldReadOnly] != true && facts[.fieldRestrictedValues] != true && facts[.fieldValues] == nil
      && facts[.fieldReference] == nil
      && facts[.fieldSecret] != true
  }
}
