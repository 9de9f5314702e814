import BackendKit

struct JournalEntry: Sendable {
  enum Outcome: String, Sendable, CaseIterable {
    case done
    /// The server refused it, and nothing was changed.
    case failed
    /// It may or may not have been done; also while it is being sent.
    case unknown
    case notSent
  }

  /// The code if the server may have accepted the write for later: that it cannot be seen proves nothing.
  static let accepted = "accepted"

  /// The number in the journal; 0 before there is one.
  var number: Int64 = 0
  /// The time before the write, and the reads for its entry, in milliseconds since 1970.
  var began: Int64
  /// The time at which the outcome became known, or was settled.
  var ended: Int64?
  var run: String
  /// The process in the form of ``JournalProcess``.
  var process = JournalProcess.own
  /// The command as written, without secrets.
  var command: String
  var place: JournalPlace
  var backend: String
  var resource: String
  var id: String?
  /// `create`, `update`, `delete`, `delete all`, `call` or `request`.
  var verb: String
  /// The action of a call, or the method of a request.
  var name: String?
  var sent: JournalImage?
  var before: JournalImage?
  var after: JournalImage?
  var outcome = Outcome.unknown
  /// The code of the failure; `notKept` or `partlyKept` if the server accepted the write and shows nothing of it, or not
  /// all.
  var code: String?
  var message: String?
  var undoes: Int64?
  /// The finding of `journal check`, or the note that an unknown outcome was dismissed.
  var settled: String?

  /// The number of the command among the writing ones of the process; nil in entries of older versions.
  var step: Int64?

  /// The address of the job that performs the write.
  var job: String?

  /// The values that entries of one command share.
  struct CommandKey: Hashable {
    let process: String
    let run: String
    let step: Int64?
    let command: String
  }

  var commandKey: CommandKey { CommandKey(process: process, run: run, step: step, command: command) }

  /// True while a running process is sending it.
  var isBeingSent: Bool { outcome == .unknown && ended == nil && JournalProcess.isRunning(process) }

  /// True if the outcome remains unknown, and the user has dismissed it.
  var isDismissed: Bool { outcome == .unknown && settled != nil }

  var subject: String {
    let target = "\(backend)/\(resource)"
    return id.map { $0.isEmpty ? target : "\(target)/\($0)" } ?? target
  }

  var deed: String {
    switch verb {
    case "delete all": "delete all of \(subject)"
    case "call": "call \(name ?? "") of \(subject)"
    case "request": "\(name ?? "") \(subject)"
    default: "\(verb) \(subject)"
    }
  }
}

/// The destination of a write: the service and the user.
struct JournalPlace: Sendable, Hashable {
  /// Scheme, host and port; for an embedded demo, its name.
  var origin: String
  /// The path of the service, without a slash at the end.
  var prefix: String
  var user: String?

  init(origin: String, prefix: String, user: String?) {
    self.origin = origin
    self.prefix = prefix
    self.user = user
  }

  /// The place of a backend whose address was validated.
  init(url: String, user: String?) {
    self.user = user
    let address = try? WebAddress(url)
    (origin, prefix) = (address?.origin.withPort ?? url, address?.path ?? "")
  }

  func isSameService(as other: JournalPlace) -> Bool { origin == other.origin && prefix == other.prefix }

  var address: String { origin + prefix }
}
