/// Collects the members of an object being read.
///
/// While the names are those of the previous object, in the same order, they are neither created nor checked for
/// repetition: the finished object shares them.
struct ObjectBuilder {
  private let expected: [String]
  private var values: [Value] = []
  // Set once a name differs from the expected one.
  private var own: Object?
  private var ownName = ""

  init(expecting names: [String] = []) {
    // A larger object needs an index of its names, which sharing would not save.
    expected = names.count <= Object.searchedCount ? names : []
    values.reserveCapacity(expected.count)
  }

  /// The name of the member that is open.
  var name: String { own == nil && values.count < expected.count ? expected[values.count] : ownName }

  /// Opens the next member if this is the name expected for it.
  mutating func openExpected(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard own == nil, values.count < expected.count else { return false }
    return expected[values.count].hasBytes(bytes)
  }

  /// Returns whether a member with this name was already closed.
  func has(_ name: String) -> Bool {
    if let own { return own[name] != nil }
    return expected.prefix(values.count).contains { $0.hasSameBytes(as: name) }
  }

  /// Opens a member with another name than the expected one.
  mutating func open(_ name: String) {
    if own == nil {
      own = object
      values = []
    }
    ownName = name
  }

  mutating func add(_ value: Value) {
    if own == nil {
      values.append(value)
    } else {
      own?[ownName] = value
    }
  }

  /// The object with the members closed so far.
  var object: Object {
    if let own { return own }
    let names = values.count == expected.count ? expected : Array(expected.prefix(values.count))
    return Object(names: names, values: values)
  }
}
