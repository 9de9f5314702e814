import BackendKit

/// The number of occurrences of each value, in any spelling: objects with the same members are equal, and so are `1`
/// and `1.0`. Storage is bounded: beyond the limit, only known values are counted individually.
struct ValueCounts: Sendable {
  /// The maximum number of distinct values, and of their bytes.
  static let limits = (values: 10_000, bytes: 16 << 20)

  /// A value and its number of occurrences; nil is the value of records without one.
  typealias Entry = (value: Value?, count: Int)

  private var counts: [Value?: Int] = [:]
  /// The first spelling of values, if it is not the canonical one.
  private var spellings: [Value: Value] = [:]
  private var bytes = 0
  /// The number of values beyond the limit.
  private(set) var uncounted = 0

  var distinct: Int { counts.count - (counts.keys.contains(Value?.none) ? 1 : 0) }

  mutating func add(_ value: Value?) {
    let key = value?.canonical
    if let place = counts.index(forKey: key) {
      counts.values[place] += 1
      return
    }
    let isCanonical = key == value
    let size = (value.map(Self.size) ?? 0) * (isCanonical ? 1 : 2)
    guard counts.count < Self.limits.values, bytes + size <= Self.limits.bytes else {
      uncounted += 1
      return
    }
    bytes += size
    counts[key] = 1
    if let key, !isCanonical { spellings[key] = value }
  }

  /// The values by frequency, then by their texts.
  var sorted: [Entry] {
    counts.map { (entry: (spelling(of: $0.key), $0.value), text: Self.text($0.key)) }
      .sorted { ($1.entry.1, $0.text) < ($0.entry.1, $1.text) }
      .map { (value: $0.entry.0, count: $0.entry.1) }
  }

  private func spelling(of key: Value?) -> Value? { key.flatMap { spellings[$0] } ?? key }

  /// The value as text that sorts whole numbers by size.
  private static func text(_ value: Value?) -> String {
    guard let value else { return "" }
    if let integer = value.integer, integer >= 0 {
      return String(integer, digits: 20)
    }
    return value.plainText
  }

  private static func size(_ value: Value) -> Int {
    switch value {
    case .string(let text): text.utf8.count
    case .array, .object: JSONWriter.compact(value).utf8.count
    default: 16
    }
  }
}
