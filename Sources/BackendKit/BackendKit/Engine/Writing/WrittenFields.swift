extension Service.Resource {
  /// The fields of a record in the console's form: under the names by which they are sent, with dates in ISO 8601 and
  /// numbers as numbers.
  func read(_ fields: Object) -> Object {
    var fields = fields
    for (name, place) in shownAt {
      // The place wins over a member with the field's own name, unless it has no value outside of that.
      guard let shown = Value.object(fields).shown(at: place[...]),
        shown != .null || fields[name] == nil || place.first == name
      else { continue }
      fields[name] = shown
    }
    if dates != .iso { fields = dates.read(fields, self) }
    return convertingNumbers(fields) { $0.text.flatMap { Number($0) }.map { .number($0) } }
  }

  /// The fields in the service's form.
  func written(_ fields: Object) -> Object {
    convertingNumbers(dates == .iso ? fields : dates.written(fields, self)) { value in
      if case .number(let number) = value { .string(number.text) } else { nil }
    }
  }

  /// Returns whether records show a field in another place than under its name.
  func isShownElsewhere(_ field: String) -> Bool { shownAt.contains { $0.field == field } }

  private func convertingNumbers(_ fields: Object, _ convert: (Value) -> Value?) -> Object {
    guard !textNumbers.isEmpty else { return fields }
    var fields = fields
    for name in textNumbers { if let value = fields[name].flatMap(convert) { fields[name] = value } }
    return fields
  }
}

extension Value {
  /// The value at a place, in which `*` collects a list from all elements; null if a null or an empty object is on the
  /// way.
  fileprivate func shown(at place: ArraySlice<String>) -> Value? {
    guard let name = place.first, self != .null else { return self }
    let rest = place.dropFirst()
    guard name == "*" else {
      let member = member(name)
      return member?.object?.isEmpty == true && !rest.isEmpty ? .null : member?.shown(at: rest)
    }
    return array.map { .array($0.compactMap { $0.shown(at: rest) }) }
  }
}
