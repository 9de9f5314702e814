/// The values behind which pages begin, where several records may have the same one.
///
/// Records with the value of the last one may follow it, which a service leaves out that begins behind this value. The
/// next page is requested behind the value before it, so that they all come again; a record that came already is known
/// by its identifier. A service that begins with the value itself shows so by its first record.
struct SharedValues {
  /// The value of the first record.
  private var first: String?
  /// The value of the last records, and their number.
  private var last: (value: String, count: Int)?
  /// The value of those before them, and their number.
  private var before: (value: String, count: Int)?
  /// True if each record has an identifier.
  private var haveIdentifiers = true

  /// Takes the value of the next record.
  mutating func add(_ value: String?, _ record: Record) {
    if record.id == nil { haveIdentifiers = false }
    guard let value else { return }
    first = first ?? value
    if last?.value == value {
      last?.count += 1
    } else {
      (before, last) = (last, (value, 1))
    }
  }

  /// The beginning of a page.
  struct Beginning {
    /// The value behind which it begins.
    let value: String
    /// The number of its records that came already, if the service begins behind the value, and the most of them.
    let repeats: (usual: Int, most: Int)
    /// Proof that no record is missing before it.
    let proof: EndProof
  }

  /// Returns where the page behind this one begins, which began behind `token`; nil if it has no record. A page that is
  /// full may lack records with its last value.
  func next(behind token: String?, isFull: Bool) throws(BackendError) -> Beginning? {
    guard let last else { return nil }
    if let token, first == token {
      guard last.value != token || !isFull else {
        throw .badResponse(
          "all records of a page have the value \(last.value), so the next page cannot be requested",
          hint: "ask for larger pages, or page by the identifier")
      }
      return Beginning(value: last.value, repeats: (last.count, last.count), proof: .likely)
    }
    guard haveIdentifiers, let before else {
      return Beginning(value: last.value, repeats: (0, 0), proof: isFull ? .untested : .likely)
    }
    return Beginning(value: before.value, repeats: (last.count, before.count + last.count), proof: .likely)
  }
}

extension Service.Resource {
  /// True if the value behind which a page begins may be that of several records.
  var pagesBySharedValues: Bool {
    guard let after = paging.after, paging.afterMember == nil else { return false }
    return after.field != identifier.field && fields.named(after.field)?.isUnique != true
  }
}
