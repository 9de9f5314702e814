import BackendClient
import BackendKit
import ConsoleSystem

/// The one place that decides whether a list is complete.
extension ListSummary {
  /// The failure if records are missing, or may be; nil if the list appears complete.
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
        hint: advice.map { "\($0), or accept this list as complete with --trust-end" } ?? Self.endHint)
    case .surplus?, nil: break
    }
    guard isCut else { return nil }
    return CommandFailure(
      .partial, "scan limit reached after \(recordsRead)\(doneLocally.isEmpty ? "" : " (\(work))")",
      hint: "--max-scan reads more")
  }

  /// The failure if elements of the list cannot be read as records.
  var unreadableFailure: CommandFailure? {
    guard let first = unreadable.first else { return nil }
    let places = unreadable.map { "record \($0.place)" }.joined(separator: ", ")
    let rest = unreadableCount - unreadable.count
    return CommandFailure(
      .partial,
      "the list is incomplete: \(places)\(rest > 0 ? " and \(rest) more" : "") cannot be read: \(first.reason)")
  }

  /// Throws if elements were skipped since they are not records, with place and reason.
  func checkReadable() throws(CommandFailure) {
    if let failure = unreadableFailure { throw failure }
  }

  /// The reason why a record absent from the list may exist, as a clause; nil if there is none.
  var absenceDoubt: String? { endDoubt ?? (omitsRecords ? Self.omission : nil) }

  /// The reason why the list may be incomplete, as a clause; nil if it is proved to be complete.
  var endDoubt: String? {
    if let failure = shortfall ?? unreadableFailure { return failure.sentence }
    if case .surplus? = doubt { return "the records do not agree with the total that the server reported" }
    return end == .proved ? nil : "the end of the list is not verified"
  }

  static let omission = "the service has records that the list does not show"

  /// The note below a first page that may or may not be the whole list.
  var mayGoOn: String {
    advised(
      "more records may exist: the console does not know how to request a second page, so the list may be incomplete")
  }

  /// The note on a list whose end is only likely.
  fileprivate var looksWhole: String {
    advised("the list seems complete, but that is not verified: nothing in its description or responses proves its end")
  }

  /// The note on work that the service may be able to do; nil if it has shown what it can do.
  fileprivate var mayBeSent: String? {
    let isWork = !Set(["filtered", "searched", "sorted"]).isDisjoint(with: doneLocally)
    return isWork ? outlined.map(Self.mayBeSent) : nil
  }

  static func mayBeSent(to place: String) -> String {
    "only a document says what the service can do: \(advice(on: place))"
  }

  /// The advice on a list that only a document describes; nil for others.
  private var advice: String? { outlined.map(Self.advice) }

  private static func advice(on place: String) -> String { "examine it with backends check \(place) --update" }

  private func advised(_ note: String) -> String { advice.map { "\(note); \($0)" } ?? note }

  /// The hint for a list whose end is not verified.
  static let endHint =
    "declare page: in the description (style: none if the service sends whole lists), or accept this list as complete with --trust-end"

  fileprivate var recordsRead: String {
    counted(scanned, "record") + " read"
  }
}

/// Reports whether a list is complete, and what the console did for it.
struct Completeness: CommandPart {
  let context: CommandContext

  /// Reports on a list, and throws if it is incomplete or has elements that are not records.
  func check(_ summary: ListSummary) throws(CommandFailure) {
    try report(summary)
    try summary.checkReadable()
  }

  /// The failure of a list that a command needed, as the failure of that command, with what was not done.
  func failure(ofList error: any Error, for verb: String?, _ nothing: String) -> CommandFailure {
    guard var error = error as? BackendError, error.operation == "list" else { return failure(error).and(nothing) }
    error.operation = verb
    return failure(error).and(nothing)
  }

  /// Reports on standard error the console's own part in a list, and doubts about its completeness. Throws if it was
  /// cut short, or may have been, unless it is only a page of the server (`isPage`).
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
    if summary.isSortedInstead {
      warn("the server did not sort as it was asked to, so the list was sorted locally: its order is not exact")
    }
    if !summary.sharedIdentifiers.isEmpty {
      note("\(RepeatedIdentifiers(shared: summary.sharedIdentifiers).words); a command that names one may mean any")
    }
    for record in summary.altered { warn("record \(record.place): \(record.reason), shown as \u{FFFD}") }
    for conflict in summary.conflicts { warn("\(conflict): shown as in single records") }
    if let failure = summary.shortfall { throw failure }
    if case .surplus(let total, let received)? = summary.doubt {
      warn("received \(counted(received, "record")), but the server reported a total of \(total.grouped)")
    }
    if summary.end == .likely, !isPage { note(summary.looksWhole) }
    guard !summary.doneLocally.isEmpty else { return }
    let matched = summary.isNarrowed ? "\(summary.matched.grouped) of " : ""
    tell("\(matched)\(summary.recordsRead)\(summary.isNarrowed ? " matched" : "") (\(summary.work))")
    if let text = summary.mayBeSent { note(text) }
  }
}
