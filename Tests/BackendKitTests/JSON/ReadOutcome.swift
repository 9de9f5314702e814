import BackendKit

/// The result of reading a text in pieces.
struct ReadOutcome: Hashable {
  var document: Value?
  // Compared only where the text was read to its end: what was handed out before a fault depends on the pieces.
  var elements: [Value] = []
  var foundItems = false
  var error: JSONError?

  init(_ pieces: [[UInt8]], items: JSONReader.Items = .none, limits: JSONReader.Limits = JSONReader.Limits()) {
    var reader = JSONReader(items: items, limits: limits)
    do {
      for piece in pieces { elements += try reader.feed(piece) }
      document = try reader.finish()
      foundItems = reader.foundItems
    } catch {
      elements = []
      self.error = error
    }
  }

  init(_ text: String, items: JSONReader.Items = .none, limits: JSONReader.Limits = JSONReader.Limits()) {
    self.init([Array(text.utf8)], items: items, limits: limits)
  }

  /// Every way to cut a text in two, and the text byte for byte.
  static func cuts(of bytes: [UInt8]) -> [[[UInt8]]] {
    (0...bytes.count).map { [Array(bytes[..<$0]), Array(bytes[$0...])] } + [bytes.map { [$0] }]
  }
}
