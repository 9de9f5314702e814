import BackendClient
import BackendKit
import ConsoleSystem

/// The one place that decides whether a list is all of its answer.
extension ListSummary {
  /// Why records of the answer are missing, or may be; nil if the list is whole as far as anything shows.
  var shortfall: CommandFailure? {
    switch doubt {
    case .missing(let total, let received)?:
      return CommandFailure(
        .partial, "the list ended after \(received.grouped) of \(total.grouped) records",
        hint: "the server reported the total; list again")
    case .shrank(let total, let fall)?:
      return CommandFailure(
        .partial,
        "the total fell from \(total.grouped) to \((total - fall).grouped) while the pages were read, so up to \(counted(fall, "record")) may be missing",
        hint: "list again")
    case .untestedEnd(let received)?:
      return CommandFailure(
        .partial,
        "the end of the list is not verified: the service sent \(counted(received, "record")), and there may be more pages",
        hint: Self.endHint)
    case .surplus?, nil: break
    }
    guard isCut else { return nil }
    let work = doneLocally.isEmpty ? "" : " (\(doneLocally.joined(separator: " and ")) locally)"
    return CommandFailure(.partial, "scan limit reached after \(recordsRead)\(work)", hint: "--max-scan reads more")
  }

  /// Why elements of the list are not among its records: they cannot be read as such.
  var unreadableFailure: CommandFailure? {
    guard let first = unreadable.first else { return nil }
    let places = unreadable.map { "record \($0.place)" }.joined(separator: ", ")
    let rest = unreadableCount - unreadable.count
    return CommandFailure(
      .partial,
      "the list is incomplete: \(places)\(rest > 0 ? " and \(rest) more" : "") cannot be read: \(first.reason)")
  }

  /// Throws where elements of the list were passed over since they are no records, with where they stand and why.
  func checkReadable() throws(CommandFailure) {
    if let failure = unreadableFailure { throw failure }
  }

  /// Why nothing follows from the absence of a record in the list, as a clause; nil if the list is proved to be whole.
  var absenceDoubt: String? { endDoubt ?? (omitsRecords ? Self.omission : nil) }

  /// Why the list may not be all that the service shows in it, as a clause; nil if it is proved to be.
  var endDoubt: String? {
    if let failure = shortfall ?? unreadableFailure { return failure.sentence }
    if case .surplus? = doubt { return "the records do not agree with the total that the server reported" }
    return end == .proved ? nil : "the end of the list is not verified"
  }

  /// Why a record that a list does not show may be there all the same.
  static let omission = "the service has records that the list does not show"

  /// Said below a first page that may be all there is, or not.
  static let mayGoOn =
    "more records may exist: the console does not know how to request a second page, so the list may be incomplete"

  /// Said of a list whose end is only likely.
  static let looksWhole =
    "the list seems complete, but that is not verified: nothing in its description or responses proves its end"

  /// Ways out if the end of a list is not verified.
  static let endHint =
    "declare page: in the description (style: none if the service sends whole lists), or accept this list as complete with --trust-end"

  fileprivate var recordsRead: String {
    counted(scanned, "record") + " read"
  }
}

/// Tells whether a list is all of its answer, and what the console did for that.
struct Completeness: CommandPart {
  let context: CommandContext

  /// Throws where a list is not whole, or has elements that are no records, after a report of what it took.
  func check(_ summary: ListSummary) throws(CommandFailure) {
    try report(summary)
    try summary.checkReadable()
  }

  /// The failure of a list that a command has read on its way: that of the command, with what was not done.
  func failure(ofList error: any Error, for verb: String?, _ nothing: String) -> CommandFailure {
    guard var error = error as? BackendError, error.operation == "list" else { return failure(error).and(nothing) }
    error.operation = verb
    return failure(error).and(nothing)
  }

  /// Says on standard error what the console did itself, and what speaks against the list being whole; throws where it was cut short
  /// or may be. Nothing has to be whole for a page of records as the server sends them: `isPage`.
  func report(_ summary: ListSummary, isPage: Bool = false) throws(CommandFailure) {
    if summary.repeated > 0 {
      warn(
        "\(counted(summary.repeated, "record")) appeared on two pages and \(summary.repeated == 1 ? "was" : "were") used once: the list changed while it was being read"
      )
    }
    if summary.refuting > 0 {
      warn(
        "\(counted(summary.refuting, "record")) that the server sent \(summary.refuting == 1 ? "does" : "do") not meet the conditions and \(summary.refuting == 1 ? "was" : "were") left out: its filter is not exact"
      )
    }
    for conflict in summary.conflicts { warn("\(conflict): shown as in single records") }
    if let failure = summary.shortfall { throw failure }
    if case .surplus(let total, let received)? = summary.doubt {
      warn("received \(counted(received, "record")), but the server reported a total of \(total.grouped)")
    }
    if summary.end == .likely, !isPage { note(ListSummary.looksWhole) }
    guard !summary.doneLocally.isEmpty else { return }
    let work = "(\(summary.doneLocally.joined(separator: " and ")) locally)"
    let isNarrowed = !Set(["filtered", "searched"]).isDisjoint(with: summary.doneLocally)
    tell(
      (isNarrowed ? "\(summary.matched.grouped) of \(summary.recordsRead) matched " : "\(summary.recordsRead) ")
        + work)
  }
}
