extension ResourceDescription {
  /// The change as the service keeps it: a null that it does not keep clears the field.
  public func asKept(_ change: Change) -> Change {
    guard case .set(let name, .null) = change, !capabilities.keepsNull else { return change }
    return .unset(name)
  }

  /// The fields of a new record as they are sent: without nulls that the service does not keep, unless a default would
  /// take their place.
  public func asKept(new fields: Object) -> Object {
    guard !capabilities.createsNull else { return fields }
    return Object(
      fields.members.filter { name, value in
        value != .null || field(named: name)?.defaultValue ?? .null != .null
      })
  }

  /// The content of a field after it was cleared.
  public func contentOfCleared(_ name: String) -> Capabilities.Cleared {
    capabilities.clearedFields[name] ?? capabilities.cleared
  }
}
