/// An action on a record or a collection, other than reading and writing fields: `close`, `publish`, `retry`.
public struct ActionDescription: Sendable, Hashable {
  /// The subject of an action.
  public enum Subject: String, Sendable, Hashable, CaseIterable {
    /// One record, named by its identifier.
    case record
    /// The resource as a whole.
    case collection
  }

  /// The name that commands use.
  public var name: String
  /// The subject.
  public var subject: Subject
  /// The fields that it is given, in the order in which they are shown.
  public var fields: [FieldDescription]
  /// The effect on the data; an action that only reads is not a write.
  public var effect: RequestEffect
  /// A note for people, or nil.
  public var note: String?

  /// A description.
  public init(
    _ name: String, of subject: Subject = .record, fields: [FieldDescription] = [], effect: RequestEffect = .write,
    note: String? = nil
  ) {
    self.name = name
    self.subject = subject
    self.fields = fields
    self.effect = effect
    self.note = note
  }

  /// The description of the field with this name.
  public func field(named name: String) -> FieldDescription? { fields.named(name) }
}

extension RequestEffect {
  /// The methods of requests that change nothing by themselves.
  public static let readingMethods: Set<String> = ["GET", "HEAD", "OPTIONS", "LIST"]

  /// The effect that a request counts as having if its description declares this one.
  ///
  /// A declared read counts as one if the method is a reading one. If it is POST, the source of the description has to be trusted,
  /// since nothing in the request tells it from a write. Everything else that is declared a read counts as a write, which asks, is
  /// journaled and is not sent again.
  public func counted(method: String, isTrusted: Bool) -> RequestEffect {
    guard self == .read, !Self.readingMethods.contains(method), method != "POST" || !isTrusted else { return self }
    return .write
  }
}

extension ResourceDescription {
  /// The description of an action that is to be done with a record, or with the collection where `id` is nil; throws
  /// `unsupported` for one that is not declared.
  public func checkAction(_ name: String, on id: RecordID?) throws(BackendError) -> ActionDescription {
    guard let action = action(named: name), (action.subject == .record) == (id != nil) else {
      throw .unsupported("unknown action \"\(name)\" of \(id == nil ? "the collection" : "a record")")
    }
    return action
  }
}

extension Backend {
  /// Heeds no options.
  public func with(_ options: CallOptions) -> Self { self }

  /// Reads one record whole.
  public func get(_ id: RecordID, from resource: ResourcePath) async throws(BackendError) -> Record {
    try await get(id, from: resource, fields: nil, embedding: [])
  }

  /// Deletes one record, whatever its revision, or all.
  public func delete(_ deletion: Deletion, from resource: ResourcePath) async throws(BackendError) -> WriteReceipt {
    try await delete(deletion, from: resource, revision: nil)
  }

  /// No action: throws `unsupported`.
  public func act(
    _ action: String, on id: RecordID?, in resource: ResourcePath, with fields: Object
  ) async throws(BackendError) -> WriteReceipt {
    throw .unsupported("unknown action \"\(action)\"")
  }

  /// No file: throws `unsupported`.
  public func download(
    _ field: String, of id: RecordID, from resource: ResourcePath
  ) async throws(BackendError) -> FileDownload {
    throw .unsupported("\(field) of \(resource) is not a file")
  }

  /// Nothing that is done later: throws `unsupported`.
  public func follow(
    _ address: String, in resource: ResourcePath, patience: Duration?
  ) async throws(BackendError) -> Record? {
    throw .unsupported("\(resource) has no jobs")
  }
}
