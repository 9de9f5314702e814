import BackendKit
import Synchronization

/// A creation whose outcome is unknown, as it is looked for.
struct UnknownCreation: Sendable {
  var sent: JournalImage
  /// Its entry in the journal; nil if it has none.
  var entry: Int64?
  /// True if a process that is still running sends it.
  var isBeingSent = false
}

/// Looks for the records that creations may have made, all of them in one pass over a list. Memory grows with the creations, not with
/// the list.
final class CreationSearch: Sendable {
  /// Creations that sent the same values, and the records that have them.
  struct Group: Sendable {
    let sent: JournalImage
    /// The number of creations.
    var count = 0
    var isBeingSent = false
    /// Records that show every value; the first of them.
    var found: [RecordID?] = []
    /// True if more records match every value than are kept.
    var isFull = false
    /// True if a record matches the values of both this group and another one.
    var isShared = false
    /// Records that may be one of them, the first of them: a value is stored in another spelling, or is one that no record shows.
    var similar: [RecordID?] = []
    /// Creations with these values that are known to be done, whose records are not known.
    var doneWithoutID = 0
    /// The values that are compared.
    fileprivate let values: [(name: String, value: Value)]
    /// The values that the records of `similar` do not show.
    fileprivate var missing: [Set<String>] = []

    fileprivate init(_ sent: JournalImage) {
      self.sent = sent
      values = sent.fields.members.filter { $1 != .null }.map { (name: $0, value: $1) }
    }

    /// Returns whether a creation that sent these values as well would match all of them.
    func isPart(of other: JournalImage) -> Bool {
      values.allSatisfy { other.fields[$0.name]?.isSame(as: $0.value) == true }
    }

    /// True if there is anything to search for.
    var isSearchable: Bool { values.contains { $0.value.object == nil && $0.value.array == nil } }
  }

  private enum Comparison {
    case same
    /// Perhaps: values are spelled otherwise, or not shown.
    case similar(missing: Set<String>)
    case other
  }

  private struct State: Sendable {
    var groups: [Group]
    /// The compared fields that no record has shown so far.
    var hidden: Set<String>
    /// The number of records left to be read one by one.
    var partial = 0
    /// The records that an earlier reading of the list has shown.
    var earlier: Set<RecordID> = []
  }

  /// The most records of a group that are kept.
  private static let most = 100
  /// The most records that are read singly.
  private static let mostPartial = 1_000

  private let resource: ResourceDescription
  private let state: Mutex<State>
  /// The creations of each group, by their places.
  let members: [[Int]]
  /// A field that every group has, and the groups by its values, so that a record is compared with few of them.
  private let anchor: (field: String, groups: [String: [Int]])?

  init(_ creations: [UnknownCreation], _ resource: ResourceDescription) {
    var groups: [Group] = []
    var known: [JournalImage: Int] = [:]
    var members: [[Int]] = []
    for (number, creation) in creations.enumerated() {
      let place = known[creation.sent] ?? groups.count
      if place == groups.count {
        groups.append(Group(creation.sent))
        members.append([])
        known[creation.sent] = place
      }
      groups[place].count += 1
      if creation.isBeingSent { groups[place].isBeingSent = true }
      members[place].append(number)
    }
    self.members = members
    self.resource = resource
    anchor = Self.anchor(of: groups, resource)
    state = Mutex(State(groups: groups, hidden: Set(groups.flatMap { group in group.values.map { $0.name } })))
  }

  /// The groups with what was found so far.
  var groups: [Group] {
    state.withLock { state in
      var groups = state.groups
      for place in groups.indices {
        // A value that some records show and others lack was not left out by the service.
        let kept = zip(groups[place].similar, groups[place].missing).filter { $1.isSubset(of: state.hidden) }
        groups[place].similar = kept.map { $0.0 }
      }
      return groups
    }
  }

  /// Filters that every record of the only group meets; none if there are several.
  var filters: [Filter] {
    let groups = groups
    guard groups.count == 1 else { return [] }
    return groups[0].values.compactMap { name, value -> Filter? in
      switch value {
      case .string, .number, .bool: name.contains(".") ? nil : .compare(FieldPath(name), .equal, .value(value))
      case .null, .array, .object: nil
      }
    }
  }

  /// Forgets what was found, for another list.
  func restart() {
    state.withLock { state in
      state.partial = 0
      for place in state.groups.indices {
        state.groups[place].found = []
        state.groups[place].similar = []
        state.groups[place].missing = []
        state.groups[place].isFull = false
        state.groups[place].isShared = false
        state.groups[place].doneWithoutID = 0
      }
    }
  }

  /// Goes on with a second reading of the list, which counts for records that the first one has passed over.
  func goOn() {
    state.withLock { state in
      state.partial = 0
      state.earlier = Set(state.groups.flatMap { $0.found + $0.similar }.compactMap(\.self))
      for place in state.groups.indices { state.groups[place].doneWithoutID = 0 }
    }
  }

  // MARK: Comparing

