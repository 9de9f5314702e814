import BackendClient
import BackendKit

extension Session {
  /// Writes that were given, all of them checked, without the fields that only the server sets: a record that was read,
  /// edited and given back still holds them. Where one of them is another than the record's, nothing is written.
  func sendable(
    _ writes: [InputWrite], of target: Target, _ resource: ResourceDescription
  ) async throws -> [InputWrite] {
    let fixed = Set(resource.fields.filter(\.isReadOnly).map(\.name))
    var sendable: [InputWrite] = []
    var givenBack: [(InputWrite, RecordID, [Change])] = []
    for given in writes {
      var given = given
      if case .update(let path, let id, let changes, let parts, let revision) = given.write {
        let own = changes.filter { !fixed.contains($0.field) }
        if own.count < changes.count {
          givenBack.append((given, id, changes.filter { fixed.contains($0.field) }))
          guard !own.isEmpty else {
            throw UsageError(
              "\(given): nothing to change except read-only fields", hint: "nothing was sent")
          }
          given = given.with(.update(path, id, own, parts: parts, revision: revision))
        }
      }
      try await check(given.write, of: target, at: given.place)
      sendable.append(given)
    }
    for (given, id, changes) in givenBack {
      let record: Record
      do throws(BackendError) { record = try await target.client.get(id, from: target.path) } catch {
        // The write will say so of its own row.
        if error.code == .notFound { continue }
        throw failure(error).at(given)
      }
      let changed = changes.filter { !$0.isDone(in: record.fields, of: resource) }.map(\.field)
      if !changed.isEmpty {
        throw UsageError(
          "\(given): \(changed.joined(separator: ", ")) of \(target.description)/\(id) are read-only, and the"
            + " given value differs from the record's", hint: "leave it out; nothing was changed")
      }
    }
    return sendable
  }
}

extension Change {
  /// Whether a record is as this change would leave it; null and absent are the same.
  func isDone(in record: Object, of resource: ResourceDescription) -> Bool {
    switch self {
    case .set(let name, let value): resource.isSame(record[name], value, in: name)
    case .unset(let name): resource.isSame(record[name], nil, in: name)
    }
  }
}

extension CommandFailure {
  /// The same with the place of a row before it.
  fileprivate func at(_ given: InputWrite) -> CommandFailure {
    var failure = self
    failure.message = "\(given): \(failure.message)"
    return failure
  }
}
