import BackendClient
import BackendKit
import ConsoleSetup
import ConsoleSystem
import Files

/// The values that a service stored in a form other than sent: remembered as digests in the user's state folder, so
/// that the next run does not send them again.
struct ServerNormalizedValues {
  private let path: String
  private var known: [String: String] = [:]
  /// The keys that a service has stored otherwise: of each one that was sent, the record and the key that it has got.
  private var keys: [String: String] = [:]
  private var lines: AppendOnlyStateFile?

  /// Reads what is remembered of a resource at a place, see ``CommandContext/transferPlace(of:)``; nil without a state folder.
  init?(state: String?, place: String, resource: String) {
    guard let state else { return nil }
    path = "\(state)/transfers/kept-\(SHA256.hex(Array("\(place)\n\(resource)".utf8)).prefix(32)).tsv"
    for line in (try? AppendOnlyStateFile.read(path, limit: 256 << 20)) ?? [] {
      let parts = line.split(separator: "\t")
      if parts.count == 2 { known[String(parts[0])] = String(parts[1]) }
      if parts.count == 3, parts[0] == "key" { keys[String(parts[1])] = String(parts[2]) }
    }
  }

  /// Returns whether a value was sent before, and the service turned it into exactly the value that is stored now.
  func isKnown(_ id: String, _ field: String, sent: Value, stored: Value?) -> Bool {
    known[Self.key(id, field, sent)] == Self.digest(stored)
  }

  // MARK: Keys

  /// True if a key was stored in a form other than sent.
  var hasKeys: Bool { !keys.isEmpty }

  /// The digest of the record and the key that it has got for the one that was sent; nil if nothing is remembered of it.
  func storedKey(for sent: String, of fields: [String]) -> String? { keys[Self.digest(key: sent, of: fields)] }

  /// The digest of a record and its key of these fields, nil if it has none. A key that is sent belongs to no record yet.
  static func digest(key: String?, of fields: [String], id: String = "") -> String {
    Self.key(id, fields.joined(separator: ","), key.map { .string($0) } ?? .null)
  }

  /// Remembers which key a record has got for the one that was sent; nil if it has none.
  mutating func add(key sent: String, stored: String?, of fields: [String], id: String) throws(FileFailure) {
    let (key, digest) = (Self.digest(key: sent, of: fields), Self.digest(key: stored, of: fields, id: id))
    guard keys.updateValue(digest, forKey: key) != digest else { return }
    try write("key\t\(key)\t\(digest)")
  }

  // MARK: Values

  /// Remembers what a service has made of a value.
  mutating func add(_ id: String, _ field: String, sent: Value, stored: Value?) throws(FileFailure) {
    let (key, digest) = (Self.key(id, field, sent), Self.digest(stored))
    guard known.updateValue(digest, forKey: key) != digest else { return }
    try write("\(key)\t\(digest)")
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
