/// A JSON reader that is fed in chunks and emits list elements as they end.
///
/// It keeps the text of numbers and the order of members. If an object repeats a name, the last value counts, since
/// servers do that; in an input it is an error (``read(input:limits:takesMark:)``). A lone surrogate, invalid UTF-8, a
/// malformed number or text after the document is an error: nothing is replaced silently. An initial byte-order mark is
/// skipped.
///
/// If `items` names a place, each element of the array there is emitted as soon as it ends and is not kept, so that a
/// list of any length needs the memory of one element. The result does not depend on how the text is cut into chunks.
public struct JSONReader {
  /// Limits that keep a hostile body from filling the memory.
  public struct Limits: Sendable, Hashable {
    /// The longest element of the list, in bytes.
    public var element: Int
    /// The longest document, in bytes, without emitted elements.
    public var document: Int
    /// The deepest nesting.
    public var depth: Int

    /// Limits; by default 16 MiB an element, 64 MiB a document and 256 levels.
    public init(element: Int = 16 << 20, document: Int = 64 << 20, depth: Int = 256) {
      self.element = element
      self.document = document
      self.depth = depth
    }
  }

  /// The place of emitted elements.
  public enum Items: Sendable, Hashable {
    /// Nowhere: the document is read whole.
    case none
    /// In arrays at these member paths; the empty path is the document itself, and `*` is any member.
    case at([[String]])
    /// In every array that is a member of the document. Each element is emitted as an object with one member, named
    /// after the array.
    case members
  }

  enum State {
    case mark, value, firstElement, firstName, name, colon, separator, end
    case string, escape, unicode
    case number, literal, word
  }

  struct Frame {
    var isArray: Bool
    var emits = false
    var elements: [Value] = []
    var members = ObjectBuilder()
  }

  let limits: Limits
  let itemPaths: [[String]]
  let takesMembers: Bool
  /// True if a duplicate name in an object is an error.
  private(set) var refusesDuplicates = false
  /// True if an emitted element may have values that are no JSON: texts and words whose end is certain. Null takes their
  /// place, or U+FFFD that of half a surrogate pair, and ``flaws`` has the reason.
  var passesFlaws = false
  /// The first such value of each of the last emitted elements, by its index among them.
  private(set) var flaws: [Int: JSONFlaw] = [:]
  /// The first of the current element that is lost, otherwise the first.
  private var flaw: JSONFlaw?
  /// True if the text being read is one.
  var isFlawed = false
  var state = State.value
  var stack: [Frame] = []
  // The names of the last object at each depth, since records of a list have the same ones.
  var shapes: [MemberNames] = []
  var text: [UInt8] = []
  var isName = false
  var hexDigits = 0
  var codeUnit: UInt32 = 0
  var highSurrogate: UInt32 = 0
  var root: Value?
  var offset = 0
  // The first offset beyond the current limit, checked once per token instead of per byte.
  var ceiling: Int
  var emitDepth = 0
  var emitStart = 0
  var emittedBytes = 0

  /// True if there was an array at one of the places, whose elements were emitted.
  public internal(set) var foundItems = false

  /// A reader.
  public init(items: Items = .none, limits: Limits = Limits()) {
    self.limits = limits
    ceiling = limits.document
    if case .at(let paths) = items { itemPaths = paths } else { itemPaths = [] }
    takesMembers = items == .members
  }

  /// Reads a whole text.
  public static func read(_ bytes: some Collection<UInt8>, limits: Limits = Limits()) throws(JSONError) -> Value {
    var reader = JSONReader(limits: limits)
    _ = try reader.feed(bytes)
    return try reader.finish()
  }

  /// Reads a whole text that is an input: written by a person, or passed by another program.
  ///
  /// A repeated member name is an error, since one of its values would be dropped silently. `takesMark` permits a
  /// byte-order mark before the text, as at the start of a file.
  public static func read(
    input bytes: some Collection<UInt8>, limits: Limits = Limits(), takesMark: Bool = true
  ) throws(JSONError) -> Value {
    if !takesMark, bytes.starts(with: byteOrderMark) {
      throw JSONError("a byte-order mark is allowed at the start of a file only", offset: 0)
    }
    var reader = JSONReader(limits: limits)
    reader.refusesDuplicates = true
    _ = try reader.feed(bytes)
    return try reader.finish()
  }

