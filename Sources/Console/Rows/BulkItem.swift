import BackendKit

/// One of several that a command works on.
protocol BulkItem: CustomStringConvertible, Sendable {
  /// Its place in a file or on standard input; nil for a word of the command.
  var place: String? { get }
  /// The input that stands for it in a later run.
  var rejected: RejectedRow { get }
}

/// The rows of a command over several records, in memory or not.
struct BulkRows<Item: BulkItem>: Sendable {
  let count: Int
  /// The row at a place, from 0.
  let item: @Sendable (Int) throws -> Item

  init(_ items: [Item]) { self.init(count: items.count) { items[$0] } }

  init(count: Int, item: @escaping @Sendable (Int) throws -> Item) {
    self.count = count
    self.item = item
  }
}

/// A row that was not done, as input for another run.
enum RejectedRow: Sendable {
  case id(RecordID)
  case object(Object, reason: String? = nil)
}

/// An identifier that a command was given.
struct InputIdentifier: BulkItem {
  let id: RecordID
  let place: String?
  /// The address that was given in its place, and the field of the record that has to show it before a write.
  var address: (text: String, field: String)?

  var description: String { id.description }
  var rejected: RejectedRow { .id(id) }
}
