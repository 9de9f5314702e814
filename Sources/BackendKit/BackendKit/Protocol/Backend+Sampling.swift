extension Backend {
  /// The description with the fields of the first record of the resource's list, where no other field is known.
  ///
  /// As it stands where fields are known, where there is no record, and where the list may not be read. Throws what else
  /// befalls the list.
  public func sampled(_ resource: ResourceDescription) async throws(BackendError) -> ResourceDescription {
    guard resource.fields.isEmpty, resource.capabilities.operations.contains(.list) else { return resource }
    let held = HeldPage()
    do throws(BackendError) {
      let sink = RecordSink { records throws(BackendError) in
        let readable = records.filter { $0.defect == nil }
        _ = try await held.sink.send(readable)
        return readable.isEmpty ? .more : .enough
      }
      _ = try await list(ListQuery(ResourcePath(name: resource.name), pageSize: 1), at: nil, to: sink)
    } catch {
      guard [.notFound, .unauthorized, .forbidden].contains(error.code) else { throw error }
      return resource
    }
    guard let sample = await held.records.first, !sample.fields.names.isEmpty else { return resource }
    var resource = resource
    resource.source = .sample
    resource.fields = sample.fields.members.map { name, value in
      // What is whole in one record may be a fraction in the next.
      let kind = FieldDescription.Kind(of: value) ?? .any
      return FieldDescription(
        name, kind == .integer ? .number : kind, isReadOnly: name == resource.identifier.field)
    }
    return resource
  }
}

extension FieldDescription.Kind {
  /// The kind of field that a value suggests; nil for null.
  public init?(of value: Value) {
    switch value {
    case .null: return nil
    case .bool: self = .boolean
    case .number: self = value.integer == nil ? .number : .integer
    case .string: self = .text
    case .array: self = .list
    case .object: self = .object
    }
  }
}
