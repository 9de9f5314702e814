import BackendClient
import BackendKit
import ConsoleSetup
import ConsoleSystem
import Files
import Synchronization

/// Reasons to conclude nothing from a list, as clauses.
private struct ListDoubt {
  /// Nothing at all.
  var whole: String?
  /// Nothing from the absence of a record.
  var absence: String?
}

extension CommandContext {
  /// Finds out whether creations whose outcome is unknown were done, one verdict for each: the one way to settle them, for `journal check`
  /// and for transfers. Reads the list of the resource once.
  ///
  /// `known` are identifiers of records that other creations are known to have made, as a resume file has them. A list whose end is not proved shows only what is
  /// there, unless `trustsEnd`.
  func verdicts(
    on creations: [UnknownCreation], in target: Target, known: Set<String> = [], maximumScan: Int,
    trustsEnd: Bool = false
  ) async throws -> [JournalVerdict] {
    guard !creations.isEmpty else { return [] }
    let resource = try await target.client.resource(target.path)
    let place = journalPlace(of: target.backend.configuration)
    // Every creation of the resource counts: each may have made one of the records.
    let asked = Set(creations.compactMap(\.entry))
    let others = try unknownCreations(at: place, target).filter { !asked.contains($0.entry ?? 0) }
    let all = creations + others
    let search = CreationSearch(all, resource)
    func look(_ filters: [Filter]) async throws -> [JournalVerdict] {
      let doubt = try await list(search, filters, target, maximumScan: maximumScan, trustsEnd: trustsEnd)
      // Other consoles may have begun a creation since, or settled one of these: then that is no other maker of its record.
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
    // A single creation is found by its values, if the service stores them as they were sent.
    let filters = search.filters
    if !filters.isEmpty {
      let found = try await look(filters)
      if found.allSatisfy({ $0.kind == .done }) { return found }
      search.restart()
    }
    return try await look([])
  }

  /// The creations of a resource whose outcome is unknown in the journal.
  private func unknownCreations(at place: JournalPlace, _ target: Target) throws -> [UnknownCreation] {
    // A creation that nobody is reminded of may have made a record all the same.
    let entries = try reading { database throws(FileFailure) in try database.unknown(dismissed: true) } ?? []
    return entries.compactMap { entry in
      guard entry.verb == "create", entry.place.isSameService(as: place), let sent = entry.sent,
        entry.resource == target.path.description
      else { return nil }
      // An embedded demo ends with its run, and its records with it.
      if place.origin.hasPrefix(BackendAddress.demo), entry.run != run.console.journal?.run { return nil }
      return UnknownCreation(sent: sent, entry: entry.number, isBeingSent: entry.isBeingSent)
    }
  }

  // MARK: Looking

  private func list(
    _ search: CreationSearch, _ filters: [Filter], _ target: Target, maximumScan: Int, trustsEnd: Bool
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
    // Lists of some services leave fields out.
    for id in partial.withLock(\.self) {
      if let record = try await target.existing(id) { _ = search.take([record], isSingle: true) }
    }
    var doubt = ListDoubt(whole: (summary.shortfall ?? summary.unreadableFailure)?.sentence)
    if case .surplus? = summary.doubt { doubt.absence = summary.absenceDoubt }
    if !trustsEnd || summary.omitsRecords { doubt.absence = summary.absenceDoubt }
    if summary.repeated > 0 { doubt.absence = "it changed while it was being read" }
    return doubt
  }

  /// Returns the other creations that created the records found, by identifier: the values sent. Creations that were
  /// done, but whose records are unknown, are counted.
  private func makers(
    of search: CreationSearch, at place: JournalPlace, _ target: Target, except own: Set<Int64>
  ) throws -> [String: JournalImage] {
    // The journal has identifiers without secrets.
    var ids: [String: String] = [:]
    for case let id? in search.groups.map({ $0.found }).joined() { ids[reporter.blanking.text(id.text)] = id.text }
    let resource = target.path.description
    let isOwn = !place.origin.hasPrefix(BackendAddress.demo)
    var makers: [String: JournalImage] = [:]
    var last: Int64 = 0
    while true {
      let entries =
        try reading { [last] database throws(FileFailure) in
          try database.ends(
            of: resource, at: place, run: isOwn ? nil : run.console.journal?.run, after: last, limit: 1_000)
        } ?? []
      for entry in entries where !own.contains(entry.number) {
        let id = entry.id.map { ids[$0] }
        switch (entry.verb, id) {
        case ("create", let id??): makers[id] = entry.sent.flatMap { JournalImage(text: $0) } ?? JournalImage()
        case ("create", nil): if let sent = entry.sent.flatMap({ JournalImage(text: $0) }) { search.countDone(sent) }
        case ("delete", let id??): makers[id] = nil
        case ("delete all", _): makers = [:]
        default: break
        }
      }
      guard let end = entries.last, entries.count == 1_000 else { return makers }
      last = end.number
    }
  }

  // MARK: Judging

  /// The verdicts on creations that sent the same values, the oldest first. It makes no difference which of them
  /// created a record: if there are fewer records than creations, the last ones have created them.
  private static func verdicts(
    on group: CreationSearch.Group, _ doubt: ListDoubt, known: Set<String>, _ makers: [String: JournalImage]
  ) -> [JournalVerdict] {
    func every(_ verdict: JournalVerdict) -> [JournalVerdict] { Array(repeating: verdict, count: group.count) }
    guard group.isSearchable else { return every(.undecided("none of the sent values can be searched for")) }
    if group.isBeingSent { return every(.undecided("another console is sending the same values")) }
    if let reason = doubt.whole { return every(.undecided(reason)) }
    if group.isFull {
      return every(.undecided("more than \(group.found.count) records have the values that were sent"))
    }
    var (free, strange) = ([RecordID?](), 0)
    for id in group.found {
      if let id, known.contains(id.text.lineField) { continue }
      guard let sent = id.flatMap({ makers[$0.text] }) else {
        free.append(id)
        continue
      }
      // A record that was created with other values has been changed since, or its identifier was used again.
      if sent != group.sent, !group.isPart(of: sent) { strange += 1 }
    }
    let made = free.count - group.doneWithoutID
    guard (0...group.count).contains(made), strange == 0, !group.isShared || made == 0 else {
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
        ? "one record has the values that were sent\(free[0].map { ": \($0)" } ?? "")"
        : "\(free.count) records have the values that were sent", id: isOnly ? free[0] : nil)
    let notDone = JournalVerdict(
      kind: .notDone, reason: "no \(free.isEmpty ? "" : "other ")record has the values that were sent")
    return Array(repeating: notDone, count: group.count - made) + Array(repeating: done, count: made)
  }

  private static func reason(of group: CreationSearch.Group, _ free: [RecordID?], _ strange: Int) -> String {
    let records = free.count + strange
    let names = group.found.prefix(10).compactMap { $0?.text }.joined(separator: ", ")
    let ids = names.isEmpty ? "" : ": \(names)"
    if group.isShared { return "a record may come from this create or from another\(ids)" }
    let times = group.count + group.doneWithoutID
    return counted(records, "record has", "records have") + " the values that were sent\(ids)"
      + (times > 1 ? "; they were sent \(times) times" : "")
  }
}
