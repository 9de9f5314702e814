import BackendKit
import ConsoleSystem
import Files

/// A key as stored by a service that trims, changes letter case, normalizes, or converts numbers to texts.
private struct KeySpelling {
  /// Equal for keys that differ only in letter case, blanks, Unicode form or type: `==` of texts ignores the Unicode
  /// form.
  let folded: String

  /// Parses a key, which is compact JSON.
  init(_ key: String) {
    let values = (try? JSONReader.read(key))?.array ?? []
    let parts = values.map { value in
      let words = value.plainText.unicodeScalars.split(whereSeparator: \.properties.isWhitespace).map { String($0) }
      return words.joined(separator: " ").uppercased().lowercased()
    }
    folded = parts.joined(separator: "\u{0}")
  }

  /// A text to look up in place of the folded key. Hashing uses the normal form of a text, so that it is equal for
  /// equal keys with different bytes.
  var mark: String {
    var hasher = Hasher()
    hasher.combine(folded)
    return String(hasher.finalize())
  }

  /// Two keys in a form that shows their difference.
  static func shown(_ left: String, _ right: String) -> (String, String) {
    func text(_ key: String) -> String {
      let text = key.dropFirst().dropLast()
      guard left == right else { return String(text) }
      return text.unicodeScalars.map { $0.isASCII ? String($0) : "\\u{\(String($0.value, radix: 16))}" }.joined()
    }
    return (text(left), text(right))
  }
}

/// The keys by which the records of a transfer are matched.
struct TransferKeys {
  let transfer: Transfer

  private var store: TransferStore { transfer.store }
  private var options: TransferOptions { transfer.options }
  private var target: Target { transfer.target }

  /// Matches the records of both sides by key. Throws if two records of a side have the same key, or two keys may be
  /// spellings of one.
  func match(_ kept: ServerNormalizedValues?) throws {
    try adopt(kept, refuses: transfer.verb != "diff" && !options.exactKeys)
    try checkRepeated()
    try checkSpellings()
  }

  /// Throws if two records of a side have the same key.
  private func checkRepeated() throws {
    if let two = try store.repeated(in: .source) {
      if let spelled = two.first(where: { transfer.fields.key(ofWritten: $0.fields) != $0.key }),
        let other = two.first(where: { $0.number != spelled.number })
      {
        throw UsageError(
          "\(transfer.place(of: spelled)) is stored as \(TransferFields.quoted(spelled.key)), which is the key of \(transfer.place(of: other))",
          hint: "the service treats the two keys as one")
      }
      throw UsageError(
        "\(two.map(transfer.place).joined(separator: " and ")) have the same key, \(TransferFields.quoted(two[0].key))")
    }
    if let two = try store.repeated(in: .target) {
      let names = two.map { "\(target.description)/\($0.id ?? "?")" }
      throw UsageError(
        "\(names.joined(separator: " and ")) have the same key, \(TransferFields.quoted(two[0].key))",
        hint: "choose a --key that identifies one record")
    }
  }

  // MARK: Keys that were stored otherwise

  /// Gives source records the keys that the target stored for them, as seen by earlier runs; not if another record has
  /// the original key. `there` has the records of the target, if they are in another store.
  func adopt(_ kept: ServerNormalizedValues?, in there: TransferStore? = nil, refuses: Bool = false) throws {
    guard let kept, kept.hasKeys else { return }
    let there = there ?? store
    func remembered(_ row: TransferStore.Row) throws -> String? {
      guard let key = row.key, let digest = kept.storedKey(for: key, of: options.key) else { return nil }
      return try there.target(key: key) == nil ? digest : nil
    }
    var wanted: Set<String> = []
    try transfer.eachRow(of: .source, in: store) { row in
      if let digest = try remembered(row) { wanted.insert(digest) }
    }
    guard !wanted.isEmpty else { return }
    // By digest; nil for a record that got no key.
    var stored: [String: String?] = [:]
    try transfer.eachRow(of: .target, in: there) { row in
      for key in Set([row.key, nil]) {
        let digest = ServerNormalizedValues.digest(key: key, of: options.key, id: row.id ?? "")
        if wanted.contains(digest) { stored.updateValue(key, forKey: digest) }
      }
    }
    try transfer.eachRow(of: .source, in: store) { row in
      guard let digest = try remembered(row), let found = stored[digest] else { return }
      guard let key = found else {
        guard refuses else { return }
        throw UsageError(
          "\(transfer.place(of: row)): an earlier run created it, and \(target.description) has not stored its key, "
            + TransferFields.quoted(row.key),
          hint: "choose a --key that the service stores; --exact-keys creates it again")
      }
      var row = row
      row.key = key
      try store.replace(row, of: .source)
    }
  }

