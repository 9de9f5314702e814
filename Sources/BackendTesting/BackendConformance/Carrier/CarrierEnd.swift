public import BackendKit

/// The far end of a carrier: takes calls as text, makes them, and answers as text.
public struct CarrierEnd: Sendable {
  private let backend: any Backend

  /// The end at which this backend is called.
  public init(_ backend: any Backend) { self.backend = backend }

  /// Answers one call.
  ///
  /// The batches of a list go to `deliver`, one text each, which returns the reply of the sink, before the answer is
  /// returned. A text that is no call is answered by the error `invalid`.
  public func answer(_ text: String, deliver: @escaping @Sendable (String) async -> String) async -> String {
    let call: BackendCall
    do { call = try CarriedText.read(text) } catch {
      return CarriedText.write(BackendReply.error(.invalid(error.message)))
    }
    do { return CarriedText.write(try await reply(to: call, deliver)) } catch {
      return CarriedText.write(BackendReply.error(error))
    }
  }

  private func reply(
    to call: BackendCall, _ deliver: @escaping @Sendable (String) async -> String
  ) async throws(BackendError) -> BackendReply {
    switch call {
    case .describe(let depth): return .description(try await backend.describe(depth))
    case .plan(let query): return .plan(try await backend.plan(query))
    case .list(let query, let cursor):
      let sink = RecordSink { records throws(BackendError) in
        let reply: BackendReply = try CarriedText.read(await deliver(CarriedText.write(BackendReply.batch(records))))
        switch reply {
        case .taken(let answer): return answer
        case .error(let error): throw error
        default: throw .uncarried(reply.carried, "answer to a batch")
        }
      }
      return .end(try await backend.list(query, at: cursor, to: sink))
    case .get(let id, let resource): return .record(try await backend.get(id, from: resource))
    case .create(let fields, let resource): return .receipt(try await backend.create(fields, in: resource))
    case .update(let id, let resource, let changes, let revision):
      return .receipt(try await backend.update(id, in: resource, changes: changes, revision: revision))
    case .delete(let deletion, let resource, let revision):
      return .receipt(try await backend.delete(deletion, from: resource, revision: revision))
    case .act(let action, let id, let resource, let fields):
      return .receipt(try await backend.act(action, on: id, in: resource, with: fields))
    }
  }
}
