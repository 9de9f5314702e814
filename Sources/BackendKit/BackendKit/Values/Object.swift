/// The members of a JSON object in the order they came.
///
/// Names are told apart by their code points: two spellings of "é" are two members, as on the wire. Of a name that is
/// given twice the last value counts, at the place of the first.
public struct Object: Sendable, Hashable {
  /// The names, in order.
  public private(set) var names: [String] = []
  private var values: [Value] = []
  // Built once an object is large, so that a hostile body with 100,000 members costs no quadratic time.
  private var places: [[UInt8]: Int]?

  /// An object without members.
  public init() {}

  /// An object with these members; of a repeated name the last value counts.
  public init(_ members: some Sequence<(String, Value)>) {
    for (name, value) in members { self[name] = value }
  }

  /// An object with at most ``searchedCount`` members, no name twice.
  init(names: [String], values: [Value]) {
    self.names = names
    self.values = values
  }

  /// How many names are searched one after the other before a table is made of them.
  static let searchedCount = 32

  /// How many members there are.
  public var count: Int { names.count }

  /// Whether there are no members.
  public var isEmpty: Bool { names.isEmpty }

  /// The members in order.
  public var members: Zip2Sequence<[String], [Value]> { zip(names, values) }

  /// The value of a member; nil is an absent member, which differs from `.null`. Setting nil removes it.
  public subscript(name: String) -> Value? {
    get { place(of: name).map { values[$0] } }
    set {
      let place = place(of: name)
      switch (place, newValue) {
      case (let place?, let value?): values[place] = value
      case (let place?, nil): remove(at: place)
      case (nil, let value?): append(name, value)
      case (nil, nil): break
      }
    }
  }

  private func place(of name: String) -> Int? {
    if let places { return places[Array(name.utf8)] }
    return names.firstIndex { $0.hasSameBytes(as: name) }
  }

  private mutating func append(_ name: String, _ value: Value) {
    names.append(name)
    values.append(value)
    if places != nil {
      places?[Array(name.utf8)] = names.count - 1
    } else if names.count > Object.searchedCount {
      reindex()
    }
  }

  private mutating func remove(at place: Int) {
    names.remove(at: place)
    values.remove(at: place)
    if places != nil { reindex() }
  }

  private mutating func reindex() {
    var places: [[UInt8]: Int] = [:]
    for (place, name) in names.enumerated() { places[Array(name.utf8)] = place }
    self.places = places
  }

  /// Whether both have the same members with the same content in the same order.
  public static func == (left: Object, right: Object) -> Bool {
    left.values == right.values && left.names.elementsEqual(right.names) { $0.hasSameBytes(as: $1) }
  }

  /// Feeds names and values to the hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(names.count)
    hasher.combine(values)
  }
}
