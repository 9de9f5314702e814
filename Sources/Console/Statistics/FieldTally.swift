import BackendKit
import CommandLanguage

struct FieldTally: Sendable {
  private let path: FieldPath
  private var records = 0
  private var nulls = 0
  private var missing = 0
  private var unloaded = 0
  private var numbers = 0
  private var texts = 0
  private var sum: ExactDecimal? = ExactDecimal()
  private var numberRange: (least: Number, most: Number)?
  private var textRange: (least: String, most: String)?
  /// The range of moments, while all texts are moments.
  private var moments: (least: Instant, most: Instant)?
  private(set) var counts = ValueCounts()

  init(_ path: FieldPath) { self.path = path }

  var values: Int { records - nulls - missing - unloaded }

  mutating func add(_ records: [Record]) { for record in records { add(record.state(of: path)) } }

  private mutating func add(_ state: FieldState) {
    records += 1
    switch state {
    case .absent: missing += 1
    case .unloaded: unloaded += 1
    case .value(.null): nulls += 1
    case .value(let value):
      counts.add(value)
      if case .number(let number) = value { add(number) }
      if case .string(let text) = value { add(text) }
    }
  }

  private mutating func add(_ number: Number) {
    numbers += 1
    if let range = numberRange {
      if Number.compare(number, range.least) == .before { numberRange?.least = number }
      if Number.compare(number, range.most) == .after { numberRange?.most = number }
    } else {
      numberRange = (number, number)
    }
    guard let decimal = ExactDecimal(number) else { return sum = nil }
    if sum?.add(decimal) == false { sum = nil }
  }

  private mutating func add(_ text: String) {
    texts += 1
    if texts == 1 {
      moments = Instant(text).map { ($0, $0) }
    } else if let range = moments {
      let moment = Instant(text)
      if moment == nil { moments = nil }
      if let moment, range.least.order(of: text) == .before { moments?.least = moment }
      if let moment, range.most.order(of: text) == .after { moments?.most = moment }
    }
    guard let range = textRange else { return textRange = (text, text) }
    if text.utf8.lexicographicallyPrecedes(range.least.utf8) { textRange?.least = text }
    if range.most.utf8.lexicographicallyPrecedes(text.utf8) { textRange?.most = text }
  }

  /// The statistics in display order, without those that do not apply.
  var figures: Object {
    var figures = Object(facts: [("field", path.text), ("records", records), ("values", values)])
    figures["null"] = .int(nulls)
    figures["missing"] = .int(missing)
    if unloaded > 0 { figures["notLoaded"] = .int(unloaded) }
    figures["distinct"] = .int(counts.distinct)
    // Numbers and texts have no common order: the more frequent type counts.
    if numbers > 0, numbers >= texts {
      // Minimum, maximum and the like are then of the numbers only.
      if numbers < values { figures["numbers"] = .int(numbers) }
      figures["min"] = numberRange.map { .number($0.least) }
      figures["max"] = numberRange.map { .number($0.most) }
      figures["sum"] = sum.map { .number($0.number) }
      figures["mean"] = sum?.divided(by: numbers).map { .number($0.number) }
    } else if let textRange {
      if texts < values { figures["texts"] = .int(texts) }
      if let moments {
        figures["min"] = .string(moments.least.text)
        figures["max"] = .string(moments.most.text)
        return figures
      }
      figures["min"] = .string(textRange.least)
      figures["max"] = .string(textRange.most)
    }
    return figures
  }

  func top(_ count: Int) -> [ValueCounts.Entry] { Array(counts.sorted.prefix(count)) }
}
