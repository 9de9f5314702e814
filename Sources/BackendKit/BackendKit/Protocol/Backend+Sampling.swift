extension Backend {
  /// The description with the fields of the first record of the list, if no fields are known.
  ///
  /// Unchanged if fields are known, there is no record, or the list may not be read. Throws any other error of the
  /// list.
  public func sampled(
    _ resource: ResourceDescription,
    passingOver passed: Set<BackendError.Code> = [.notFound, .unauthorized, .forbidden]
  ) async throws(BackendError) -> ResourceDescription {
    guard resource.fields.isEmpty, resource.capabilities.operations.contains(.list) else { return resource }
    let held = BufferedPage()
    do throws(BackendError) {
      let sink = RecordSink { records throws(BackendError) in
        let readable = records.filter { $0.defect == nil }
        _ = try await held.sink.send(readable)
        return readable.isEmpty ? .more : .enough
      }
      _ = try await list(ListQuery(ResourcePath(name: resource.name), pageSize: 1), at: nil, to: sink)
    } catch {
      guard passed.contains(error.code) else { throw error }
      return resource
    }
    guard let sample = await held.records.first, !sample.fields.names.isEmpty else { return resource }
    return resource.knowing([sample])
  }
}

extension ResourceDescription {
  /// The description with the fields of some records.
  fileprivate func knowing(_ records: [Record]) -> ResourceDescription {
    var resource = self
    resource.source = .sample
    resource.fields = FieldDescription.sampled(
      records.map(\.fields), identifier: capabilities.takesIdentifiers ? nil : identifier.field)
    return resource
  }

  /// The description of a singleton without an identifier, with the fields of its record.
  public func single(sample record: Record) -> ResourceDescription {
    var resource = self
    resource.identifier = IdentifierRule(field: nil, form: .none)
    resource.capabilities.operations.formIntersection([.get, .update])
    return resource.knowing([record])
  }
}

extension FieldDescription {
  /// Returns the fields of some records, in the order of appearance. A field with values of several types has the kind
  /// `any`.
  public static func sampled(_ records: [Object], identifier: String? = nil) -> [FieldDescription] {
    var kinds = Object()
    var found: [String: Kind] = [:]
    for (name, value) in records.lazy.flatMap(\.members) {
      kinds[name] = .null
      guard var kind = Kind(of: value) else { continue }
      // A number that is whole in one record may be a fraction in the next.
      if kind == .integer { kind = .number }
      found[name] = found[name].map { $0 == kind ? kind : .any } ?? kind
    }
    return kinds.names.map { FieldDescription($0, found[$0] ?? .any, isReadOnly: $0 == identifier) }
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
