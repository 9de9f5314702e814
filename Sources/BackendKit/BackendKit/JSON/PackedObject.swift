/// An object of a list as the text that it came as: checked and without blanks, its members found but not made.
///
/// Most records of a long list pass through: they are printed as they came, or one of their fields is looked at. The text is in
/// the writer's own spelling, so that to write it is to copy it. In one piece of memory with it stand the ends of the values.
///
/// Sendable, since nothing changes the memory once it was made.
struct PackedObject: @unchecked Sendable {
  private struct Header {
    /// How many bytes the text has.
    var length: Int
  }

  private let buffer: ManagedBuffer<Header, UInt8>

  /// The object that begins at the first byte, and how many bytes it takes; nil where it is not whole, where its members are not
  /// these in this order, where one of them is a list or an object, where a text is spelled otherwise than the writer spells it,
  /// and where anything is wrong with it. Whoever gets nil reads it the plain way.
  static func scan(_ bytes: UnsafeBufferPointer<UInt8>, _ names: [String]) -> (object: PackedObject, length: Int)? {
    withUnsafeTemporaryAllocation(of: Range<Int>.self, capacity: names.count) { values in
      var scanner = PackedScanner(bytes)
      guard let length = scanner.members(names, to: values) else { return nil }
      let source = UnsafeBufferPointer(rebasing: bytes[..<length])
      guard !scanner.isForeign || String(validating: source, as: UTF8.self) != nil else { return nil }
      return (make(source, names, values, isCompact: !scanner.hasBlanks), length)
    }
  }

  private static func make(
    _ source: UnsafeBufferPointer<UInt8>, _ names: [String], _ values: UnsafeMutableBufferPointer<Range<Int>>,
    isCompact: Bool
  ) -> PackedObject {
    // A brace at both ends; of each member its name in quotes, a colon, the value, and a comma but for the last.
    let length = isCompact ? source.count : zip(names, values).reduce(1) { $0 + $1.0.utf8.count + $1.1.count + 4 }
    let size = length + names.count * MemoryLayout<UInt32>.size
    let buffer = ManagedBuffer<Header, UInt8>.create(minimumCapacity: size) { _ in Header(length: length) }
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
    return PackedObject(buffer: buffer)
  }

  /// The text: one line without blanks.
  func withText<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    buffer.withUnsafeMutablePointers { header, start in
      body(UnsafeBufferPointer(start: start, count: header.pointee.length))
    }
  }

  /// The value of a member. `names` are those that it was made with.
  func value(at place: Int, _ names: [String]) -> Value {
    buffer.withUnsafeMutablePointers { header, start in
      let ends = UnsafeRawPointer(start + header.pointee.length)
      func end(_ place: Int) -> Int { Int(ends.loadUnaligned(fromByteOffset: place * 4, as: UInt32.self)) }
      let begin = (place == 0 ? 0 : end(place - 1)) + names[place].utf8.count + 4
      return Self.value(UnsafeBufferPointer(start: start + begin, count: end(place) - begin))
    }
  }

  /// The values of all members.
  func values(_ names: [String]) -> [Value] { names.indices.map { value(at: $0, names) } }

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

/// Goes over the text of an object and finds its values.
private struct PackedScanner {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var at = 0
  /// Whether there are blanks outside texts.
  private(set) var hasBlanks = false
  /// Whether there are bytes beyond ASCII, which have to be looked at once more.
  private(set) var isForeign = false

  init(_ bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  /// Finds the values of these members in this order; returns the length of the object.
  mutating func members(_ names: [String], to values: UnsafeMutableBufferPointer<Range<Int>>) -> Int? {
    guard take(UInt8(ascii: "{")) else { return nil }
    for (place, name) in names.enumerated() {
      if place > 0 { guard take(UInt8(ascii: ",")) else { return nil } }
      guard take(UInt8(ascii: "\"")), self.name(name), take(UInt8(ascii: ":")), let value = value() else { return nil }
      values[place] = value
    }
    return take(UInt8(ascii: "}")) ? at : nil
  }

  /// Takes a byte, and blanks before it.
  private mutating func take(_ byte: UInt8) -> Bool {
    skipBlanks()
    guard at < bytes.count, bytes[at] == byte else { return false }
    at += 1
    return true
  }

  private mutating func skipBlanks() {
    while at < bytes.count, bytes[at] <= 0x20 {
      // Anything else is found to be wrong by what comes next.
      guard [0x20, 0x09, 0x0A, 0x0D].contains(bytes[at]) else { return }
      hasBlanks = true
      at += 1
    }
  }

  /// Takes a name that is written as it is, and the quote that ends it.
  private mutating func name(_ name: String) -> Bool {
    let length = name.utf8.count
    guard at + length < bytes.count, bytes[at + length] == UInt8(ascii: "\"") else { return false }
    let written = UnsafeBufferPointer(rebasing: bytes[at..<at + length])
    guard name.hasBytes(written), TextScan.writtenAsIs(written) == length else { return false }
    at += length + 1
    return true
  }

  private mutating func value() -> Range<Int>? {
    skipBlanks()
    let start = at
    guard at < bytes.count else { return nil }
    switch bytes[at] {
    case UInt8(ascii: "\""): return text() ? start..<at : nil
    case UInt8(ascii: "-"), 0x30...0x39: return number() ? start..<at : nil
    case UInt8(ascii: "t"): return word("true") ? start..<at : nil
    case UInt8(ascii: "f"): return word("false") ? start..<at : nil
    case UInt8(ascii: "n"): return word("null") ? start..<at : nil
    default: return nil
    }
  }

  /// Takes a text in the spelling of the writer.
  private mutating func text() -> Bool {
    at += 1
    let start = at
    while true {
      at += TextScan.writtenAsIs(UnsafeBufferPointer(rebasing: bytes[at...]))
      guard at < bytes.count else { return false }
      if bytes[at] == UInt8(ascii: "\"") { break }
      guard at + 1 < bytes.count else { return false }
      let next = bytes[at + 1]
      let isPlain =
        switch bytes[at] {
        case UInt8(ascii: "\\"): [0x22, 0x5C, 0x6E, 0x72, 0x74].contains(next)
        case 0xC2: next >= 0xA0
        default: false
        }
      guard isPlain else { return false }
      at += 2
    }
    if !isForeign { isForeign = !TextScan.isASCII(UnsafeBufferPointer(rebasing: bytes[start..<at])) }
    at += 1
    return true
  }

  private mutating func number() -> Bool {
    let start = at
    while at < bytes.count, JSONReader.isNumberByte(bytes[at]) { at += 1 }
    return at < bytes.count && Number.isValid(UnsafeBufferPointer(rebasing: bytes[start..<at]))
  }

  private mutating func word(_ word: StaticString) -> Bool {
    let end = at + word.utf8CodeUnitCount
    let expected = UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    guard end < bytes.count, bytes[at..<end].elementsEqual(expected) else { return false }
    at = end
    return true
  }
}
