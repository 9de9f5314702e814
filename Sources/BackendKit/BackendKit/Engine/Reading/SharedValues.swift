/// The values behind which pages begin, if several records may have the same one.
///
/// A service that begins behind the last value omits further records with it. So the next page is requested behind the
/// value before, and records that came already are recognized by their identifiers. A service that begins with the
/// value itself is recognized by its first record.
struct SharedValues {
  private var first: String?
  /// The value of the last records, and their number.
  private var last: (value: String, count: Int)?
  /// The value before that, and the number of its records.
  private var before: (value: String, count: Int)?
  private var haveIdentifiers = true

  /// Nil if no two records have the same value in the field whose values pages begin behind.
  init?(behind field: String, of resource: Service.Resource) {
    let isUnique = field == resource.identifier.field || resource.fields.named(field)?.isUnique == true
    if isUnique || resource.paging.afterMember != nil { return nil }
  }

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

  struct Beginning {
    /// The value behind which it begins.
    let value: String
    /// The number of its records that came already if the service begins behind the value, and the maximum.
    let repeats: (usual: Int, most: Int)
    /// The proof that no record is missing before it.
    let proof: EndProof
  }

  /// Returns where the page behind this one begins, which began behind `token`; nil if it has no record. A full page
  /// may lack records with its last value.
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
