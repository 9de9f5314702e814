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
    if let clearable = fields.clearable, first[clearable.name] == nil, let text = clearable.holding(marker) {
      first[clearable.name] = .string(text)
    }
    for (name, value) in record.named.members { first[name] = value }
    if record.named.isEmpty, fields.takesIdentifier, let identifier = survey.identifier, identifier.link.isEmpty,
      survey.claims[.identifierType] == "text"
    {
      let looksLikeUUID = identifier.value(of: identifier.record).text?.utf8.count == 36
      first[identifier.field] = .string(looksLikeUUID ? UsualIdentifier.uuid : record.markedIdentifier)
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
      } else if name == marked?.name {
        moveMarker(from: name, isRequired: required.contains(name) || field?.isRequired == true, turn)
      } else if required.contains(name) || field?.isRequired == true {
        record.sent[name] = field?.value(marker, turn: turn) ?? .string(marker.short)
      } else {
        record.sent[name] = nil
      }
    }
  }

  /// Puts the marker into another form after a refusal of its field, or else into another field.
  private func moveMarker(from name: String, isRequired: Bool, _ turn: Int) {
    guard let field = fields[name], let refused = marked?.text else { return }
    // The refusal may have shown the form, or the text may be too long for a field that needs one.
    var forms = [field.holding(marker)]
    if isRequired { forms.append(field.isFreeAddress ? Marker.address(marker.short) : marker.short) }
    if let text = forms.compactMap(\.self).first(where: { $0 != refused }), !record.unmarkable.contains(name) {
      record.unmarkable.insert(name)
      (record.sent[name], record.marked) = (.string(text), (name, text))
      return
    }
    record.unmarkable.insert(name)
    record.sent[name] = isRequired ? field.value(marker, turn: turn) : nil
    record.marked = fields.holder(marker, besides: record.unmarkable).map { ($0.field.name, $0.text) }
    if let marked { record.sent[marked.name] = .string(marked.text) }
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
