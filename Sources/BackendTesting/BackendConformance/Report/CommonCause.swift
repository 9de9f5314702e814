/// Finds out that laws fail because of one and the same error, which is then reported once.
struct CommonCause {
  /// After how many laws with the same error a run is stopped.
  static let limit = 3

  private var counts: [String: Int] = [:]

  /// The error that so many laws have failed with, once there is one.
  mutating func add(_ breach: Breach) -> String? {
    guard let place = breach.found.firstRange(of: "the error ") else { return nil }
    let sentence = String(breach.found[place.upperBound...])
    let key = Self.withoutNumbers(sentence)
    counts[key, default: 0] += 1
    return counts[key] == Self.limit ? sentence : nil
  }

  /// The sentence with each number as a sign of its own: identifiers and marks differ from record to record.
  private static func withoutNumbers(_ sentence: String) -> String {
    var key = ""
    for scalar in sentence.unicodeScalars {
      guard ("0"..."9").contains(scalar) else {
        key.unicodeScalars.append(scalar)
        continue
      }
      if !key.hasSuffix("#") { key += "#" }
    }
    return key
  }
}
