/// A JSON reader that is fed with chunks and gives out list elements as they close.
///
/// It keeps number text and member order. Of a name that is given twice in one object, the last value counts. A lone
/// surrogate, invalid UTF-8, a number outside the grammar or text after the document is an error: nothing is replaced
/// silently. A byte-order mark at the very beginning is passed over.
///
/// Where `items` names a place, each element of the array there is handed to the closure as soon as it closes and is
/// not kept, so that a list of any length is read in the space of one element.
public struct JSONReader {
  /// Limits that keep a hostile body from filling the memory.
  public struct Limits: Sendable, Hashable {
    /// The longest element of the list, in bytes.
    public var element: Int
    /// The longest document, in bytes, without the elements handed out.
    public var document: Int
    /// The deepest nesting.
    public var depth: Int

    /// Limits; 16 MiB an element, 64 MiB a document and 256 levels unless said otherwise.
    public init(element: Int = 16 << 20, document: Int = 64 << 20, depth: Int = 256) {
      self.element = element
      self.document = document
      self.depth = depth
    }
  }

  /// Where the elements stand that are handed out.
  public enum Items: Sendable, Hashable {
    /// Nowhere: the document is read whole.
    case none
    /// In arrays at these member paths; the empty path is the document itself.
    case at([[String]])
  }

  private enum State {
    case value, firstElement, firstName, name, colon, separator, end
    case string, escape, unicode
    case number, literal
  }

  private struct Frame {
    var isArray: Bool
    var emits: Bool
    var elements: [Value] = []
    var members = Object()
    var name = ""
  }

  private let limits: Limits
  private let itemPaths: [[String]]
  private var state = State.value
  private var stack: [Frame] = []
  private var text: [UInt8] = []
  private var isName = false
  private var hexDigits = 0
  private var codeUnit: UInt32 = 0
  private var highSurrogate: UInt32 = 0
  private var root: Value?
  private var offset = 0
  private var documentBytes = 0
  private var elementBytes = 0
  private var emitDepth = 0

  /// Whether an array stood at one of the places named, so that its elements were handed out.
  public private(set) var foundItems = false

  /// A reader.
  public init(items: Items = .none, limits: Limits = Limits()) {
    self.limits = limits
    if case .at(let paths) = items { itemPaths = paths } else { itemPaths = [] }
  }

  /// Reads a whole text at once.
  public static func read(_ bytes: some Collection<UInt8>, limits: Limits = Limits()) throws(JSONError) -> Value {
    var reader = JSONReader(limits: limits)
    _ = try reader.feed(bytes)
    return try reader.finish()
  }

  /// Reads a whole text at once.
  public static func read(_ text: String) throws(JSONError) -> Value { try read(Array(text.utf8)) }

  /// Takes the next bytes and returns the elements that closed within them.
  public mutating func feed(_ bytes: some Sequence<UInt8>) throws(JSONError) -> [Value] {
    var emitted: [Value] = []
    for byte in bytes {
      try take(byte, &emitted)
      offset += 1
    }
    return emitted
  }

  /// Ends the text: the document, its handed-out arrays empty.
  public mutating func finish() throws(JSONError) -> Value {
    if state == .number, stack.isEmpty {
      var none: [Value] = []
      try closeNumber(&none)
    }
    guard let root, state == .end else {
      throw JSONError(offset == 0 ? "the text is empty" : "the text ends in the middle", offset: offset)
    }
    return root
  }

  private func fail(_ reason: String) -> JSONError { JSONError(reason, offset: offset) }

  private mutating func take(_ byte: UInt8, _ emitted: inout [Value]) throws(JSONError) {
    if emitDepth > 0 {
      elementBytes += 1
      if elementBytes > limits.element { throw fail("a record is longer than \(limits.element) bytes") }
    } else {
      documentBytes += 1
      if documentBytes > limits.document { throw fail("the body is longer than \(limits.document) bytes") }
    }
    switch state {
    case .string:
      if byte == UInt8(ascii: "\"") {
        try closeString(&emitted)
      } else if byte == UInt8(ascii: "\\") {
        state = .escape
      } else if byte < 0x20 {
        throw fail("a control character stands in a text")
      } else {
        if highSurrogate != 0 { throw fail("a text holds a lone surrogate") }
        text.append(byte)
      }
    case .escape: try takeEscape(byte)
    case .unicode: try takeHexDigit(byte)
    case .number:
      if isNumberByte(byte) {
        text.append(byte)
      } else {
        try closeNumber(&emitted)
        try takeStructure(byte, &emitted)
      }
    case .literal:
      text.append(byte)
      try closeLiteral(&emitted)
    default: try takeStructure(byte, &emitted)
    }
  }

