import BackendClient
import BackendKit
import ConsoleSetup
import ConsoleSystem
import Files
import Synchronization

/// The reasons to draw no conclusions from a list, as clauses.
private struct ListDoubt {
  /// From anything in it.
  var whole: String?
  /// From the absence of a record.
  var absence: String?
  /// True if records may have moved between its pages.
  var mayHaveShifted = false
}

private struct Maker {
  let entry: Int64
  let sent: JournalImage
}

/// The creations that made the records found, by identifier.
private struct Makers {
  var known: [String: Maker] = [:]
  /// The last creation that got the identifier of an earlier one; 0 if there is none. The service then reuses
  /// identifiers, so that the record of an earlier creation may be gone, and its identifier belong to another record.
  var reuse: Int64 = 0
}

/// Verdicts on creations with unknown outcomes, by the records that exist.
struct CreationVerdicts: CommandPart {
  let context: CommandContext

  /// Determines whether creations with unknown outcomes were done, with one verdict each. This is the one way to settle
  /// them, for `journal check` and transfers. Reads the list of the resource once, or twice if it may have shifted and
  /// lacks a record.
  ///
  /// `known` are identifiers of records known to be made by other creations, as in a resume file. A list without a
  /// proven end only proves what is in it, unless `trustsEnd`.
  func verdicts(
    on creations: [UnknownCreation], in target: Target, known: Set<String> = [], maximumScan: Int,
    trustsEnd: Bool = false
  ) async throws -> [JournalVerdict] {
    guard !creations.isEmpty else { return [] }
    let resource = try await target.client.resource(target.path)
    let place = Ledgers(context).journalPlace(of: target.backend.configuration)
    // Any other unknown creation of the resource may have made one of the records.
    let asked = Set(creations.compactMap(\.entry))
    let others = try unknownCreations(at: place, target).filter { !asked.contains($0.entry ?? 0) }
    let all = creations + others
    let search = CreationSearch(all, resource)
    func judge(_ doubt: ListDoubt) throws -> [JournalVerdict] {
      // Other consoles may have begun a creation since, or settled one of these, which is then not another maker of its
      // record.
      let entries = Set(all.compactMap(\.entry))
      search.add(late: try unknownCreations(at: place, target).filter { !entries.contains($0.entry ?? 0) })
      let makers = try makers(of: search, at: place, target, except: entries)
      var verdicts = [JournalVerdict](repeating: .undecided("not looked for"), count: all.count)
      for (group, members) in zip(search.groups, search.members) {
        let oldest = members.sorted { (all[$0].entry ?? .max, $0) < (all[$1].entry ?? .max, $1) }
        for (place, verdict) in zip(oldest, Self.verdicts(on: group, doubt, known: known, makers)) {
          verdicts[place] = verdict
        }
      }
      return Array(verdicts.prefix(creations.count))
    }
    func read(_ filters: [Filter] = []) async throws -> ListDoubt {
      try await list(search, filters, target, resource, maximumScan: maximumScan, trustsEnd: trustsEnd)
    }
    // A single creation is found by its values if the service stores them unchanged.
    let filters = search.filters
    if !filters.isEmpty {
      let found = try judge(try await read(filters))
      if found.allSatisfy({ $0.kind == .done }) { return found }
      search.restart()
    }
    let doubt = try await read()
    let found = try judge(doubt)
    guard doubt.mayHaveShifted, found.contains(where: { $0.kind == .notDone }) else { return found }
    search.goOn()
    return try judge(try await read())
  }

  private func unknownCreations(at place: JournalPlace, _ target: Target) throws -> [UnknownCreation] {
    // Dismissed creations may have made a record nevertheless.
    try JournalEntries(context).unknown(dismissed: true).compactMap { entry in
      guard entry.verb == "create", entry.place.isSameService(as: place), let sent = entry.sent,
        entry.resource == target.path.description
      else { return nil }
      // The records of an embedded demo end with its run.
      if place.origin.hasPrefix(BackendAddress.demo), entry.run != run.console.journal?.run { return nil }
      return UnknownCreation(sent: sent, entry: entry.number, isBeingSent: entry.isBeingSent)
    }
  }

  // MARK: Looking

  private func list(
    _ search: CreationSearch, _ filters: [Filter], _ target: Target, _ resource: ResourceDescription, maximumScan: Int,
    trustsEnd: Bool
  ) async throws(BackendError) -> ListDoubt {
    let partial = Mutex<[RecordID]>([])
    var request = ListRequest(ListQuery(target.path, filters: filters), maximumScan: maximumScan)
    request.trustsEnd = trustsEnd
    let summary = try await target.client.list(
      request,
      to: RecordSink { records throws(BackendError) in
        if Interruption.isDue { throw BackendError(.cancelled, "the list was interrupted", effect: .rejected) }
        let left = search.take(records)
        partial.withLock { $0 += left }
        return .more
      })
    // Lists of some services omit fields.
    for id in partial.withLock(\.self) {
      if let record = try await target.existing(id) { _ = search.take([record], isSingle: true) }
    }
    var doubt = ListDoubt(whole: (summary.shortfall ?? summary.unreadableFailure)?.sentence)
    if case .surplus? = summary.doubt { doubt.absence = summary.absenceDoubt }
    if !trustsEnd || summary.omitsRecords { doubt.absence = summary.absenceDoubt }
    if summary.repeated > 0 { doubt.absence = "it changed while it was being read" }
    doubt.mayHaveShifted = summary.mayHaveShifted(resource.capabilities)
    return doubt
  }