  /// Remembers the key of a new record if it is stored differently from how it was sent.
  func remember(
    _ sent: Object, _ id: RecordID, _ stored: Object, in kept: inout ServerNormalizedValues?,
    _ reported: inout Set<String>
  ) {
    guard !options.key.isEmpty, let sent = transfer.fields.key(ofWritten: sent) else { return }
    let there = transfer.fields.key(of: stored, id: id.text)
    guard there.map({ !$0.utf8.elementsEqual(sent.utf8) }) ?? true else { return }
    // Not the name of a field.
    if reported.insert("\u{0}key").inserted {
      let (left, right) = there.map { KeySpelling.shown(sent, $0) } ?? (TransferFields.quoted(sent), "")
      transfer.ports.note(
        there == nil
          ? "\(target.description(of: id)): the key \(left) is not stored"
          : "\(target.description(of: id)): the key \(left) is stored as \(right); the next run matches them")
    }
    do throws(FileFailure) { try kept?.add(key: sent, stored: there, of: options.key, id: id.text) } catch {
      transfer.ports.note("cannot save the keys as the server stored them: \(error.reason)")
    }
  }

  // MARK: Keys that look alike

  /// Throws if a source record has no counterpart, and the key of another record differs only in spelling: it is
  /// unclear which one is meant, and each run would create the record again. A comparison only reports it.
  private func checkSpellings() throws {
    guard !options.exactKeys else { return }
    var unmatched: TransferStore?
    func row(_ row: TransferStore.Row, _ key: String, _ place: String) -> TransferStore.Row {
      TransferStore.Row(place: place, key: KeySpelling(key).mark, fields: Object(facts: [("key", key)]))
    }
    try transfer.eachRow(of: .source, in: store) { source in
      guard let key = source.key, try store.target(key: key) == nil else { return }
      let rows = try unmatched ?? TransferStore(state: transfer.ports.stateFolder)
      try rows.add([row(source, key, transfer.place(of: source))], to: .source)
      unmatched = rows
    }
    guard let unmatched else { return }
    try transfer.eachRow(of: .target, in: store) { there in
      guard let key = there.key else { return }
      try unmatched.add([row(there, key, "\(target.description)/\(there.id ?? "?")")], to: .target)
    }
    var (found, count) = (String?.none, 0)
    func add(_ left: TransferStore.Row, _ right: TransferStore.Row) {
      guard let one = left.fields["key"]?.text, let two = right.fields["key"]?.text,
        KeySpelling(one).folded == KeySpelling(two).folded
      else { return }
      let (left, right) = ("\(left.place ?? "?")", "\(right.place ?? "?")")
      let shown = KeySpelling.shown(one, two)
      count += 1
      found =
        found
        ?? "the keys of \(left) and \(right) differ only in letter case, white space, Unicode form or type: \(shown.0), \(shown.1)"
    }
    try transfer.eachRow(of: .source, in: unmatched) { row in
      if let there = try row.key.flatMap({ try unmatched.target(key: $0) }) { add(row, there) }
    }
    if found == nil, let two = try unmatched.repeated(in: .source), two.count == 2 { add(two[0], two[1]) }
    guard let found else { return }
    let hint =
      (count > 1 ? "\(count - 1) more like these; " : "")
      + "if they are one record, write them the same way, for example with --map 'FIELD=lower(trim(FIELD))', text(FIELD) or number(FIELD); "
      + "if they are two, use --exact-keys"
    guard transfer.verb != "diff" else { return transfer.ports.note("\(found) (\(hint))") }
    throw UsageError(found, hint: hint)
  }
}