  private func isNumberByte(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x2B, 0x2D, 0x2E, 0x45, 0x65: true
    default: false
    }
  }

  // MARK: Structure

  private mutating func takeStructure(_ byte: UInt8, _ emitted: inout [Value]) throws(JSONError) {
    switch byte {
    case 0x20, 0x09, 0x0A, 0x0D: return
    case 0xEF where offset == 0, 0xBB where offset == 1, 0xBF where offset == 2: return
    default: break
    }
    switch (state, byte) {
    case (.firstElement, UInt8(ascii: "]")): try close(&emitted)
    case (.value, _), (.firstElement, _): try openValue(byte)
    case (.firstName, UInt8(ascii: "}")): try close(&emitted)
    case (.firstName, UInt8(ascii: "\"")), (.name, UInt8(ascii: "\"")):
      isName = true
      openString()
    case (.firstName, _), (.name, _): throw fail("a member's name was expected")
    case (.colon, UInt8(ascii: ":")): state = .value
    case (.colon, _): throw fail("a colon was expected")
    case (.separator, UInt8(ascii: ",")): state = stack.last?.isArray == true ? .value : .name
    case (.separator, UInt8(ascii: "]")) where stack.last?.isArray == true: try close(&emitted)
    case (.separator, UInt8(ascii: "}")) where stack.last?.isArray == false: try close(&emitted)
    case (.separator, _): throw fail("a comma or the end of the list or object was expected")
    default: throw fail("text stands after the document")
    }
  }

  private mutating func openValue(_ byte: UInt8) throws(JSONError) {
    switch byte {
    case UInt8(ascii: "\""):
      isName = false
      openString()
    case UInt8(ascii: "["):
      let emits = emitDepth == 0 && !itemPaths.isEmpty && itemPaths.contains(path)
      try push(Frame(isArray: true, emits: emits))
      if emits {
        foundItems = true
        emitDepth = stack.count
      }
      state = .firstElement
    case UInt8(ascii: "{"):
      try push(Frame(isArray: false, emits: false))
      state = .firstName
    case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
      text = [byte]
      state = .literal
    case UInt8(ascii: "-"), 0x30...0x39:
      text = [byte]
      state = .number
    default: throw fail("a value was expected")
    }
  }

  /// The member names that lead to the value about to open; something no path can equal inside a list.
  private var path: [String] { stack.map { $0.isArray ? "\u{0}" : $0.name } }

  private mutating func push(_ frame: Frame) throws(JSONError) {
    guard stack.count < limits.depth else { throw fail("the nesting is deeper than \(limits.depth) levels") }
    stack.append(frame)
  }

  private mutating func close(_ emitted: inout [Value]) throws(JSONError) {
    guard let frame = stack.popLast() else { throw fail("a closing bracket has no opening one") }
    if frame.emits { emitDepth = 0 }
    try add(frame.isArray ? .array(frame.elements) : .object(frame.members), &emitted)
  }

  private mutating func add(_ value: Value, _ emitted: inout [Value]) throws(JSONError) {
    guard let top = stack.indices.last else {
      root = value
      state = .end
      return
    }
    state = .separator
    if stack[top].emits {
      emitted.append(value)
      elementBytes = 0
    } else if stack[top].isArray {
      stack[top].elements.append(value)
    } else {
      stack[top].members[stack[top].name] = value
    }
  }

  // MARK: Scalars

  private mutating func openString() {
    text.removeAll(keepingCapacity: true)
    state = .string
  }

  private mutating func closeString(_ emitted: inout [Value]) throws(JSONError) {
    if highSurrogate != 0 { throw fail("a text holds a lone surrogate") }
    guard let string = String(validating: text, as: UTF8.self) else { throw fail("a text is not valid UTF-8") }
    if isName {
      if let top = stack.indices.last { stack[top].name = string }
      state = .colon
    } else {
      try add(.string(string), &emitted)
    }
  }

  private mutating func takeEscape(_ byte: UInt8) throws(JSONError) {
    if byte == UInt8(ascii: "u") {
      hexDigits = 0
      codeUnit = 0
      state = .unicode
      return
    }
    if highSurrogate != 0 { throw fail("a text holds a lone surrogate") }
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    default: throw fail("an unknown escape stands in a text")
    }
    state = .string
  }

  private mutating func takeHexDigit(_ byte: UInt8) throws(JSONError) {
    switch byte {
    case 0x30...0x39: codeUnit = codeUnit << 4 | UInt32(byte - 0x30)
    case 0x41...0x46: codeUnit = codeUnit << 4 | UInt32(byte - 0x37)
    case 0x61...0x66: codeUnit = codeUnit << 4 | UInt32(byte - 0x57)
    default: throw fail("an escape in a text has a digit that is not hexadecimal")
    }
    hexDigits += 1
    guard hexDigits == 4 else { return }
    state = .string
    switch (codeUnit, highSurrogate) {
    case (0xD800...0xDBFF, 0):
      highSurrogate = codeUnit
      return
    case (0xDC00...0xDFFF, 1...):
      codeUnit = 0x10000 + (highSurrogate - 0xD800) << 10 + (codeUnit - 0xDC00)
      highSurrogate = 0
    case (0xD800...0xDFFF, _), (_, 1...): throw fail("a text holds a lone surrogate")
    default: break
    }
    guard let scalar = Unicode.Scalar(codeUnit) else { throw fail("an escape in a text names no character") }
    text.append(contentsOf: UTF8.encode(scalar).map { Array($0) } ?? [])
  }

  private mutating func closeNumber(_ emitted: inout [Value]) throws(JSONError) {
    guard let number = Number(String(decoding: text, as: UTF8.self)) else { throw fail("a number is malformed") }
    try add(.number(number), &emitted)
  }

  private mutating func closeLiteral(_ emitted: inout [Value]) throws(JSONError) {
    switch (text.count, text.first) {
    case (4, UInt8(ascii: "t")) where text.elementsEqual("true".utf8): try add(true, &emitted)
    case (5, UInt8(ascii: "f")) where text.elementsEqual("false".utf8): try add(false, &emitted)
    case (4, UInt8(ascii: "n")) where text.elementsEqual("null".utf8): try add(.null, &emitted)
    case (...3, _), (4, UInt8(ascii: "f")): break
    default: throw fail("an unknown word stands where a value was expected")
    }
  }
}
