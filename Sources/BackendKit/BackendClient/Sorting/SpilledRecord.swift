import BackendKit

/// The format of a record in a file: its metadata and its fields as JSON, each preceded by its length.
enum SpilledRecord {
  /// The number of bytes before a record: two lengths.
  private static let head = 2 * MemoryLayout<UInt32>.size

  static func write(_ record: Record, to bytes: inout [UInt8]) {
    let start = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: head))
    // Most records have only an identifier.
    if record.unloaded.isEmpty, record.listed.isEmpty, record.revision == nil {
      if let id = record.id { JSONWriter.write(id.text, to: &bytes) }
    } else {
      JSONWriter.write(
        [
          record.id.map { .string($0.text) } ?? .null, record.revision.map { .string($0) } ?? .null,
          .array(record.unloaded.map { .string($0) }), .array(record.listed.map { .string($0) }),
        ], to: &bytes)
    }
    let middle = bytes.count
    JSONWriter.write(.object(record.fields), to: &bytes)
    let lengths = (UInt32(truncatingIfNeeded: middle - start - head), UInt32(truncatingIfNeeded: bytes.count - middle))
    bytes.withUnsafeMutableBytes {
      $0.storeBytes(of: lengths.0, toByteOffset: start, as: UInt32.self)
      $0.storeBytes(of: lengths.1, toByteOffset: start + MemoryLayout<UInt32>.size, as: UInt32.self)
    }
  }

  static var unreadable: BackendError {
    .unsupported("the records in a temporary file cannot be read again", hint: "run the command again")
  }

  struct Reader {
    // Most records have the same fields as the previous one.
    private var latest = Object()

    /// The record at a place, and its length; nil if it is incomplete.
    mutating func read(_ bytes: [UInt8], from start: Int) throws(BackendError) -> (Record, length: Int)? {
      let found = bytes.withUnsafeBytes { bytes -> (beside: Range<Int>, fields: Range<Int>)? in
        guard bytes.count - start >= head else { return nil }
        let beside = Int(bytes.loadUnaligned(fromByteOffset: start, as: UInt32.self))
        let fields = Int(bytes.loadUnaligned(fromByteOffset: start + MemoryLayout<UInt32>.size, as: UInt32.self))
        guard bytes.count - start - head >= beside + fields else { return nil }
        let middle = start + head + beside
        return (start + head..<middle, middle..<middle + fields)
      }
      guard let found else { return nil }
      do throws(JSONError) {
        var record = Record(id: nil, fields: try Object(json: bytes[found.fields], like: latest))
        latest = record.fields
        if !found.beside.isEmpty {
          switch try JSONReader.read(bytes[found.beside]) {
          case .string(let id): record.id = RecordID(id)
          case .array(let parts) where parts.count == 4:
            record.id = parts[0].text.map { RecordID($0) }
            record.revision = parts[1].text
            record.unloaded = parts[2].array?.compactMap(\.text) ?? []
            record.listed = parts[3].array?.compactMap(\.text) ?? []
          default: throw JSONError("unknown parts of a record", offset: 0)
          }
        }
        return (record, found.fields.upperBound - start)
      } catch { throw unreadable }
    }
  }
}
