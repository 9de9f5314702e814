public import BackendKit

/// A fact in which a description differs from what its service shows.
public struct DescriptionChange: Sendable, Hashable {
  /// The author of a described fact.
  public enum Author: Sendable, Hashable {
    /// `add`, which noted its evidence.
    case survey
    /// A person, or unknown.
    case person
    /// The preset of that name.
    case preset
    /// The configuration, under `override`.
    case configuration
  }

  /// The resource.
  public var resource: String
  /// The keys below the resource: `size`, `maximum`.
  public var path: [String]
  /// The value in the description; nil if there is none.
  public var before: Value?
  /// The value that the service shows; nil if it is gone.
  public var after: Value?
  /// The evidence: methods, shapes of paths, statuses and counts, never values.
  public var evidence: String
  /// True if the service proved it. Merely likely changes are not made to lines that a person wrote.
  public var isProved: Bool
  /// The author of the described fact.
  public var author: Author
  /// The date of the described fact, if the description has it.
  public var date: String?

  /// A change.
  public init(
    resource: String, path: [String], before: Value?, after: Value?, evidence: String, isProved: Bool = true,
    author: Author = .person, date: String? = nil
  ) {
    self.resource = resource
    self.path = path
    self.before = before
    self.after = after
    self.evidence = evidence
    self.isProved = isProved
    self.author = author
    self.date = date
  }

  /// The keys in the description: `resources.items.size.maximum`.
  public var place: String { (["resources", resource] + path).joined(separator: ".") }

  /// The change as a sentence.
  public var text: String {
    let key = path.joined(separator: ".")
    let since = date.map { ", as of \($0)" } ?? ""
    let seen = evidence.isEmpty ? "" : " (\(evidence))"
    switch (before, after) {
    case (_, nil): return "\(resource): \(key) is described\(since), and the service no longer shows it\(seen)"
    case (let before, .null?) where before != nil && path.count == 1:
      return "\(resource): \(key) is described\(since), and the service no longer permits it\(seen)"
    case (nil, _) where path.count == 2 && path[0] == "fields":
      return "\(resource): the field \(path[1]) is not described\(seen)"
    case (nil, let after?): return "\(resource): \(key) is \(after.plainText), which is not in the description"
    case (let before?, let after?):
      if key == "lists.omit", let said = before.array, let here = after.array {
        let others = here.filter { !said.contains($0) }.compactMap(\.text)
        return
          "\(resource): lists do not show \(others.joined(separator: ", ")), but single records do; not in lists.omit"
      }
      return "\(resource): \(key) is \(after.plainText); the description says \(before.plainText)\(since)"
    }
  }
}

/// A description with changes applied.
public struct UpdatedDescription: Sendable {
  /// The text.
  public var bytes: [UInt8]
  /// The changes that were made.
  public var done: [DescriptionChange]
  /// The changes that were not made, with the reason as a clause.
  public var left: [(change: DescriptionChange, reason: String)]

  /// A description.
  public init(bytes: [UInt8], done: [DescriptionChange], left: [(change: DescriptionChange, reason: String)]) {
    self.bytes = bytes
    self.done = done
    self.left = left
  }
}
