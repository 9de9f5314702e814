/// Brackets, commas, colons, and the beginnings and ends of values.
extension JSONReader {
  mutating func takeStructure(_ byte: UInt8, _ emitted: inout [Value]) throws(JSONError) {
    switch (state, byte) {
    case (.mark, _): try takeMark(byte)
    case (_, 0x20), (_, 0x09), (_, 0x0A), (_, 0x0D): return
    case (.firstElement, UInt8(ascii: "]")): try close(&emitted)
    case (.value, _), (.firstElement, _): try openValue(byte)
    case (.firstName, UInt8(ascii: "}")): try close(&emitted)
    case (.firstName, UInt8(ascii: "\"")), (.name, UInt8(ascii: "\"")):
      isName = true
      openString()
    case (.firstName, _), (.name, _): throw fail("expected a member name")
    case (.colon, UInt8(ascii: ":")): state = .value
    case (.colon, _): throw fail("expected a colon")
    case (.separator, UInt8(ascii: ",")): state = stack.last?.isArray == true ? .value : .name
    case (.separator, UInt8(ascii: "]")) where stack.last?.isArray == true: try close(&emitted)
    case (.separator, UInt8(ascii: "}")) where stack.last?.isArray == false: try close(&emitted)
    case (.separator, _): throw fail("expected a comma or the end of the list or object")
    default: throw fail("unexpected text after the document")
    }
  }

  /// Reads the second and third byte of a byte-order mark.
  private mutating func takeMark(_ byte: UInt8) throws(JSONError) {
    guard byte == (offset == 1 ? 0xBB : 0xBF) else { throw fail("expected a value") }
    if offset == 2 { state = .value }
  }

  private mutating func openValue(_ byte: UInt8) throws(JSONError) {
    isName = false
    switch byte {
    case UInt8(ascii: "\""): openString()
    case UInt8(ascii: "["): try openArray()
    case UInt8(ascii: "{"):
      try push(Frame(isArray: false, members: ObjectBuilder(expecting: shape(at: stack.count).all)))
      state = .firstName
    case UInt8(ascii: "t"), UInt8(ascii: "f"), UInt8(ascii: "n"):
      text.removeAll(keepingCapacity: true)
      text.append(byte)
      state = .literal
    case UInt8(ascii: "-"), 0x30...0x39:
      text.removeAll(keepingCapacity: true)
      text.append(byte)
      state = .number
    case 0xEF where offset == 0: state = .mark
    case _ where Self.endsWord(byte): throw fail("expected a value")
    default:
      text = [byte]
      try openWord("expected a value")
    }
  }

  private mutating func openArray() throws(JSONError) {
    let isMember = takesMembers && stack.count == 1 && !stack[0].isArray
    let emits = emitDepth == 0 && (isMember || !itemPaths.isEmpty && itemPaths.contains { leadsHere($0) })
    try push(Frame(isArray: true, emits: emits))
    state = .firstElement
    guard emits else { return }
    foundItems = true
    emitDepth = stack.count
    emitStart = offset + 1
    ceiling = sum(emitStart, limits.element)
  }

  /// Returns whether the path of member names, where `*` matches any, leads to the value about to open, without passing
  /// a list.
  private func leadsHere(_ path: [String]) -> Bool {
    path.count == stack.count
      && zip(path, stack).allSatisfy { name, frame in
        !frame.isArray && (frame.members.name.hasSameBytes(as: name) || name == "*")
      }
  }

  /// Reads an element of an emitted list, if it is an object that can stay text. Returns its length, or nil if it has
  /// to be decoded.
  mutating func takeElement(_ bytes: UnsafeBufferPointer<UInt8>, _ emitted: inout [Value]) -> Int? {
    guard emitDepth > 0, stack.count == emitDepth, !takesMembers, stack.count < limits.depth,
      let found = CompactObject.scan(bytes, like: shape(at: stack.count), depth: limits.depth - stack.count - 1)
    else { return nil }
    keep(found.object.names)
    offset += found.length - 1
    add(.object(Object(packed: found.object)), &emitted)
    return found.length
  }

  private mutating func push(_ frame: Frame) throws(JSONError) {
    guard stack.count < limits.depth else { throw fail("nested more than \(limits.depth) levels deep") }
    stack.append(frame)
  }

  private mutating func close(_ emitted: inout [Value]) throws(JSONError) {
    guard let frame = stack.popLast() else { throw fail("a closing bracket has no matching opening bracket") }
    if frame.emits {
      emitDepth = 0
      emittedBytes += offset + 1 - emitStart
      ceiling = sum(emittedBytes, limits.document)
    }
    if frame.isArray {
      add(.array(frame.elements), &emitted)
    } else {
      let object = frame.members.object
      let names = object.names
      if shape(at: stack.count).all != names { keep(MemberNames(names)) }
      add(.object(object), &emitted)
    }
  }

  private func shape(at depth: Int) -> MemberNames { depth < shapes.count ? shapes[depth] : .none }

  private mutating func keep(_ shape: MemberNames) {
    while shapes.count <= stack.count { shapes.append(.none) }
    shapes[stack.count] = shape
  }

  mutating func add(_ value: Value, _ emitted: inout [Value]) {
    let top = stack.count - 1
    guard top >= 0 else {
      root = value
      state = .end
      return
    }
    state = .separator
    if stack[top].emits {
      emit(takesMembers ? .object(Object([(stack[top - 1].members.name, value)])) : value, &emitted)
      ceiling = sum(offset + 1, limits.element)
    } else if stack[top].isArray {
      stack[top].elements.append(value)
    } else {
      stack[top].members.add(value)
    }
  }

  private func sum(_ left: Int, _ right: Int) -> Int {
    let (sum, overflow) = left.addingReportingOverflow(right)
    return overflow ? .max : sum
  }
}
