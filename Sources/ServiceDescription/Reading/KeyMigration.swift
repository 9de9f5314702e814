import BackendKit

/// A description with its former keys renamed. The rest of the text stays the same, byte for byte.
public struct KeyMigration: Sendable {
  /// A key that was renamed.
  public struct Change: Sendable, Hashable {
    /// The place in the text.
    public let place: Place
    /// Its former name.
    public let old: String
    /// Its present name.
    public let new: String
  }

  /// The text with the present keys.
  public let bytes: [UInt8]
  /// The renamed keys, in the order of the text.
  public let changes: [Change]

  /// Reads a description, or a configuration with descriptions under `override`. Throws the keys that cannot be renamed
  /// safely, and ignores other mistakes.
  public init(of bytes: [UInt8], file: String) throws(Mistakes) {
    let before = try Self.check(bytes, file)
    let places = before.renamed.map { (change: $0, range: Self.range(of: $0, in: bytes)) }
    let hidden = places.filter { $0.range == nil }.map {
      Mistake(
        $0.change.place, "this key is now \($0.change.new)", hint: "it is written with escapes: change it by hand")
    }
    let refused = hidden + before.mistakes.filter { $0.message == Self.doubled }
    guard refused.isEmpty else { throw Mistakes(refused) }
    let ordered = places.sorted { ($0.range?.lowerBound ?? 0) < ($1.range?.lowerBound ?? 0) }
    changes = ordered.map(\.change)
    var written = bytes
    for case (let change, let range?) in ordered.reversed() {
      written.replaceSubrange(range, with: Array(change.new.utf8))
    }
    self.bytes = written
    // A node that an alias uses in two places may be right in only one of them.
    let known = Set(before.mistakes.map { Self.whatever($0) })
    let after = try Self.check(written, file)
    let added = after.mistakes.filter { !known.contains(Self.whatever($0)) }.map(\.place)
    let shared = (added + after.renamed.map(\.place)).map {
      Mistake(
        $0, "an alias shares this between two sections with different keys", hint: "write it out in both places")
    }
    guard shared.isEmpty else { throw Mistakes(shared) }
  }

  /// The message for a map with a key under both names.
  static let doubled = "both the old and the new name of this key are used"

  /// A mistake without what renaming changes: the column and the names of keys.
  private static func whatever(_ mistake: Mistake) -> [String] {
    ["\(mistake.place.line ?? 0)", "\(mistake.place.path.count)", mistake.message]
  }

  private static func check(_ bytes: [UInt8], _ file: String) throws(Mistakes) -> Check {
    let tree = try DescriptionText.read(bytes, file: file)
    var check = Check()
    guard let backends = tree["backends"]?.members else {
      check.check(tree, .section(.description))
      return check
    }
    for backend in backends {
      if let override = backend.node["override"] { check.check(override, .section(.description)) }
    }
    return check
  }

  /// Returns the range of a key's name without quotes; nil if it is written with escapes.
  private static func range(of change: Change, in bytes: [UInt8]) -> Range<Int>? {
    guard var start = change.place.offset(in: bytes) else { return nil }
    if start < bytes.endIndex, [0x22, 0x27].contains(bytes[start]) { start += 1 }
    let name = Array(change.old.utf8)
    return bytes[start...].starts(with: name) ? start..<start + name.count : nil
  }
}
