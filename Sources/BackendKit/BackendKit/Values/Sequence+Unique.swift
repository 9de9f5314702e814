extension Sequence where Element: Hashable {
  /// The elements without repetitions, in their order.
  public var unique: [Element] { unique(by: \.self) }
}

extension Sequence {
  /// The first element with each key, in their order.
  public func unique<Key: Hashable>(by key: (Element) -> Key) -> [Element] {
    var seen: Set<Key> = []
    return filter { seen.insert(key($0)).inserted }
  }
}