  /// Takes records of a list. Returns those that have to be read singly, since a value that is compared was not loaded; none of them if
  /// `isSingle` says that they were.
  func take(_ records: [Record], isSingle: Bool = false) -> [RecordID] {
    state.withLock { state in
      var partial: [RecordID] = []
      for record in records {
        if let id = record.id, state.earlier.contains(id) { continue }
        state.hidden = state.hidden.filter { (record.fields[$0] ?? .null) == .null }
        var (same, similar) = ([Int](), [(place: Int, missing: Set<String>)]())
        for place in candidates(for: record, among: state.groups.indices) {
          switch comparison(of: record, with: state.groups[place]) {
          case .same: same.append(place)
          case .similar(let missing): similar.append((place, missing))
          case .other: break
          }
        }
        if !isSingle, let id = record.id, !similar.isEmpty, state.partial < Self.mostPartial,
          similar.contains(where: { !$0.missing.isDisjoint(with: record.unloaded) })
        {
          state.partial += 1
          partial.append(id)
          continue
        }
        for place in same { state.groups[place].add(record.id, isShared: same.count > 1, most: Self.most) }
        for (place, missing) in similar
        where missing.isSubset(of: state.hidden) && state.groups[place].similar.count < Self.most {
          state.groups[place].similar.append(record.id)
          state.groups[place].missing.append(missing)
        }
      }
      return partial
    }
  }

  /// Takes creations that began after the search, and may have made the records it found.
  func add(late creations: [UnknownCreation]) {
    state.withLock { state in
      for place in state.groups.indices where creations.contains(where: { state.groups[place].isPart(of: $0.sent) }) {
        state.groups[place].isBeingSent = true
      }
    }
  }

  /// Counts a creation that is known to be done, whose record is not known.
  func countDone(_ sent: JournalImage) {
    state.withLock { state in
      if let place = state.groups.firstIndex(where: { $0.sent == sent }) { state.groups[place].doneWithoutID += 1 }
    }
  }

  private func candidates(for record: Record, among all: Range<Int>) -> [Int] {
    guard let anchor, let text = Self.plain(record.fields[anchor.field]) else { return Array(all) }
    return anchor.groups[text] ?? []
  }

  /// Compares a record with what was sent. A single value that differs shows that it is another one.
  private func comparison(of record: Record, with group: Group) -> Comparison {
    var missing: Set<String> = []
    var (shown, isSame) = (0, true)
    for (name, value) in group.values {
      let stored = record.fields[name] ?? .null
      if resource.isSame(value, stored, in: name) {
        shown += 1
      } else if stored == .null {
        missing.insert(name)
        isSame = false
      } else if let alike = isAlike(value, stored, in: name) {
        if alike { shown += 1 }
        isSame = false
      } else {
        return .other
      }
    }
    return shown == 0 ? .other : isSame ? .same : .similar(missing: missing)
  }

  /// Returns whether the values differ only in spelling; nil if they differ. False if a service may have changed it.
  private func isAlike(_ sent: Value, _ stored: Value, in name: String) -> Bool? {
    guard let plain = Self.plain(sent) else { return false }
    if plain == Self.plain(stored) { return true }
    switch resource.field(named: name)?.kind {
    case .html?: return false
    case .date?, .day?:
      guard let day = sent.text?.prefix(10), let other = stored.text?.prefix(10) else { return false }
      return day == other ? true : nil
    default: return nil
    }
  }

  /// A value without what services change in storing it: case, white space, and the spelling of numbers; nil for a list and an object.
  private static func plain(_ value: Value?) -> String? {
    switch value {
    case .string(let text)?:
      let plain = String(text.lowercased().unicodeScalars.filter { !$0.properties.isWhitespace })
      return Number(plain).map { spelled($0) } ?? plain
    case .number(let number)?: return spelled(number)
    case .bool(let truth)?: return truth ? "1" : "0"
    case .null?, .array?, .object?, nil: return nil
    }
  }

  private static func spelled(_ number: Number) -> String {
    number.integer.map { String($0) } ?? Double(number.text).map { String($0) } ?? number.text
  }

  /// The field with the most values, if each group has a value of it that a service keeps as it is.
  private static func anchor(
    of groups: [Group], _ resource: ResourceDescription
  ) -> (field: String, groups: [String: [Int]])? {
    guard groups.count > 1 else { return nil }
    let kinds: [FieldDescription.Kind] = [.text, .integer, .number, .any]
    var best: (field: String, groups: [String: [Int]])?
    for (name, _) in groups[0].values {
      if let kind = resource.field(named: name)?.kind, !kinds.contains(kind) { continue }
      var found: [String: [Int]] = [:]
      var count = 0
      for (place, group) in groups.enumerated() {
        guard let value = group.values.first(where: { $0.name == name })?.value, value.bool == nil,
          let text = plain(value)
        else { break }
        found[text, default: []].append(place)
        count += 1
      }
      if count == groups.count, found.count > (best?.groups.count ?? 0) { best = (field: name, groups: found) }
    }
    return best
  }
}

extension CreationSearch.Group {
  fileprivate mutating func add(_ id: RecordID?, isShared: Bool, most: Int) {
    if isShared { self.isShared = true }
    if found.count < most { found.append(id) } else { isFull = true }
  }
}
