import BackendKit
import ServiceDescription

/// The fields of a new record: the first ones sent, and corrections after refusals.
extension FirstCreation {
  /// The marker, the known required fields, a text to be cleared later, and an identifier if it may be chosen.
  func firstFields() -> Object {
    var first = Object()
    for field in fields.all where field.isRequired && !field.isReadOnly {
      first[field.name] = field.value(marker) ?? .string(marker.text)
    }
    if let marked { first[marked.name] = .string(marked.text) }
    if let clearable = fields.clearable, first[clearable.name] == nil,
      let text = marker.text(upTo: clearable.maximumLength)
    {
      first[clearable.name] = .string(text)
    }
    for (name, value) in record.named.members { first[name] = value }
    if record.named.isEmpty, fields.takesIdentifier, let identifier = survey.identifier, identifier.link.isEmpty,
      survey.claims[.identifierType] == "text"
    {
      let looksLikeUUID = identifier.value(of: identifier.record).text?.utf8.count == 36
      first[identifier.field] = .string(looksLikeUUID ? UsualIdentifier.uuid : Marker.name(marker.text))
    }
    return first
  }

  /// Corrects what a refusal names: missing fields are added, wrong ones get another value or are omitted.
  func correct(_ names: [String], _ turn: Int, _ required: Set<String>) {
    for name in names where record.named[name] == nil && !record.refer(to: name) {
      let field = fields[name]
      if sent[name] == nil {
        guard field?.isReadOnly != true else { continue }
        record.sent[name] = (field ?? TrialField(missing: name)).value(marker) ?? .string(marker.text)
      } else if name == marked?.name, required.contains(name) || field?.isRequired == true {
        let short = field?.isFreeAddress == true ? Marker.address(marker.short) : marker.short
        (record.sent[name], record.marked) = (.string(short), (name, short))
      } else if name == marked?.name {
        record.sent[name] = nil
        record.marked = fields.all.filter { $0.isFree && $0.name != name }.min { $0.rank < $1.rank }.flatMap { other in
          marker.text(upTo: other.maximumLength).map { (other.name, $0) }
        }
        if let marked { record.sent[marked.name] = .string(marked.text) }
      } else if required.contains(name) || field?.isRequired == true {
        record.sent[name] = field?.value(marker, turn: turn) ?? .string(marker.short)
      } else {
        record.sent[name] = nil
      }
    }
  }

  /// Replaces texts of an existing record, which may have to be unique, by texts of the trial; false if there are none.
  func differ() -> Bool {
    var isChanged = false
    for field in fields.all {
      guard let value = sent[field.name], value.text != nil, value == field.sample, field.values.isEmpty,
        !field.isReference, let other = field.value(marker, turn: 1), other != value
      else { continue }
      record.sent[field.name] = other
      isChanged = true
    }
    return isChanged
  }

  /// Without a hint: sends all known fields, then wraps them otherwise. False if nothing is left.
  func adapt(_ isWhole: Bool) -> Bool {
    if !isWhole {
      for field in fields.all
      where !field.isReadOnly && sent[field.name] == nil && (field.isRequired || !field.isGuarded) {
        guard let value = field.value(marker), field.sample != nil || field.isRequired else { continue }
        record.sent[field.name] = value
      }
      return true
    }
    return wrapOtherwise()
  }

  /// Wraps the fields in a member, or unwraps them; false if the wrapping is known.
  func wrapOtherwise() -> Bool {
    guard form.type == nil, !form.isForm, fields.wrap == nil else { return false }
    let at = survey.identifier?.oneAt ?? []
    record.form.wrap = form.wrap.isEmpty ? (at.isEmpty ? ["data"] : at) : []
    return true
  }
}
