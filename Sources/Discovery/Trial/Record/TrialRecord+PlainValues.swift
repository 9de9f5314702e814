import BackendKit
import ServiceDescription

/// Values for which nothing but the type of the field speaks.
extension TrialRecord {
  /// Plain values for fields that a new record may not need: writable ones, and doubtful ones not to be tried in
  /// updates.
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

  /// A value for which nothing but the field's type speaks; nil if there is none.
  func plainValue(of field: TrialField, _ current: Value?) -> Value? {
    let facts = survey.claims[field: field.name]
    switch facts?[.fieldType] {
    case "text"?, "any"?, nil:
      let most = facts?[.fieldMaximumLength] ?? field.form.maximum
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

  /// Returns whether a field is restricted only for lack of evidence, and may be tried in a new record.
  func isDoubted(_ name: String) -> Bool {
    guard name != marked?.name, name != survey.identifier?.field, let facts = survey.claims[field: name]
    else { return false }
    return facts[.fieldReadOnly] != true && facts[.fieldRestrictedValues] == true && facts[.fieldReference] == nil
      && facts[.fieldType] != "text"
      && facts[.fieldSecret] != true
  }

  /// Returns whether the field accepts any value of its type according to the facts so far.
  func isFree(_ name: String) -> Bool {
    guard name != marked?.name, name != survey.identifier?.field, survey.claims[.revisionField] != name,
      let facts = survey.claims[field: name]
    else { return false }
    return facts[.fieldReadOnly] != true && facts[.fieldRestrictedValues] != true && facts[.fieldReference] == nil
      && (facts[.fieldValues] == nil || survey.isUndescribed(name))
      && facts[.fieldSecret] != true
  }
}
