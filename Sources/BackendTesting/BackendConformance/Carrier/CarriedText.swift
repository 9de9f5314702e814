import BackendKit

/// Values as the lines of text that go over a carrier.
enum CarriedText {
  // The far end is trusted with the size; the depth leaves room around a record as deep as a body may be.
  private static let limits = JSONReader.Limits(element: .max, document: .max, depth: 1024)

  static func write(_ value: some CarriedCoding) -> String { JSONWriter.compact(value.carried) }

  static func read<Read: CarriedCoding>(_ text: String) throws(BackendError) -> Read {
    let value: Value
    do { value = try JSONReader.read(Array(text.utf8), limits: limits) } catch {
      throw BackendError(.badResponse, "the carrier brought no JSON: \(error)", effect: .unknown)
    }
    return try Read(carried: value)
  }
}
