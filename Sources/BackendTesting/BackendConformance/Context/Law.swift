/// One promise of the protocol, with the check that an adapter keeps it.
public struct Law: Sendable {
  /// The name, as it stands behind "Law" in the protocol's comments.
  public let name: String
  /// Its subject.
  public let group: LawGroup
  /// The promise, as it stands in the protocol's comments.
  public let promise: String
  /// The laws that it judges one after the other; empty if it judges one thing.
  public let parts: [Law]
  /// Holds an adapter against the promise.
  let check: @Sendable (LawContext) async throws(CheckStop) -> Verdict

  init(
    _ name: String, _ group: LawGroup, _ promise: String, parts: [Law] = [],
    check: @escaping @Sendable (LawContext) async throws(CheckStop) -> Verdict
  ) {
    self.name = name
    self.group = group
    self.promise = promise
    self.parts = parts
    self.check = check
  }
}

extension Law: Hashable, CustomStringConvertible {
  /// Returns whether both have the same name.
  public static func == (left: Law, right: Law) -> Bool { left.name == right.name }

  /// Feeds the name to the hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// The name.
  public var description: String { name }
}
