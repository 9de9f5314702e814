import BackendConformance
import BackendKit
import Synchronization

/// Faults when calls are cancelled or made at the same time.
extension Fault {
  static let tasks: [Fault] = cancelling + concurrent

  private static let cancelling: [Fault] = [
    Fault("ends a cancelled list as if it were over", "cancelled list") { broken in
      broken.failing = { error, operation in operation != "list" || error.code != .cancelled }
    },
    changing("takes a cancelled reading for a server that is away", "cancelled get", "get") {
      if $0.code == .cancelled { $0.code = .unavailable }
    },
    changing("says that a cancelled creation was not made", "cancelled create", "create") {
      if $0.code == .cancelled { $0.effect = .rejected }
    },
    Fault("does not heed the cancellation of a change", "cancelled update", hangs: true) { broken in
      broken.over { request, inner throws(BackendError) in
        guard request.effect != .read else { return try await inner.send(request) }
        let task = Task.detached { () -> Result<HTTPResponse, BackendError> in
          do throws(BackendError) { return .success(try await inner.send(request)) } catch { return .failure(error) }
        }
        return try await task.value.get()
      }
    },
    changing("says that a cancelled deletion was made", "cancelled delete", "delete") {
      if $0.code == .cancelled { $0.effect = .applied }
    },
    changing("takes a cancelled answer for a broken one", "cancelled during the response", "get") {
      if $0.code == .cancelled { $0.code = .badResponse }
    },
    Fault("says that the write of a cancelled task was made", "cancelled before the call") { broken in
      broken.failing = { error, operation in operation != "create" || error.code != .cancelled }
    },
    Fault("stays cancelled for good", "calls after a cancellation") { broken in
      let wasCancelled = Mutex(false)
      broken.over { request, inner throws(BackendError) in
        if wasCancelled.withLock({ $0 }) { throw BackendError(.cancelled, "the call was cancelled", effect: .rejected) }
        do throws(BackendError) { return try await inner.send(request) } catch {
          if error.code == .cancelled { wasCancelled.withLock { $0 = true } }
          throw error
        }
      }
    },
    Fault("reads a page ahead", "enough stops requests") { broken in
      broken.after = { [exchange = broken.exchange] operation throws(BackendError) in
        guard operation == "list" else { return }
        _ = try await exchange.send(HTTPRequest("GET", try RequestPath("notes"), effect: .read))
      }
    },
  ]

  private static let concurrent: [Fault] = [
    Fault("sends the fields of the creation before", "ten concurrent creates") { broken in
      let last = Mutex<Object?>(nil)
      broken.creating = { fields in
        fields = last.withLock { [fields] last in
          defer { last = fields }
          return last ?? fields
        }
      }
    },
    Fault("sends the changes of the update before", "ten concurrent updates") { broken in
      let last = Mutex<[Change]?>(nil)
      broken.updating = { _, changes, _ in
        changes = last.withLock { [changes] last in
          defer { last = changes }
          return last ?? changes
        }
      }
    },
    Fault("sends whole records although it says that it sends changes", "no lost updates") { broken in
      var reference = Reference.paged
      reference.resource.description.capabilities.update = .replace
      broken.inner = ReferenceBackend([reference.resource], exchange: broken.exchange)
      broken.description = { description, _ in description.resources[0].capabilities.update = .partial }
    },
    Fault("mixes up readings at the same time", "concurrent reads") { broken in
      let under = Crowd(after: 5, of: 10)
      broken.before = { operation in if operation == "get" { await under.enter() } }
      broken.got = { record, _ in
        if let other = under.leave(with: [record]).first { record = other }
      }
    },
    Fault("leaks records between lists at the same time", "concurrent lists") { broken in
      let under = Crowd(after: 7, of: 10)
      broken.before = { operation in if operation == "list" { await under.enter() } }
      broken.page = { page, _, _ in
        let others = under.leave(with: page.records)
        if let other = others.last, !page.records.contains(other) { page.records.append(other) }
      }
    },
    Fault("answers a record that is being deleted with nonsense", "delete during read") { broken in
      // The first reading is made alone; those after it wait for the deletion.
      let (deleted, deletion) = AsyncStream<Void>.makeStream()
      let readings = Counter()
      broken.before = { operation in if operation == "get", readings.next() > 1 { for await _ in deleted {} } }
      broken.receipt = { _, operation in if operation == "delete" { deletion.finish() } }
      broken.failing = { error, operation in
        if operation == "get", error.code == .notFound { error.code = .badResponse }
        return true
      }
    },
    changing("takes a record that is gone for a conflict", "concurrent deletes", "delete") {
      if $0.code == .notFound { $0.code = .conflict }
    },
  ]
}

/// The records that concurrent calls leave for each other.
private final class Crowd: Sendable {
  private struct State {
    var entered = 0
    var count = 0
    var left: [Record] = []
  }

  private let state = Mutex(State())
  private let alone: Int
  private let size: Int
  private let (complete, completing) = AsyncStream<Void>.makeStream()

  /// So many calls that are made one after the other come first.
  init(after alone: Int, of size: Int) {
    self.alone = alone
    self.size = size
  }

  /// Waits for all the others, unless it is made alone.
  func enter() async {
    let entered = state.withLock { state in
      state.count += 1
      state.entered += 1
      return state.entered
    }
    if entered == alone + size { completing.finish() }
    if entered > alone { for await _ in complete {} }
  }

  /// Leaves these records, and returns the ones that another call left if several calls are under way.
  func leave(with records: [Record]) -> [Record] {
    state.withLock { state in
      defer { state.left = records }
      state.count -= 1
      return state.count > 0 ? state.left : []
    }
  }
}
