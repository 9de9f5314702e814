/// A parsed raw request target.
struct Target: Sendable {
  /// The first segment, which names the dialect.
  let first: String
  /// The path after it, up to the question mark; `/` if empty.
  let path: String
  let query: String?

  init(_ target: String) {
    let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    query = halves.count > 1 ? String(halves[1]) : nil
    let whole = halves.first ?? "/"
    let segment = whole.dropFirst().prefix { $0 != "/" }
    first = whole.hasPrefix("/") ? String(segment) : ""
    path = segment.endIndex == whole.endIndex ? "/" : String(whole[segment.endIndex...])
  }
}
