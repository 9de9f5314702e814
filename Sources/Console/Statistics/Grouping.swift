import BackendKit
import ConsoleSystem

/// The criterion for grouping records: `completed`, or `created:month`.
struct Grouping: Sendable {
  let path: FieldPath
  let unit: TimeUnit?

  /// Parses a grouping. Without a unit of time after it, a colon is part of the field's name.
  init(_ text: String, _ option: String) throws(UsageError) {
    guard !text.isEmpty else { throw UsageError("\(option) needs a field", hint: "\(option) FIELD or FIELD:month") }
    guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")), colon > text.startIndex else {
      path = FieldPath(text)
      unit = nil
      return
    }
    let word = String(text[text.utf8.index(after: colon)...])
    if let unit = TimeUnit(rawValue: word) {
      path = FieldPath(String(text[..<colon]))
      self.unit = unit
      return
    }
    let units = TimeUnit.allCases.map(\.rawValue)
    throw UsageError(
      "\"\(word)\" is not a unit of time", word, among: units, else: "units: \(units.joined(separator: ", "))")
  }
}

struct GroupedCounts: Sendable {
  /// A row of the result; the value is nil for records without one.
  struct Row: Sendable {
    var value: Value?
    var count: Int
  }

  private let grouping: Grouping
  private var counts = ValueCounts()
  private var places: [Int: Int] = [:]
  private(set) var records = 0

  init(_ grouping: Grouping) { self.grouping = grouping }

  /// The number of records not counted individually, as there were too many values.
  var uncounted: Int { counts.uncounted }

  mutating func add(_ records: [Record]) {
    self.records += records.count
    for record in records {
      guard case .value(let value) = record.state(of: grouping.path) else {
        counts.add(nil)
        continue
      }
      if let place = grouping.unit.flatMap({ value.text.flatMap($0.place) }) {
        places[place, default: 0] += 1
      } else {
        counts.add(value)
      }
    }
  }

  /// The rows: moments in order, then other values by frequency, then records without a value.
  var rows: [Row] {
    let valued = counts.sorted.filter { $0.value != nil }.map { Row(value: $0.value, count: $0.count) }
    let others = counts.sorted.filter { $0.value == nil }.map { Row(value: nil, count: $0.count) }
    let times = grouping.unit.map { unit in
      unit.places(places.keys).map { Row(value: .string(unit.name(of: $0)), count: places[$0] ?? 0) }
    }
    return (times ?? []) + valued + others
  }
}