  /// Returns the other creations that made the records found, and counts completed ones whose records are unknown.
  private func makers(
    of search: CreationSearch, at place: JournalPlace, _ target: Target, except own: Set<Int64>
  ) throws -> Makers {
    // The journal has identifiers without secrets.
    var ids: [String: String] = [:]
    for case let id? in search.groups.map({ $0.found }).joined() { ids[reporter.blanking.text(id.text)] = id.text }
    let resource = target.path.description
    let isOwn = !place.origin.hasPrefix(BackendAddress.demo)
    var (makers, made) = (Makers(), Set<String>())
    var last: Int64 = 0
    while true {
      let entries =
        try JournalEntries(context).reading { [last] database throws(FileFailure) in
          try database.ends(
            of: resource, at: place, run: isOwn ? nil : run.console.journal?.run, after: last, limit: 1_000)
        } ?? []
      for entry in entries where !own.contains(entry.number) {
        let id = entry.id.map { ids[$0] }
        switch (entry.verb, id) {
        case ("create", let id??):
          let sent = entry.sent.flatMap { JournalImage(text: $0) } ?? JournalImage()
          makers.known[id] = Maker(entry: entry.number, sent: sent)
        case ("create", nil): if let sent = entry.sent.flatMap({ JournalImage(text: $0) }) { search.countDone(sent) }
        case ("delete", let id??): makers.known[id] = nil
        case ("delete all", _): makers.known = [:]
        default: break
        }
        switch (entry.verb, entry.id) {
        case ("create", let id?): if !made.insert(id).inserted { makers.reuse = entry.number }
        case ("delete", let id?): made.remove(id)
        case ("delete all", _): made = []
        default: break
        }
      }
      guard let end = entries.last, entries.count == 1_000 else { return makers }
      last = end.number
    }
  }

  // MARK: Judging

  /// The verdicts on creations that sent the same values, oldest first. It does not matter which of them made a record:
  /// if there are fewer records than creations, the last ones are credited.
  private static func verdicts(
    on group: CreationSearch.Group, _ doubt: ListDoubt, known: Set<String>, _ makers: Makers
  ) -> [JournalVerdict] {
    func every(_ verdict: JournalVerdict) -> [JournalVerdict] { Array(repeating: verdict, count: group.count) }
    guard group.isSearchable else { return every(.undecided("none of the sent values can be searched for")) }
    if group.isBeingSent { return every(.undecided("another console is sending the same values")) }
    if let reason = doubt.whole { return every(.undecided(reason)) }
    if group.isFull {
      return every(.undecided("more than \(group.found.count) records have the values that were sent"))
    }
    // Those of no known creation, and those that belonged to one with other values, or to one before identifiers were
    // reused.
    var (free, strange) = ([RecordID?](), [RecordID?]())
    for id in group.found {
      if let id, known.contains(id.text.lineField) { continue }
      guard let maker = id.flatMap({ makers.known[$0.text] }) else {
        free.append(id)
        continue
      }
      let isOther = maker.sent != group.sent && !group.isPart(of: maker.sent)
      if isOther || maker.entry < makers.reuse { strange.append(id) }
    }
    let made = free.count - group.doneWithoutID
    guard (0...group.count).contains(made), strange.isEmpty, !group.isShared || made == 0 else {
      return every(.undecided(reason(of: group, free, strange)))
    }
    if made < group.count {
      if !group.similar.isEmpty {
        let ids = group.similar.prefix(10).compactMap { $0?.text }.joined(separator: ", ")
        return every(.undecided("records with similar values exist: \(ids)"))
      }
      if let reason = doubt.absence {
        let found = free.isEmpty ? "no record has the values that were sent" : Self.reason(of: group, free, strange)
        return every(.undecided("\(found), but \(reason)"))
      }
    }
    let isOnly = made == 1 && group.doneWithoutID == 0
    let done = JournalVerdict(
      kind: .done,
      reason: isOnly
        ? "one record has the values that were sent\(free[0].map { ": \($0)" } ?? "")\(Self.caution)"
        : "\(free.count) records have the values that were sent\(Self.caution)", id: isOnly ? free[0] : nil)
    let notDone = JournalVerdict(
      kind: .notDone, reason: "no \(free.isEmpty ? "" : "other ")record has the values that were sent")
    return Array(repeating: notDone, count: group.count - made) + Array(repeating: done, count: made)
  }

  /// The list does not show which records were there before.
  private static let caution = "; an older record would look the same"

  private static func reason(
    of group: CreationSearch.Group, _ free: [RecordID?], _ strange: [RecordID?]
  ) -> String {
    func named(_ ids: [RecordID?]) -> String {
      let names = ids.prefix(10).compactMap { $0?.text }.joined(separator: ", ")
      return names.isEmpty ? "" : ": \(names)"
    }
    if group.isShared { return "a record may come from this create or from another\(named(group.found))" }
    let times = group.count + group.doneWithoutID
    let all = free + strange
    return counted(all.count, "record has", "records have") + " the values that were sent\(named(all))"
      + (times > 1 ? "; they were sent \(times) times" : "")
      + (strange.isEmpty
        ? "" : "; \(strange.count == all.count ? "" : "\(strange.count) of them ")may come from another create")
  }
}
