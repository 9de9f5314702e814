/// Recognizes an error that makes several laws fail, to report it once.
struct CommonCause {
  /// The number of laws with the same error after which a run stops.
  static let limit = 3

  private var counts: [String: Int] = [:]

  /// Adds a breach; returns its error once the limit is reached.
  mutating func add(_ breach: Breach) -> String? {
    guard let place = breach.found.firstRange(of: "the error ") else { return nil }
    let sentence = String(breach.found[place.upperBound...])
    // Identifiers and marks differ from record to record.
    let key = sentence.split(whereSeparator: \.isNumber).joined(separator: "#")
    counts[key, default: 0] += 1
    return counts[key] == Self.limit ? sentence : nil
  }
}
