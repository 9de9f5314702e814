/// The result of looking for a record.
public enum Presence: Sendable {
  /// The record.
  case there(Record)
  /// There is no such record, and the service responds normally otherwise.
  case gone
  /// Neither is certain; the error says why.
  case unclear(BackendError)
}

extension Backend {
  /// Looks for a record whose absence would prove something, for example a deletion.
  ///
  /// "Not found" may come from a gateway in front of a service that is down. It counts only if the list that the record
  /// would be in responds normally right after it.
  public func presence(of id: RecordID, in path: ResourcePath) async -> Presence {
    await presence(in: path) { () async throws(BackendError) in try await self.get(id, from: path) }
  }

  /// The same with another way to read the record.
  func presence(
    in path: ResourcePath, reading read: () async throws(BackendError) -> Record
  ) async -> Presence {
    let missing: BackendError
    do throws(BackendError) { return .there(try await read()) } catch {
      guard error.code == .notFound, error.effect != .notSent else { return .unclear(error) }
      missing = error
    }
    do throws(BackendError) {
      _ = try await list(ListQuery(path, pageSize: 1), at: nil, to: RecordSink { _ in .enough })
      return .gone
    } catch {
      var unclear = error.code == .cancelled ? error : missing
      if error.code != .cancelled {
        unclear.code = .unavailable
        unclear.message += ", but the service does not respond normally: \(error.message)"
      }
      return .unclear(unclear)
    }
  }
}
