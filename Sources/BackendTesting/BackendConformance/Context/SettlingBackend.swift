import BackendKit

/// Waits after each write until reads and lists show it, or for ten seconds, if the service shows writes with a delay.
struct SettlingBackend: ForwardingBackend {
  let inner: any Backend
  let path: ResourcePath
  let capabilities: Capabilities

  /// The maximum wait for a write, after which the law finds it missing.
  private static let limit = Duration.seconds(10)

  func create(_ fields: Object, in resource: ResourcePath) async throws(BackendError) -> WriteReceipt {
    let receipt = try await inner.create(fields, in: resource)
    if resource == path, receipt.writes != .echoed, let id = receipt.id { await settle(id) { $0 != nil } }
    return receipt
  }

  func update(
    _ id: RecordID, in resource: ResourcePath, changes: [Change], revision: String?
  ) async throws(BackendError) -> WriteReceipt {
    let receipt = try await inner.update(id, in: resource, changes: changes, revision: revision)
    guard resource == path, receipt.writes != .echoed else { return receipt }
    let unlisted = Set(capabilities.unlistedFields)
    var wanted = Object()
    for change in changes {
      if case .set(let name, let value) = change { wanted[name] = value } else { wanted[change.field] = .null }
    }
    await settle(id) { [wanted] record in
      guard let record else { return false }
      return wanted.members.allSatisfy { name, value in
        if !record.isWhole, unlisted.contains(name) { return true }
        let found = record.fields[name] ?? .null
        return value == .null && ValueSimilarity.isWithoutValue(found) || found.isSame(as: value)
          || receipt.record?.fields[name]?.isSame(as: found) == true
      }
    }
    return receipt
  }

  func delete(
    _ deletion: Deletion, from resource: ResourcePath, revision: String?
  ) async throws(BackendError) -> WriteReceipt {
    let receipt = try await inner.delete(deletion, from: resource, revision: revision)
    guard resource == path, receipt.writes != .echoed, !capabilities.keepsDeleted else { return receipt }
    switch deletion {
    case .one(let id): await settle(id) { $0 == nil }
    case .all: await wait { await isEmpty() }
    }
    return receipt
  }

  // MARK: Waiting

  /// Waits until reads and lists show the expected state of a record.
  private func settle(_ id: RecordID, _ isWanted: @escaping @Sendable (Record?) -> Bool) async {
    if capabilities.operations.contains(.get) {
      await wait {
        do throws(BackendError) { return isWanted(try await inner.get(id, from: path)) } catch {
          // Other errors are left to the law.
          return error.code != .notFound || isWanted(nil)
        }
      }
    }
    guard capabilities.operations.contains(.list), !capabilities.omitsRecords else { return }
    await wait { await listShows(id, isWanted) }
  }

  private func wait(until condition: () async -> Bool) async {
    let end = ContinuousClock.now + Self.limit
    var pause = Duration.milliseconds(5)
    while await !condition(), ContinuousClock.now < end, !Task.isCancelled {
      try? await Task.sleep(for: pause)
      pause = min(pause * 2, .seconds(1))
    }
  }

  /// Returns whether the list shows the expected state; true for lists that cannot be read or are too long.
  private func listShows(_ id: RecordID, _ isWanted: @Sendable (Record?) -> Bool) async -> Bool {
    var (record, count): (Record?, Int) = (nil, 0)
    do throws(BackendError) {
      try await inner.eachPage(of: ListQuery(path)) { page in
        record = page.records.first { $0.id == id }
        count += page.records.count
        return record != nil || count > LawContext.walkedRecords
      }
    } catch { return true }
    return count > LawContext.walkedRecords || isWanted(record)
  }

  private func isEmpty() async -> Bool {
    (try? await inner.page(ListQuery(path), enough: 1).records.isEmpty) ?? true
  }
}

extension ResourceDescription {
  /// Prepares an adapter for judging: waits for its writes if the service shows them with a delay.
  func judged(_ backend: any Backend, at path: ResourcePath) -> JudgedBackend {
    guard capabilities.showsWritesLater else { return JudgedBackend(inner: backend, path: path) }
    return JudgedBackend(inner: SettlingBackend(inner: backend, path: path, capabilities: capabilities), path: path)
  }
}
