import BackendKit
import Synchronization

/// A creation with an unknown outcome, to be searched for.
struct UnknownCreation: Sendable {
  var sent: JournalImage
  /// Its entry in the journal; nil if it has none.
  var entry: Int64?
  var isBeingSent = false
}

/// Searches one pass over a list for the records that several creations may have made. Memory grows with the creations,
/// not with the list.
final class CreationSearch: Sendable {
  /// Creations that sent the same values, and the records that match.
  struct Group: Sendable {
    let sent: JournalImage
    var count = 0
    var isBeingSent = false
    /// The first records that show every value.
    var found: [RecordID?] = []
    /// True if more records match than are kept.
    var isFull = false
    /// True if a record matches both this group and another one.
    var isShared = false
    /// The first records that may match: a value is spelled differently, or is never shown by the service.
    var similar: [RecordID?] = []
    /// The number of completed creations with these values whose records are unknown.
    var doneWithoutID = 0
    fileprivate let values: [(name: String, value: Value)]
    /// The values that the records of `similar` lack.
    fileprivate var missing: [Set<String>] = []

    fileprivate init(_ sent: JournalImage) {
      self.sent = sent
      values = sent.fields.members.filter { $1 != .null }.map { (name: $0, value: $1) }
    }

    /// Returns whether a creation that sent these values would match this group, too.
    func isPart(of other: JournalImage) -> Bool {
      values.allSatisfy { other.fields[$0.name]?.isSame(as: $0.value) == true }
    }

    var isSearchable: Bool { values.contains { $0.value.object == nil && $0.value.array == nil } }
  }

  private enum Comparison {
    case same
    /// Perhaps: values are spelled differently, or missing.
    case similar(missing: Set<String>)
    case other
  }

  private struct State: Sendable {
    var groups: [Group]
    /// The compared fields that no record has shown so far.
    var hidden: Set<String>
    /// The number of records left to be read individually.
    var partial = 0
    /// The records seen in an earlier reading of the list.
    var earlier: Set<RecordID> = []
  }

  private static let most = 100
  /// The maximum number of records read individually.
  private static let mostPartial = 1_000

  private let resource: ResourceDescription
  private let state: Mutex<State>
  /// The indices of the creations of each group.
  let members: [[Int]]
  /// A field that every group has, with the groups by its values: a record is compared with few of them.
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

  var groups: [Group] {
    state.withLock { state in
      var groups = state.groups
      for place in groups.indices {
        // If other records show the value, the service did not leave it out.
        let kept = zip(groups[place].similar, groups[place].missing).filter { $1.isSubset(of: state.hidden) }
        groups[place].similar = kept.map { $0.0 }
      }
      return groups
    }
  }

  /// Filters that every record of the only group meets; none if there are several groups.
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

  /// Discards the findings, for another list.
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

  /// Continues with a second reading, which counts for records that the first one missed.
  func goOn() {
    state.withLock { state in
      state.partial = 0
      state.earlier = Set(state.groups.flatMap { $0.found + $0.similar }.compactMap(\.self))
      for place in state.groups.indices { state.groups[place].doneWithoutID = 0 }
    }
  }

  // MARK: Comparing

  /// Compares records of a list. Returns those to be read individually, since a compared value was not loaded; none
  /// with `isSingle`, which means that they were.
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

  /// Adds creations that began after the search, and may have made the records found.
  func add(late creations: [UnknownCreation]) {
    state.withLock { state in
      for place in state.groups.indices where creations.contains(where: { state.groups[place].isPart(of: $0.sent) }) {
        state.groups[place].isBeingSent = true
      }
    }
  }

  /// Counts a completed creation whose record is unknown.
  func countDone(_ sent: JournalImage) {
    state.withLock { state in
      if let place = state.groups.firstIndex(where: { $0.sent == sent }) { state.groups[place].doneWithoutID += 1 }
    }
  }

  private func candidates(for record: Record, among all: Range<Int>) -> [Int] {
    guard let anchor, let text = Self.beginning(of: record.fields[anchor.field]) else { return Array(all) }
    return anchor.groups[text] ?? []
  }

  /// Compares a record with the values sent. One different value excludes it.
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

  /// Returns whether the values differ only in spelling; nil if they differ. False if a service may have changed the
  /// value.
  private func isAlike(_ sent: Value, _ stored: Value, in name: String) -> Bool? {
    guard let plain = Self.plain(sent) else { return false }
    if plain == Self.plain(stored) { return true }
    switch resource.field(named: name)?.kind {
    case .html?: return false
    case .date?, .day?:
      guard let day = sent.text?.prefix(10), let other = stored.text?.prefix(10) else { return false }
      return day == other ? true : nil
    default: return Self.mayBeMade(stored, of: sent) ? true : nil
    }
  }

  /// Returns whether a service may store a value so: a number rounded, a text cut or escaped.
  private static func mayBeMade(_ stored: Value, of sent: Value) -> Bool {
    if let one = plain(sent).flatMap({ Double($0) }), let other = plain(stored).flatMap({ Double($0) }) {
      return (one != one.rounded() || other != other.rounded()) && abs(one - other) < 1
    }
    guard let one = sent.text.map(letters), let other = stored.text.map(letters), !other.isEmpty else { return false }
    if one == other { return true }
    guard other.count >= shortestCut, one.starts(with: other), let last = other.last else { return false }
    // 1 is another number than 11.
    return last.properties.numericType == nil || one[other.count].properties.numericType == nil
  }

  /// The number of letters from which the beginning of a text may stand for it.
  private static var shortestCut: Int { 16 }

  /// The letters and digits of a text, in lower case and without entities of HTML.
  private static func letters(_ text: String) -> [Unicode.Scalar] {
    var rest = Array(text.lowercased().unicodeScalars)[...]
    var letters: [Unicode.Scalar] = []
    while let scalar = rest.popFirst() {
      if scalar == "&", let end = rest.prefix(9).firstIndex(of: ";") {
        rest = rest[(end + 1)...]
      } else if scalar.properties.isAlphabetic || scalar.properties.numericType != nil {
        letters.append(scalar)
      }
    }
    return letters
  }

  /// A value without what services change in storing it: case, white space, and the spelling of numbers; nil for lists
  /// and objects.
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

  /// The part of a value that services store unchanged; nil if there is none.
  private static func beginning(of value: Value?) -> String? {
    if case .number(let number)? = value, number.integer == nil { return nil }
    guard let plain = plain(value) else { return nil }
    if Number(plain) != nil { return plain }
    let letters = letters(plain).prefix(shortestCut).map { Character($0) }
    return letters.isEmpty ? nil : String(letters)
  }

  /// The field with the most values, if all groups have one that services store unchanged.
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
          let text = beginning(of: value)
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
