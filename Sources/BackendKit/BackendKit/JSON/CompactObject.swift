/// An object of a list as the text that it came as: checked and without blanks, its members found but not made.
///
/// Most records of a long list pass through: they are printed as they came, or one of their fields is looked at. The text is in
/// the writer's own spelling, so that to write it is to copy it. In one piece of memory with it stand the ends of the values, and
/// the names, which all records of a list share: a copy is one reference.
///
/// Sendable, since nothing changes the memory once it was made.
struct CompactObject: @unchecked Sendable {
  private struct Header {
    /// The length of the text, in bytes.
    let length: Int
    /// The names of the members.
    let names: [String]
  }

  private let buffer: ManagedBuffer<Header, UInt8>

  /// The object that begins at the first byte, and how many bytes it takes; nil where it is not whole, where its
  /// members are not these in this order, where a text is spelled otherwise than the writer spells it, where a list or
  /// an object in it has blanks, a name twice or many members, and where anything is wrong with it. `depth` says how
  /// many levels it may have. Whoever gets nil reads it the plain way.
  static func scan(
    _ bytes: UnsafeBufferPointer<UInt8>, _ names: [String], depth: Int
  ) -> (object: CompactObject, length: Int)? {
    withUnsafeTemporaryAllocation(of: Range<Int>.self, capacity: names.count) { values in
      var scanner = PackedScanner(bytes, depth: depth)
      guard let length = scanner.members(names, to: values) else { return nil }
      let source = UnsafeBufferPointer(rebasing: bytes[..<length])
      guard !scanner.isForeign || String(validating: source, as: UTF8.self) != nil else { return nil }
      return (make(source, names, values, isCompact: !scanner.hasBlanks), length)
    }
  }

  private static func make(
    _ source: UnsafeBufferPointer<UInt8>, _ names: [String], _ values: UnsafeMutableBufferPointer<Range<Int>>,
    isCompact: Bool
  ) -> CompactObject {
    // A brace at both ends; of each member its name in quotes, a colon, the value, and a comma but for the last.
    let length = isCompact ? source.count : zip(names, values).reduce(1) { $0 + $1.0.utf8.count + $1.1.count + 4 }
    let size = length + names.count * MemoryLayout<UInt32>.size
    let buffer = ManagedBuffer<Header, UInt8>.create(minimumCapacity: size) { _ in
      Header(length: length, names: names)
    }
    buffer.withUnsafeMutablePointerToElements { start in
      let text = UnsafeMutableRawBufferPointer(start: start, count: size)
      if isCompact { text.copyMemory(from: UnsafeRawBufferPointer(source)) }
      var end = 0
      for (place, name) in names.enumerated() {
        let value = values[place]
        let begin = end + name.utf8.count + 4
        if !isCompact {
          let quoted = value.lowerBound
          // The name stands before the value, as it is written.
          text[end] = place == 0 ? UInt8(ascii: "{") : UInt8(ascii: ",")
          text[end + 1] = UInt8(ascii: "\"")
          for (index, byte) in name.utf8.enumerated() { text[end + 2 + index] = byte }
          text[begin - 2] = UInt8(ascii: "\"")
          text[begin - 1] = UInt8(ascii: ":")
          UnsafeMutableRawBufferPointer(rebasing: text[begin...]).copyMemory(
            from: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(source)[quoted..<value.upperBound]))
        }
        end = begin + value.count
        text.storeBytes(of: UInt32(truncatingIfNeeded: end), toByteOffset: length + place * 4, as: UInt32.self)
      }
      text[length - 1] = UInt8(ascii: "}")
    }
    return CompactObject(buffer: buffer)
  }

  /// The text: one line without blanks.
  func withText<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    buffer.withUnsafeMutablePointers { header, start in
      body(UnsafeBufferPointer(start: start, count: header.pointee.length))
    }
  }

  /// The memory that it takes, in bytes, roughly.
  var size: Int { 96 + buffer.header.length }

  /// The names of the members.
  var names: [String] { buffer.header.names }

  /// Returns the index of a member; nil if there is none.
  func place(of name: String) -> Int? { buffer.header.names.firstIndex { $0.hasSameBytes(as: name) } }

  /// The value of a member.
  func value(at place: Int) -> Value { withText(at: place, Self.value) }

  /// The values of all members.
  var values: [Value] { names.indices.map(value) }

  /// The text of a member's value.
  func withText<Result>(at place: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    buffer.withUnsafeMutablePointers { header, start in
      let ends = UnsafeRawPointer(start + header.pointee.length)
      func end(_ place: Int) -> Int { Int(ends.loadUnaligned(fromByteOffset: place * 4, as: UInt32.self)) }
      let begin = (place == 0 ? 0 : end(place - 1)) + header.pointee.names[place].utf8.count + 4
      return body(UnsafeBufferPointer(start: start + begin, count: end(place) - begin))
    }
  }

  /// The value in a text that was checked.
  private static func value(_ bytes: UnsafeBufferPointer<UInt8>) -> Value {
    switch bytes.first {
    case UInt8(ascii: "\"") where !bytes.contains(UInt8(ascii: "\\")):
      return .string(String(decoding: UnsafeBufferPointer(rebasing: bytes.dropFirst().dropLast()), as: UTF8.self))
    case UInt8(ascii: "t"): return true
    case UInt8(ascii: "f"): return false
    case UInt8(ascii: "-"), .some(0x30...0x39): return Number(bytes: bytes).map { .number($0) } ?? .null
    default: return (try? JSONReader.read(bytes)) ?? .null
    }
  }
}
