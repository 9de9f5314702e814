import BackendClient
import BackendKit
import Synchronization

/// The preview of a script: its commands run, its writes are planned instead of sent, and reads see them.
///
/// It ends where only a run could go on, and says why.
final class ScriptPreview: Previewing {
  /// A write in the place where it would be sent.
  struct PlannedWrite: Sendable {
    let backend: String
    let write: Write
    /// The record that it changes, as far as known.
    let before: JournalImage?
    /// The name of the identifier that the new record will get; nil of one that is known.
    let new: String?
    /// The place of its line or row, if it has one.
    let place: String?
  }

  private struct State {
    var writes: [PlannedWrite] = []
    var names = 0
    var end: BackendError?
    var assumption: Value?
    /// The files that commands would have written.
    var files: Set<String> = []
  }

  private let state = Mutex(State())

  /// The reason why it ended early; nil if it did not.
  var end: BackendError? { state.withLock(\.end) }

  /// The planned writes so far, in order.
  var writes: [PlannedWrite] { state.withLock(\.writes) }

  /// The maximum number of planned writes: they are in memory until the end.
  private let most: Int

  init(most: Int = .max) { self.most = most }

  func add(_ write: PlannedWrite) throws(BackendError) {
    let count = state.withLock { state in
      state.writes.append(write)
      return state.writes.count
    }
    if count > most { throw stop("a plan may have \(most) writes here") }
  }

  /// Returns whether a text stands for the identifier of a record that is planned here.
  func isPlanned(_ text: String) -> Bool {
    guard text.hasPrefix(Self.prefix), let number = Int(text.dropFirst(Self.prefix.count)) else { return false }
    return text == "\(Self.prefix)\(number)" && number > 0 && number <= state.withLock(\.names)
  }

  private static let prefix = "new:"

  /// The planned writes of one backend, none so far.
  func makeRecords() -> PlannedRecords {
    PlannedRecords(of: self) {
      self.state.withLock { state in
        state.names += 1
        return "\(Self.prefix)\(state.names)"
      }
    }
  }

  /// Ends the preview; returns the error of the command. The first reason counts.
  func stop(_ reason: String) -> BackendError {
    let error = BackendError(
      .unsupported, "the preview ends here: \(reason)", effect: .notSent, hint: "what follows was not looked at")
    return state.withLock { state in
      if state.end == nil { state.end = error }
      return error
    }
  }

  /// Keeps the value that the next statement returns instead of being run.
  func assume(_ value: Value) { state.withLock { $0.assumption = value } }

  func takeAssumption() -> Value? {
    state.withLock { state in
      defer { state.assumption = nil }
      return state.assumption
    }
  }

  /// Notes that a command would have written a file.
  func noteWritten(_ path: String) { state.withLock { _ = $0.files.insert(path) } }

  func wouldHaveWritten(_ path: String) -> Bool { state.withLock { $0.files.contains(path) } }
}
