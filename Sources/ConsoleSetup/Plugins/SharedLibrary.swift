import Glibc

/// The symbols that a shared library imports and exports, from the table that the dynamic linker uses.
///
/// The file may contain anything: no number in it is used before it is known to lead into the file.
struct SharedLibrary {
  private(set) var wanted: [String] = []
  /// The exported names of interest.
  private(set) var given: [String] = []

  /// Reads the names for which `isOfInterest` holds; nil if the bytes are not a shared library for this machine.
  init?(_ bytes: UnsafeRawBufferPointer, where isOfInterest: (UnsafePointer<CChar>) -> Bool) {
    let file = Image(bytes)
    guard file.isLibrary, let dynamic = file.dynamic, let symbols = file.offset(of: dynamic.symbols),
      let names = file.offset(of: dynamic.names), let length = Int(exactly: dynamic.namesLength),
      length <= bytes.count - names, let count = file.symbolCount(dynamic), count <= (bytes.count - symbols) / 24
    else { return nil }
    let table = UnsafeRawBufferPointer(rebasing: bytes[names..<names + length])
    // So every name in it is terminated.
    guard table.last == 0 else { return nil }
    // The first entry is not a symbol.
    for index in 0..<count where index > 0 {
      let entry = symbols + index * 24
      guard let name = file.number(UInt32.self, at: entry), let section = file.number(UInt16.self, at: entry + 6),
        name < length
      else { return nil }
      let text = table.baseAddress.map { $0.assumingMemoryBound(to: CChar.self) + Int(name) }
      guard let text, isOfInterest(text) else { continue }
      if section == 0 { wanted.append(String(cString: text)) } else { given.append(String(cString: text)) }
    }
  }
}

/// A 64-bit ELF file.
private struct Image {
  /// The places of the tables when the file is loaded.
  struct Dynamic {
    var symbols: UInt64 = 0
    var names: UInt64 = 0
    var namesLength: UInt64 = 0
    var hash: UInt64 = 0
    var gnuHash: UInt64 = 0
  }

  let bytes: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// The number at a place; nil beyond the file.
  func number<Number: FixedWidthInteger & BitwiseCopyable>(_ type: Number.Type, at offset: Int) -> Number? {
    guard offset >= 0, offset <= bytes.count - MemoryLayout<Number>.size else { return nil }
    return Number(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: type))
  }

  /// True if the header is that of a shared library for this kind of machine.
  var isLibrary: Bool {
    #if arch(arm64)
      let machine: UInt16 = 0xB7
    #else
      let machine: UInt16 = 0x3E
    #endif
    let class64: UInt8 = 2
    let littleEndian: UInt8 = 1
    let dynamic: UInt16 = 3
    return bytes.starts(with: [0x7F, 0x45, 0x4C, 0x46, class64, littleEndian])
      && number(UInt16.self, at: 16) == dynamic && number(UInt16.self, at: 18) == machine
  }

  /// The segments of a kind: file offset, address, and length of each.
  private func segments(_ kind: UInt32) -> [(offset: UInt64, address: UInt64, length: UInt64)] {
    guard let table = number(UInt64.self, at: 32).flatMap({ Int(exactly: $0) }), table <= bytes.count,
      number(UInt16.self, at: 54) == 56, let count = number(UInt16.self, at: 56)
    else { return [] }
    return (0..<Int(count)).compactMap { index in
      let entry = table + index * 56
      guard number(UInt32.self, at: entry) == kind, let offset = number(UInt64.self, at: entry + 8),
        let address = number(UInt64.self, at: entry + 16), let length = number(UInt64.self, at: entry + 32)
      else { return nil }
      return (offset, address, length)
    }
  }

  /// The dynamic table for the linker; nil if it names no symbols.
  var dynamic: Dynamic? {
    guard let segment = segments(2).first, let start = Int(exactly: segment.offset), start <= bytes.count,
      let length = Int(exactly: segment.length), length <= bytes.count - start
    else { return nil }
    var dynamic = Dynamic()
    for entry in stride(from: start, to: start + length, by: 16) {
      guard let tag = number(UInt64.self, at: entry), let value = number(UInt64.self, at: entry + 8), tag != 0
      else { break }
      switch tag {
      case 4: dynamic.hash = value
      case 5: dynamic.names = value
      case 6: dynamic.symbols = value
      case 10: dynamic.namesLength = value
      case 0x6FFF_FEF5: dynamic.gnuHash = value
      default: break
      }
    }
    return dynamic.symbols == 0 || dynamic.names == 0 ? nil : dynamic
  }

  /// Returns the offset in the file of the data loaded at an address.
  func offset(of address: UInt64) -> Int? {
    for segment in segments(1) where address >= segment.address && address - segment.address < segment.length {
      let (offset, isTooLarge) = segment.offset.addingReportingOverflow(address - segment.address)
      guard !isTooLarge, let index = Int(exactly: offset), index < bytes.count else { return nil }
      return index
    }
    return nil
  }

  /// Returns the number of symbols, from the tables for finding one by name.
  func symbolCount(_ dynamic: Dynamic) -> Int? {
    if dynamic.hash != 0 {
      return offset(of: dynamic.hash).flatMap { number(UInt32.self, at: $0 + 4) }.map { Int($0) }
    }
    guard let table = offset(of: dynamic.gnuHash), let buckets = number(UInt32.self, at: table),
      let first = number(UInt32.self, at: table + 4), let filter = number(UInt32.self, at: table + 8)
    else { return nil }
    let heads = table + 16 + Int(filter) * 8
    var last = 0
    for bucket in 0..<Int(buckets) {
      guard let head = number(UInt32.self, at: heads + bucket * 4) else { return nil }
      last = max(last, Int(head))
    }
    // Imported symbols precede exported ones, and are not in the table.
    guard last >= Int(first) else { return Int(first) }
    let chains = heads + Int(buckets) * 4
    // The last entry of a chain is marked by its lowest bit.
    while let link = number(UInt32.self, at: chains + (last - Int(first)) * 4) {
      last += 1
      if link & 1 == 1 { return last }
    }
    return nil
  }
}
