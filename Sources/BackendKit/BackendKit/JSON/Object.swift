/// The members of a JSON object in their original order.
///
/// Names are compared by code points: two spellings of "é" are two members, as on the wire. If a name is repeated the
/// last value counts, at the place of the first.
public struct Object: Sendable, Hashable {
  /// The additional storage of an object: an index of its names, or its text.
  private enum Backing: Sendable {
    case none
    /// The position of each name. Built once an object is large, so that a hostile body with 100,000 members does not
    /// take quadratic time.
    case places([[UInt8]: Int])
    /// The text of the object instead of values, which are decoded on demand.
    case packed(CompactObject)
  }

  // Both are empty while the object is packed.
  private var ownNames: [String] = []
  private var values: [Value] = []
  private var backing = Backing.none

  /// An object without members.
  public init() {}

  /// An object with these members; of a repeated name the last value counts.
  public init(_ members: some Sequence<(String, Value)>) {
    for (name, value) in members { self[name] = value }
  }

  /// An object with at most ``searchedCount`` members without repeated names.
  init(names: [String], values: [Value]) {
    ownNames = names
    self.values = values
  }

  /// An object whose members are text, without repeated names.
  init(packed: CompactObject) { backing = .packed(packed) }

  /// The largest number of names that are searched linearly, before an index is built.
  static let searchedCount = 32

  /// The names, in order.
  public var names: [String] { packed?.names.all ?? ownNames }

  /// The number of members.
  public var count: Int { names.count }

  /// True if there are no members.
  public var isEmpty: Bool { names.isEmpty }

  /// The members in order.
  public var members: Zip2Sequence<[String], [Value]> { zip(names, allValues) }

  /// The text of the members; nil if they are values.
  var packed: CompactObject? { if case .packed(let object) = backing { object } else { nil } }

  /// Appends the text of a member's value on several lines; a text or number is not decoded for it.
  func write(at place: Int, indentation: Int, to bytes: inout [UInt8]) {
    let isCopied = packed?.withText(at: place) { text -> Bool in
      guard text[0] != UInt8(ascii: "{"), text[0] != UInt8(ascii: "[") else { return false }
      bytes.append(contentsOf: text)
      return true
    }
    if isCopied == true { return }
    JSONWriter.write(packed?.value(at: place) ?? values[place], indentation: indentation, to: &bytes)
  }

  /// Calls `body` with the JSON text of the member at a place; nil if the members are values.
  public func withText<Result>(at place: Int, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result? {
    packed?.withText(at: place, body)
  }

  private var allValues: [Value] { packed?.values ?? values }

  /// Decodes all members.
  private mutating func unpack() {
    guard let packed else { return }
    ownNames = packed.names.all
    values = packed.values
    backing = .none
  }

  /// The value of a member; nil for an absent member, which differs from `.null`. Setting nil removes it.
  public subscript(name: String) -> Value? {
    get {
      if case .packed(let object) = backing { return object.place(of: name).map(object.value) }
      return place(of: name).map { values[$0] }
    }
    set {
      let place = place(of: name)
      if place == nil, newValue == nil { return }
      if let place, newValue == nil, case .packed(let object) = backing {
        backing = .packed(object.without(place))
        return
      }
      unpack()
      switch (place, newValue) {
      case (let place?, let value?): values[place] = value
      case (let place?, nil): remove(at: place)
      case (nil, let value?): append(name, value)
      case (nil, nil): break
      }
    }
  }

  /// Returns whether there is a member with this name, without decoding it.
  public func has(_ name: String) -> Bool { place(of: name) != nil }

  /// Returns whether both have the same members, in any order.
  func hasSameMembers(as other: Object) -> Bool {
    self == other || count == other.count && members.allSatisfy { name, value in other[name] == value }
  }

  /// The members with these names in their order, then the others in theirs.
  public func ordered(by names: [String]) -> Object {
    let first = names.filter(has)
    if self.names.starts(with: first) { return self }
    let rest = self.names.filter { !first.contains($0) }
    return Object((first + rest).compactMap { name in self[name].map { (name, $0) } })
  }

  /// Returns the index of a member; nil if there is none.
  public func place(of name: String) -> Int? {
    if case .packed(let object) = backing { return object.place(of: name) }
    if case .places(let places) = backing { return places[Array(name.utf8)] }
    return ownNames.firstIndex { $0.hasSameBytes(as: name) }
  }

  private mutating func append(_ name: String, _ value: Value) {
    ownNames.append(name)
    values.append(value)
    if case .places(var places) = backing {
      // Not copied: nothing else references it.
      backing = .none
      places[Array(name.utf8)] = ownNames.count - 1
      backing = .places(places)
    } else if ownNames.count > Object.searchedCount {
      reindex()
    }
  }

  private mutating func remove(at place: Int) {
    ownNames.remove(at: place)
    values.remove(at: place)
    if case .places = backing { reindex() }
  }

  private mutating func reindex() {
    var places: [[UInt8]: Int] = [:]
    for (place, name) in ownNames.enumerated() { places[Array(name.utf8)] = place }
    backing = .places(places)
  }

  /// Returns whether both objects have the same members with the same content in the same order.
  public static func == (left: Object, right: Object) -> Bool {
    left.names.count == right.names.count && left.names.elementsEqual(right.names) { $0.hasSameBytes(as: $1) }
      && left.allValues == right.allValues
  }

  /// Hashes names and values.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(names.count)
    hasher.combine(allValues)
  }
}

extension Object {
  /// The object with this JSON text, which usually has the member names of another one. It stays text until it is
  /// accessed, if possible.
  package init(json: ArraySlice<UInt8>, like other: Object) throws(JSONError) {
    let names = other.packed?.names ?? .none
    let packed = json.withUnsafeBufferPointer { bytes -> CompactObject? in
      guard let found = CompactObject.scan(bytes, like: names, depth: .max), found.length == bytes.count else {
        return nil
      }
      return found.object
    }
    if let packed {
      self.init(packed: packed)
      return
    }
    let limits = JSONReader.Limits(element: .max / 4, document: .max / 4, depth: 1 << 12)
    guard let object = try JSONReader.read(json, limits: limits).object else {
      throw JSONError("the text is not an object", offset: 0)
    }
    self = object
  }
}
