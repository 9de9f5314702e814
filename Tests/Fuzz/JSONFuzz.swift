import BackendKit

/// JSON: a document read in two pieces is the one read whole, and what is written of it reads back the same.
enum JSONFuzz {
  static func run(_ bytes: [UInt8]) {
    let limits = JSONReader.Limits(element: 1 << 16, document: 1 << 20, depth: 64)
    let whole = read([bytes[...]], limits)
    let cut = bytes.count / 2
    require(read([bytes[..<cut], bytes[cut...]], limits) == whole, "a document does not depend on how it is cut")
    guard let whole else { return }
    let text = JSONWriter.compact(whole)
    require((try? JSONReader.read(Array(text.utf8))) == whole, "what is written reads back the same")
  }

  private static func read(_ pieces: [ArraySlice<UInt8>], _ limits: JSONReader.Limits) -> Value? {
    var reader = JSONReader(items: .none, limits: limits)
    do {
      for piece in pieces { _ = try reader.feed(piece) }
      return try reader.finish()
    } catch { return nil }
  }
}
