public import BackendKit

/// A service described by data: its file, on top of the preset that the file names, below the changes of a
/// configuration.
///
/// Nothing in it is executed, and all of it is checked before any of it counts: it may come from a stranger.
public struct Description: Sendable {
  /// The merged layers: preset, file and changes.
  public let tree: Node
  private let layers: [Node]
  /// The presets that were not tested with a server, by their names in places.
  private let documentary: Set<String>
  /// True if the user trusts the party that names the description; see ``DescriptionSource/isTrusted``.
  private var isTrusted = false
  private var companion: DescriptionSource.Companion?

  /// Merges a file and the changes to it. Throws the mistakes in all layers.
  public init(_ file: Node, changes: Node? = nil) throws(Mistakes) {
    let given = [file] + (changes.map { [$0] } ?? [])
    var check = Check()
    for layer in given { check.check(layer, .section(.description)) }
    var layers = given
    var documentary: Set<String> = []
    // The last layer that names a preset decides. A preset may itself have a preset.
    var named = given.last { $0["preset"]?.value.text != nil }?["preset"]
    while let node = named, let name = node.value.text {
      guard let preset = Preset(named: name) else {
        let unknown = Mistake(
          node.place, "unknown preset \"\(name)\"", for: name, among: Preset.names, "presets")
        throw Mistakes(check.mistakes + [unknown])
      }
      let tree = try preset.tree()
      check.check(tree, .section(.description))
      layers.insert(tree, at: 0)
      if !preset.isRun { documentary.insert(tree.place.file) }
      named = tree["preset"]
    }
    guard check.mistakes.isEmpty else { throw Mistakes(check.mistakes) }
    self.layers = layers
    self.documentary = documentary
    tree = layers.dropFirst().reduce(layers[0]) { below, layer in layer.over(below, .section(.description)) }
  }

  /// Reads a file. Throws its mistakes.
  public init(reading bytes: [UInt8], file: String, changes: Node? = nil) throws(Mistakes) {
    try self.init(try DescriptionText.read(bytes, file: file), changes: changes)
  }

  /// Reads the description that the console passes to an adapter.
  public init(_ source: DescriptionSource) throws(Mistakes) {
    let changes = source.changes.map { Node($0.value, file: $0.file, path: $0.path) }
    let plain = Node(["preset": "plain"], at: changes?.place ?? Place(file: "the backend \(source.backend)"))
    let file = try source.file.map { file throws(Mistakes) in try DescriptionText.read(file.bytes, file: file.name) }
    try self.init(file ?? plain, changes: changes)
    (isTrusted, companion) = (source.isTrusted, source.companion)
  }

  /// Returns the service. Throws all mistakes. `hooks` returns what a plugin exports under a name.
  public func service(
    hooks: (_ plugin: String, _ name: String) throws(BackendError) -> Service.Hooks = Description.noHooks
  ) throws(Mistakes) -> Service {
    let reading = Reading(isTrusted: isTrusted, documentary: documentary)
    let service = ServiceFacts(SectionNode(tree, at: tree.place, reading))
      .service(beside: companion, hooks: hooks)
    guard reading.mistakes.isEmpty else { throw Mistakes(reading.mistakes) }
    return service
  }

  /// A resource with the settings that all resources share; nil if the description does not name it.
  public func resource(_ name: String) -> Node? {
    guard let own = tree["resources"]?[name], !own.isNull else { return nil }
    return own.over(tree.only(Section.sharedKeys.contains), .section(.resource))
  }

  /// The sections of a resource that only a document of the service describes, as the file beside the description has
  /// them; nil if it does not name it. Throws `misconfigured` if the file is not the one that belongs to it.
  public func documented(_ name: String) throws(BackendError) -> Object? {
    try DocumentedFacts(SectionNode(tree["documented"], at: tree.place, Reading())).sections(of: name, in: companion)
  }

  /// Returns the login scheme; nil if the description has none.
  public func login() throws(Mistakes) -> LoginScheme? {
    guard let node = tree["login"], !node.isNull else { return nil }
    do { return try LoginScheme(reading: node.value) } catch {
      let place = error.path.reduce((node as Node?, node.place)) { found, name in
        let next = found.0?[name]
        return (next, next?.place ?? found.1.at(name))
      }.1
      let hint =
        error.known.isEmpty
        ? error.hint : Mistake.hint(for: error.path.last, among: error.known, "known keys")
      throw Mistakes([Mistake(place, error.message, hint: hint)])
    }
  }

  /// Refuses every hook.
  public static func noHooks(_ plugin: String, _ name: String) throws(BackendError) -> Service.Hooks {
    throw .misconfigured("hooks cannot be used here")
  }
}