  /// The bytes of a byte-order mark in UTF-8.
  public static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Reads a whole text.
  public static func read(_ text: String) throws(JSONError) -> Value { try read(Array(text.utf8)) }

  /// Reads the next bytes and returns the elements that end within them.
  public mutating func feed(_ bytes: some Sequence<UInt8>) throws(JSONError) -> [Value] {
    var emitted: [Value] = []
    flaws = [:]
    func take(_ chunk: UnsafeBufferPointer<UInt8>) -> Result<Void, JSONError> {
      Result { () throws(JSONError) in try read(chunk, &emitted) }
    }
    let result = bytes.withContiguousStorageIfAvailable(take) ?? Array(bytes).withUnsafeBufferPointer(take)
    try result.get()
    return emitted
  }

  /// Ends the text, and returns the document with empty arrays in place of emitted elements.
  public mutating func finish() throws(JSONError) -> Value {
    if state == .number, stack.isEmpty {
      var none: [Value] = []
      try text.withUnsafeBufferPointer { number in
        Result { () throws(JSONError) in try closeNumber(number, &none) }
      }.get()
    }
    guard let root, state == .end else {
      throw JSONError(offset == 0 ? "the text is empty" : "the text ends unexpectedly", offset: offset)
    }
    return root
  }

  func fail(_ reason: String) -> JSONError { JSONError(reason, offset: offset) }

  /// Notes a value that is not JSON, or a text with a replaced character. Throws unless that is passed over.
  mutating func pass(_ reason: String, isLost: Bool = true) throws(JSONError) {
    guard passesFlaws, emitDepth > 0 else { throw fail(reason) }
    if isLost { isFlawed = true }
    guard flaw == nil || isLost && flaw?.isLost == false else { return }
    let path = flawedPath
    let place = path.isEmpty ? "" : "member \(Self.shortened(path)): "
    flaw = JSONFlaw(reason: place + fail(reason).description, isLost: isLost)
  }

  /// The path within the element to the value being read.
  private var flawedPath: String {
    var path = ""
    for (depth, frame) in stack.enumerated().dropFirst(emitDepth) {
      if frame.isArray {
        path += "[\(frame.elements.count)]"
      } else if !(isName && depth == stack.count - 1) {
        path += (path.isEmpty ? "" : ".") + frame.members.name
      }
    }
    return path
  }

  /// Adds an element to those that were read, with what is wrong with it.
  mutating func emit(_ value: Value, _ emitted: inout [Value]) {
    if let flaw { flaws[emitted.count] = flaw }
    flaw = nil
    emitted.append(value)
  }

  private mutating func read(_ chunk: UnsafeBufferPointer<UInt8>, _ emitted: inout [Value]) throws(JSONError) {
    let start = offset
    var place = 0
    while place < chunk.count {
      offset = start + place
      guard offset < ceiling else {
        throw fail(
          emitDepth > 0
            ? "a record is longer than \(limits.element) bytes" : "the body is longer than \(limits.document) bytes")
      }
      let rest = UnsafeBufferPointer(rebasing: chunk[place..<min(chunk.count, ceiling - start)])
      switch state {
      case .string: place += try takeText(rest, &emitted)
      case .number: place += try takeNumber(rest, &emitted)
      case .word: place += try takeWord(rest, &emitted)
      case .literal where Self.endsWord(chunk[place]): try openWord("expected a value, found an unknown word")
      case .escape, .unicode, .literal:
        try takeScalarByte(chunk[place], &emitted)
        place += 1
      case .value, .firstElement:
        if chunk[place] == UInt8(ascii: "{"), let length = takeElement(rest, &emitted) {
          place += length
          continue
        }
        fallthrough
      default:
        try takeStructure(chunk[place], &emitted)
        place += 1
      }
    }
    offset = start + chunk.count
  }
}

/// A value of a list that is no JSON.
public struct JSONFlaw: Sendable, Hashable {
  /// The member, the reason and the byte, as a clause. May quote the server: it is untrusted text.
  public let reason: String
  /// True if the value is unknown; false if only U+FFFD takes the place of characters in its text.
  public let isLost: Bool
}
