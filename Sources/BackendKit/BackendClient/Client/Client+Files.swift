public import BackendKit
import Synchronization

extension Client {
  /// Lets writes send a file, wherever the value that stands for it is the value of a field that is a file.
  public func offer(_ file: UploadedFile) { uploads.withLock { $0[file.sha256] = file } }

  /// The files that a write names.
  func uploads(of write: Write) -> [String: UploadedFile] {
    let offered = uploads.withLock(\.self)
    guard !offered.isEmpty else { return [:] }
    return offered.filter { digest, _ in
      write.values.contains { UploadedFile.facts(in: $0)?.sha256 == digest }
    }
  }

  /// Begins to read the content of a field that is a file.
  public func download(
    _ field: String, of id: RecordID, from path: ResourcePath
  ) async throws(BackendError) -> FileDownload {
    forgetReadAhead()
    do throws(BackendError) {
      let resource = try await resource(path)
      try check(id, resource)
      return try await logged { () throws(BackendError) in try await backend.download(field, of: id, from: path) }
    } catch { throw named(error, "get", path, id) }
  }
}

extension Write {
  /// True if it sends the content of a file, which no record shows: one that is as it was does not tell that nothing was done.
  public var sendsFile: Bool { values.contains { UploadedFile.facts(in: $0) != nil } }

  /// The fields whose files are sent by themselves, after the other fields.
  public func filesSentAlone(in resource: ResourceDescription) -> [String] {
    guard sendsFile else { return [] }
    return fieldNames.filter { name in
      if case .body? = resource.field(named: name)?.file?.upload { true } else { false }
    }
  }

  /// The values that it sets.
  public var values: [Value] {
    switch self {
    case .create(_, let fields), .act(_, _, _, let fields): fields.members.map { $0.1 }
    case .update(_, _, let changes, _, _):
      changes.compactMap { if case .set(_, let value) = $0 { value } else { nil } }
    case .delete: []
    }
  }
}
