import BackendKit
import ConsoleOutput

/// Splits the input of `--from` into lines or balanced objects, the latter one by one or in a list.
struct InputScanner {
  enum Content {
    case line(ArraySlice<UInt8>)
    case object(ArraySlice<UInt8>)
    case stray(UInt8, at: Int)
    case missingEnd
  }

  private let bytes: [UInt8]
  private let form: InputForm
  private let start: Int
  private var index: Int
  private var line = 1
  /// True if the objects are in a list; nil until anything but blanks was read.
  private var isList: Bool?
  private var isFirst = true
  private var needsComma = false

  init(_ bytes: [UInt8], _ form: InputForm) {
    self.bytes = bytes
    self.form = form
    start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    index = start
  }

  /// Returns the next piece and the line on which it begins; nil at the end.
  mutating func next() -> (content: Content, line: Int)? {
    guard form != .objects, isList != true else { return object() }
    while index < bytes.count {
      guard index == start || bytes[index - 1] == 0x0A else {
        // The remainder of a line in which an object ended.
        skip([0x20, 0x09, 0x0D])
        guard index < bytes.count else { return nil }
        guard bytes[index] == 0x0A else { return object() }
        endLine()
        continue
      }
      let end = bytes[index...].firstIndex(of: 0x0A) ?? bytes.count
      var text = bytes[index..<end]
      if form == .either, let begin = IdentifierLine.placeOfJSON(text), holdsRecords(from: begin) { return object() }
      isList = false
      let first = line
      index = end
      if index < bytes.count { endLine() }
      if text.last == 0x0D { text.removeLast() }
      if !text.isEmpty { return (.line(text), first) }
    }
    return nil
  }

  private func holdsRecords(from begin: Int) -> Bool {
    bytes[begin] == UInt8(ascii: "{") || (bytes[begin] == UInt8(ascii: "[") && isList == nil)
  }

  private mutating func endLine() {
    index += 1
    line += 1
  }

  private mutating func skip(_ blanks: [UInt8]) {
    while index < bytes.count, blanks.contains(bytes[index]) {
      if bytes[index] == 0x0A { line += 1 }
      index += 1
    }
  }

  private mutating func object() -> (content: Content, line: Int)? {
    while true {
      skip([0x20, 0x09, 0x0A, 0x0D])
      guard index < bytes.count else {
        defer { isList = false }
        return isList == true ? (.missingEnd, line) : nil
      }
      let byte = bytes[index]
      if isList == nil {
        isList = byte == UInt8(ascii: "[")
        if isList == true {
          index += 1
          continue
        }
      }
      if byte == UInt8(ascii: "{"), !needsComma {
        needsComma = isList == true
        return balanced()
      }
      if isList == true, byte == UInt8(ascii: ","), needsComma {
        needsComma = false
        index += 1
        isFirst = false
        continue
      }
      defer {
        index = bytes.count
        isList = false
      }
      if isList == true, byte == UInt8(ascii: "]"), needsComma || isFirst {
        // Only blanks may follow the list.
        index += 1
        skip([0x20, 0x09, 0x0A, 0x0D])
        return index < bytes.count ? (.stray(bytes[index], at: index), line) : nil
      }
      return (.stray(byte, at: index), line)
    }
  }

  /// The bytes up to the matching brace, or all that is left if there is none.
  private mutating func balanced() -> (content: Content, line: Int) {
    let start = index
    let first = line
    var tokens = JSONTokens(bytes, at: start)
    _ = tokens.nextValue()
    index = tokens.at
    line += bytes[start..<index].count { $0 == 0x0A }
    return (.object(bytes[start..<index]), first)
  }
}
