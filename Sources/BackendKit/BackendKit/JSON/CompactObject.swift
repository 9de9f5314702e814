/// An object of a list as text: validated and without white space, its members located but not decoded.
///
/// Most records of a long list only pass through: they are printed unchanged, or one field is read. The text has the
/// writer's own spelling, so that writing is copying; values in another spelling were decoded and written once. The
/// same allocation holds the ends of the values, and the names, which records of a list share if they have the same
/// ones in the same order: a copy is one reference.
///
/// Sendable, since nothing changes the memory after initialization.
struct CompactObject: @unchecked Sendable {
  private struct Header {
    let length: Int
    let names: MemberNames
  }

  private let buffer: ManagedBuffer<Header, UInt8>

  /// Scans the object at the first byte, and its length. It usually has members with these names, in this order; others
  /// cost a little time. Nil if it is incomplete or invalid, has no members or many, repeats or escapes a name, or
  /// nests lists or objects deeper than `depth`. The caller then decodes it in the ordinary way.
  static func scan(
    _ bytes: UnsafeBufferPointer<UInt8>, like names: MemberNames, depth: Int
  ) -> (object: CompactObject, length: Int)? {
    withUnsafeTemporaryAllocation(of: Range<Int>.self, capacity: MemberNames.most) { values in
      var scanner = PackedScanner(bytes, depth: depth)
      guard let found = scanner.members(names, to: values) else { return nil }
      let source = UnsafeBufferPointer(rebasing: bytes[..<found.length])
      guard !scanner.isForeign || String(validating: source, as: UTF8.self) != nil else { return nil }
      if scanner.isPacked { return (CompactObject(source, found.names, values), found.length) }
      guard let text = scanner.written(found.names, values) else { return nil }
      let object = text.withUnsafeBufferPointer { CompactObject($0, found.names, values) }
      return (object, found.length)
    }
  }

  /// The object in a text of the writer, with the places of its values.
  private init(
    _ text: UnsafeBufferPointer<UInt8>, _ names: MemberNames, _ values: UnsafeMutableBufferPointer<Range<Int>>
  ) {
    let size = text.count + names.count * MemoryLayout<UInt32>.size
    buffer = ManagedBuffer<Header, UInt8>.create(minimumCapacity: size) { _ in
      Header(length: text.count, names: names)
    }
    buffer.withUnsafeMutablePointerToElements { start in
      let memory = UnsafeMutableRawBufferPointer(start: start, count: size)
      memory.copyMemory(from: UnsafeRawBufferPointer(text))
      for place in 0..<names.count {
        let end = UInt32(truncatingIfNeeded: values[place].upperBound)
        memory.storeBytes(of: end, toByteOffset: text.count + place * 4, as: UInt32.self)
      }
    }
  }

  /// The object without one of its members.
  func without(_ place: Int) -> CompactObject {
    var names = names.all
    names.remove(at: place)
    return withUnsafeTemporaryAllocation(of: Range<Int>.self, capacity: names.count) { values in
      var text = [UInt8(ascii: "{")]
      for (index, name) in names.enumerated() {
        if index > 0 { text.append(UInt8(ascii: ",")) }
        text.append(UInt8(ascii: "\""))
        text.append(contentsOf: name.utf8)
        text.append(contentsOf: "\":".utf8)
        let start = text.count
        withText(at: index < place ? index : index + 1) { text.append(contentsOf: $0) }
        values[index] = start..<text.count
      }
      text.append(UInt8(ascii: "}"))
      return text.withUnsafeBufferPointer { CompactObject($0, MemberNames(names), values) }
    }
  }

  /// The text: one line without spaces.
  func withText<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    buffer.withUnsafeMutablePointers { header, start in
      body(UnsafeBufferPointer(start: start, count: header.pointee.length))
    }
  }

  /// The memory that it takes, in bytes, roughly.
  var size: Int { withText { 96 + $0.count } }

  /// The names of the members.
  // By address: access to the header itself is checked for exclusivity, which is guaranteed here.
  var names: MemberNames { buffer.withUnsafeMutablePointerToHeader { $0.pointee.names } }

  func place(of name: String) -> Int? {
    buffer.withUnsafeMutablePointerToHeader { $0.pointee.names.place(of: name) }
  }

  func value(at place: Int) -> Value { withText(at: place, Self.value) }

  var values: [Value] { names.all.indices.map(value) }

  /// The text of a member's value.
  func withText<Result>(at place: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    buffer.withUnsafeMutablePointers { header, start in
      let ends = UnsafeRawPointer(start + header.pointee.length)
      func end(_ place: Int) -> Int { Int(ends.loadUnaligned(fromByteOffset: place * 4, as: UInt32.self)) }
      let begin = (place == 0 ? 0 : end(place - 1)) + header.pointee.names.length(at: place) + 1
      return body(UnsafeBufferPointer(start: start + begin, count: end(place) - begin))
    }
  }

  /// The value of a validated text.
  private static func value(_ bytes: UnsafeBufferPointer<UInt8>) -> Value {
    switch bytes.first {
    case UInt8(ascii: "\"") where !bytes.contains(UInt8(ascii: "\\")):
      return .string(String(decoding: UnsafeBufferPointer(rebasing: bytes.dropFirst().dropLast()), as: UTF8.self))
    case UInt8(ascii: "t"): return true
    case UInt8(ascii: "f"): return false
    case UInt8(ascii: "-"), .some(0x30...0x39): return .number(Number(checked: bytes))
    default: return (try? JSONReader.read(bytes)) ?? .null
    }
  }
}
