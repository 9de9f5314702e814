import BackendKit
import ConsoleSystem
import Files

/// Values that a service stored differently from how they were sent, remembered as digests in the user's state folder,
/// so that the next run does not send them again.
struct ServerNormalizedValues {
  private let path: String
  private var known: [String: String] = [:]
  /// Stored keys by sent ones: digests of the record and of its key.
  private var keys: [String: String] = [:]
  private var lines: AppendOnlyStateFile?

  /// Reads the values of a resource at a place, see ``TransferSources/place(of:)``; nil without a state folder.
  init?(state: String?, place: String, resource: String) {
    guard let state else { return nil }
    path = "\(state)/transfers/kept-\(SHA256.hex(Array("\(place)\n\(resource)".utf8)).prefix(32)).tsv"
    for line in (try? AppendOnlyStateFile.read(path, limit: 256 << 20)) ?? [] {
      let parts = line.split(separator: "\t")
      if parts.count == 2 { known[String(parts[0])] = String(parts[1]) }
      if parts.count == 3, parts[0] == "key" { keys[String(parts[1])] = String(parts[2]) }
    }
  }

  /// In place of a digest: the same value resulted in different ones, so that only the service sets the field.
  private static let own = "own"

  /// Returns whether a value was sent before, and the service turned it into exactly the stored one, or into another
  /// one each time.
  func isKnown(_ id: String, _ field: String, sent: Value, stored: Value?) -> Bool {
    guard let result = known[Self.key(id, field, sent)] else { return false }
    return result == Self.own || result == Self.digest(stored)
  }

  // MARK: Keys

  var hasKeys: Bool { !keys.isEmpty }

  /// The digest of the record and the key that a sent key resulted in; nil if unknown.
  func storedKey(for sent: String, of fields: [String]) -> String? { keys[Self.digest(key: sent, of: fields)] }

  /// The digest of a record and its key of these fields, or nil for none. A key to be sent belongs to no record yet.
  static func digest(key: String?, of fields: [String], id: String = "") -> String {
    Self.key(id, fields.joined(separator: ","), key.map { .string($0) } ?? .null)
  }

  /// Remembers the stored key of a record for the sent one; nil if it has none.
  mutating func add(key sent: String, stored: String?, of fields: [String], id: String) throws(FileFailure) {
    let (key, digest) = (Self.digest(key: sent, of: fields), Self.digest(key: stored, of: fields, id: id))
    guard keys.updateValue(digest, forKey: key) != digest else { return }
    try write("key\t\(key)\t\(digest)")
  }

  // MARK: Values

  /// Remembers the stored value for the sent one.
  mutating func add(_ id: String, _ field: String, sent: Value, stored: Value?) throws(FileFailure) {
    let (key, digest) = (Self.key(id, field, sent), Self.digest(stored))
    let before = known[key]
    guard before != digest, before != Self.own else { return }
    let result = before == nil ? digest : Self.own
    known[key] = result
    try write("\(key)\t\(result)")
  }

  private mutating func write(_ line: String) throws(FileFailure) {
    if lines == nil { lines = try AppendOnlyStateFile(path, isAlone: false) }
    try lines?.add(line)
  }

  private static func key(_ id: String, _ field: String, _ value: Value) -> String {
    String(SHA256.hex(Array(JSONWriter.compact(.array([.string(id), .string(field), value])).utf8)).prefix(32))
  }

  private static func digest(_ value: Value?) -> String {
    String(SHA256.hex(Array((value.map(JSONWriter.compact) ?? "").utf8)).prefix(32))
  }
}
