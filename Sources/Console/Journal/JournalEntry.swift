import BackendKit

/// A write as the journal keeps it.
struct JournalEntry: Sendable {
  /// The outcome of a write.
  enum Outcome: String, Sendable, CaseIterable {
    case done
    /// The server refused it: nothing was changed.
    case failed
    /// It may have been done or not. Also of one that is being sent.
    case unknown
    /// It never left.
    case notSent
  }

  /// The code of a write that the server accepted to carry out later, perhaps: that it cannot be seen proves nothing.
  static let accepted = "accepted"

  /// The number in the journal; 0 before it has one.
  var number: Int64 = 0
  /// The time before it was sent, and before what is read for its entry, in milliseconds since 1970.
  var began: Int64
  /// The time at which its outcome was known; of an entry that was settled later, the time of that.
  var ended: Int64?
  /// The run of the console.
  var run: String
  /// The process, as ``JournalProcess`` names it.
  var process = JournalProcess.own
  /// The command as it stands in its source, without secrets.
  var command: String
  var place: JournalPlace
  var backend: String
  var resource: String
  var id: String?
  /// `create`, `update`, `delete`, `delete all`, `call` or `request`.
  var verb: String
  /// The action of a call, the method of a request.
  var name: String?
  var sent: JournalImage?
  var before: JournalImage?
  var after: JournalImage?
  var outcome = Outcome.unknown
  /// The code of the failure; `notKept` or `partlyKept` if the server accepted the write and shows nothing of it, or not
  /// all.
  var code: String?
  /// The sentence.
  var message: String?
  /// The entry that it undoes.
  var undoes: Int64?
  /// The finding of `journal check`, or a note that an unknown outcome was dismissed.
  var settled: String?

  /// The number of the command among those of the process that wrote; nil in entries of older versions.
  var step: Int64?

  /// The address at which the service tells how far the write is that it does later.
  var job: String?

  /// The values that the entries of one command have in common.
  struct CommandKey: Hashable {
    let process: String
    let run: String
    let step: Int64?
    let command: String
  }

  var commandKey: CommandKey { CommandKey(process: process, run: run, step: step, command: command) }

  /// True if a process that is still running is sending it.
  var isBeingSent: Bool { outcome == .unknown && ended == nil && JournalProcess.isRunning(process) }

  /// True if its outcome remains unknown: the operator does not want to be reminded of it.
  var isDismissed: Bool { outcome == .unknown && settled != nil }

  /// The record, as people name it.
  var subject: String {
    let target = "\(backend)/\(resource)"
    return id.map { $0.isEmpty ? target : "\(target)/\($0)" } ?? target
  }

  /// A short description of the write and its object.
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
  /// Scheme, host and port; of an embedded demo its name.
  var origin: String
  /// The path below which the service is, without a slash at its end.
  var prefix: String
  /// The user, where one is known.
  var user: String?

  init(origin: String, prefix: String, user: String?) {
    self.origin = origin
    self.prefix = prefix
    self.user = user
  }

  /// The place of a backend with an address that was checked.
  init(url: String, user: String?) {
    self.user = user
    let address = try? WebAddress(url)
    (origin, prefix) = (address?.origin.withPort ?? url, address?.path ?? "")
  }

  /// Returns whether both are the same service.
  func isSameService(as other: JournalPlace) -> Bool { origin == other.origin && prefix == other.prefix }

  /// The address as people read it.
  var address: String { origin + prefix }
}
