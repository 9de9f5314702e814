import Synchronization

/// The facts about a resource that are known before it is used.
public struct ResourceOutline: Sendable, Hashable {
  /// The name that commands use.
  public var name: String
  /// The group that the service's document puts it in; nil if it names none.
  public var group: String?
  /// The resources whose records own its records.
  public var owners: [String]

  /// An outline.
  public init(name: String, group: String? = nil, owners: [String] = []) {
    self.name = name
    self.group = group
    self.owners = owners
  }
}

/// Resources that only a document of the service describes: each is read when it is first used, so that a service may
/// have many.
public final class OutlinedResources<Content: Sendable>: Sendable {
  /// The resources, in the order of the document.
  public let outlines: [ResourceOutline]
  private let places: [String: Int]
  /// The places of the names in lowercase letters.
  private let alike: [String: [Int]]
  private let load: @Sendable (ResourceOutline) throws(BackendError) -> Content
  private let loaded = Mutex<[String: Content]>([:])

  /// Resources, and the function that reads one of them.
  public init(
    _ outlines: [ResourceOutline], load: @escaping @Sendable (ResourceOutline) throws(BackendError) -> Content
  ) {
    (self.outlines, self.load) = (outlines, load)
    places = Dictionary(outlines.indices.map { (outlines[$0].name, $0) }, uniquingKeysWith: { first, _ in first })
    alike = Dictionary(grouping: outlines.indices) { outlines[$0].name.lowercased() }
  }

  private init<Other>(
    _ other: OutlinedResources<Other>, load: @escaping @Sendable (ResourceOutline) throws(BackendError) -> Content
  ) {
    (outlines, places, alike, self.load) = (other.outlines, other.places, other.alike, load)
  }

  /// The outline with this name, otherwise the only one whose name differs just in case.
  public func outline(named name: String) -> ResourceOutline? {
    if let place = places[name] { return outlines[place] }
    let alike = alike[name.lowercased()] ?? []
    return alike.count == 1 ? outlines[alike[0]] : nil
  }

  /// Reads the resource with this name; nil if there is none. Throws if what is stored of it cannot be used.
  public func content(of name: String) throws(BackendError) -> Content? {
    guard let outline = outline(named: name) else { return nil }
    if let known = loaded.withLock({ $0[outline.name] }) { return known }
    let content = try load(outline)
    loaded.withLock { $0[outline.name] = content }
    return content
  }

  /// The same resources, each converted when it is read.
  public func map<Other: Sendable>(
    _ convert: @escaping @Sendable (Content) -> Other
  ) -> OutlinedResources<Other> {
    OutlinedResources<Other>(self) { [self] outline throws(BackendError) in
      guard let content = try content(of: outline.name) else {
        throw BackendError(.notFound, "unknown resource \"\(outline.name)\"", effect: .notSent)
      }
      return convert(content)
    }
  }
}

extension OutlinedResources: Hashable {
  /// Compares what is known without reading a resource.
  public static func == (left: OutlinedResources, right: OutlinedResources) -> Bool { left.outlines == right.outlines }

  /// Hashes what is known without reading a resource.
  public func hash(into hasher: inout Hasher) { hasher.combine(outlines) }
}
