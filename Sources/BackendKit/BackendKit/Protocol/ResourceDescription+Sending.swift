extension ResourceDescription {
  /// The change as the service keeps it: a null that it does not keep clears the field.
  public func asKept(_ change: Change) -> Change {
    guard case .set(let name, .null) = change, !capabilities.keepsNull else { return change }
    return .unset(name)
  }

  /// The fields of a new record as they are sent: with described defaults, and without nulls that the service does not
  /// keep, unless a default would take their place.
  public func asKept(new fields: Object) -> Object {
    let kept = fields.members.filter { name, value in
      value != .null || capabilities.createsNull || field(named: name)?.defaultValue ?? .null != .null
    }
    return Object(kept + defaults(besides: fields).filter { !$0.field.isSecret }.map { ($0.field.name, $0.value) })
  }

  /// The described defaults of fields that a new record is not given.
  public func defaults(besides fields: Object) -> [(field: FieldDescription, value: Value)] {
    self.fields.compactMap { field in
      guard !field.isReadOnly, fields[field.name] == nil, let value = field.defaultValue, value != .null,
        field.complaint(about: value) == nil
      else { return nil }
      return (field, value)
    }
  }

  /// The content of a field after it was cleared.
  public func contentOfCleared(_ name: String) -> Capabilities.Cleared {
    capabilities.clearedFields[name] ?? capabilities.cleared
  }
}
