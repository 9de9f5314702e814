import BackendClient
import BackendKit

/// Sends the writes of a transfer. Knows no session, so that several can be sent at once.
struct TransferSender: Sendable {
  /// What became of a step.
  struct Sent: Sendable {
    let receipt: WriteReceipt
    /// The record as it is stored, where that could be told.
    let stored: Object?
  }

  let sender: WriteSender
  let client: Client
  let path: ResourcePath
  /// Where creations are written down; nil where nothing could go on from them.
  let resume: ResumeFile?
  /// Whether the service knows a creation that is sent again by a key.
  let hasCreationKeys: Bool
  /// Whether a record is read that the server did not show.
  let readsBack: Bool
  /// The fields by which records are matched.
  let key: [String]
  /// Whether the target's list, which was just read to match records, has none of the identifiers of new records.
  let isListed: Bool
  /// Compares a record with what was read of it for the plan; nil if no record is read again before it is written.
  let recheck: Recheck?

  /// Sends one.
  func send(_ item: TransferItem) async throws -> Sent {
    let receipt = try await write(item)
    return Sent(receipt: receipt, stored: await stored(item, receipt))
  }

  private func write(_ item: TransferItem) async throws(BackendError) -> WriteReceipt {
    try await recheck?.check(item, client)
    guard isListed, item.step.verb == .create else { return try await written(item) }
    let result = await ListedAbsence.$isProved.withValue(true) { () async -> Result<WriteReceipt, BackendError> in
      do throws(BackendError) { return .success(try await written(item)) } catch { return .failure(error) }
    }
    return try result.get()
  }

  private func written(_ item: TransferItem) async throws(BackendError) -> WriteReceipt {
    guard let resume, item.step.verb == .create else {
      return try await sender.send(item.write, knowing: item.before)
    }
    let mark = ResumeFile.mark(of: item.step, isKeyed: hasCreationKeys)
    let row = resume.sending(mark)
    let key = hasCreationKeys ? resume.key(of: mark) : nil
    let result = await CreationKey.$current.withValue(key) { () async -> Result<WriteReceipt, BackendError> in
      do throws(BackendError) {
        let receipt = try await sender.send(item.write, knowing: item.before) { number throws(BackendError) in
          try row.leave(number)
        }
        return .success(receipt)
      } catch {
        return .failure(error)
      }
    }
    row.end(result)
    return try result.get()
  }

  private func stored(_ item: TransferItem, _ receipt: WriteReceipt) async -> Object? {
    if let record = receipt.record, record.isWhole, shows(record.fields, item.step) { return record.fields }
    guard readsBack, item.step.verb != .delete, receipt.isKept, let id = receipt.id ?? item.write.id else {
      return nil
    }
    return try? await client.get(id, from: path).fields
  }

  /// Whether a response shows something that was sent, and the key of a new record. `{"id": 1}` is no record without a key.
  private func shows(_ fields: Object, _ step: TransferStore.Step) -> Bool {
    let names = step.fields.names
    guard step.verb != .create || key.allSatisfy({ fields[$0] != nil }) else { return false }
    return names.isEmpty || names.contains { fields[$0] != nil }
  }
}
