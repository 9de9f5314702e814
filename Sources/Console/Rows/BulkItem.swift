import BackendKit

/// One of the records or rows that a command processes.
protocol BulkItem: CustomStringConvertible, Sendable {
  /// The place in a file or on standard input; nil for a word of the command.
  var place: String? { get }
  /// The row as input for a later run.
  var rejected: RejectedRow { get }
}

/// The rows of a command over several records, in memory or not.
struct BulkRows<Item: BulkItem>: Sendable {
  let count: Int
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

/// An identifier given to a command.
struct InputIdentifier: BulkItem {
  let id: RecordID
  let place: String?
  /// The address given instead, and the field of the record that must show it before a write.
  var address: (text: String, field: String)?

  var description: String { id.description }
  var rejected: RejectedRow { .id(id) }
  /// The text that was given. Two addresses may end alike, of which one is wrong.
  var text: String { address?.text ?? id.text }
}
