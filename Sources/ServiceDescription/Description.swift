public import BackendKit

/// A service as it is described in a file: what the file says, over the preset that it names, below what a
/// configuration says otherwise.
///
/// It is data, also where nobody trusts it: nothing of it is run, and it is read whole before anything of it counts.
public struct Description: Sendable {
  /// The whole tree: preset, file and changes in one.
  public let tree: Node
  private let layers: [Node]
  /// The names of presets that were not held against a server, as places in them show them.
  private let documentary: Set<String>
  /// True if the user trusts the party that names it; see ``DescriptionSource/isTrusted``.
  private var isTrusted = false
  private var companion: DescriptionSource.Companion?

  /// Combines the layers of a description: its file and the changes to it. Throws the mistakes in any of them.
  public init(_ file: Node, changes: Node? = nil) throws(Mistakes) {
    let given = [file] + (changes.map { [$0] } ?? [])
    var check = Check()
    for layer in given { check.check(layer, .section(.description)) }
    var layers = given
    var documentary: Set<String> = []
    // The last that names a preset decides, and a preset may be built on another one.
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

  /// Reads a file; what is wrong with it is thrown.
  public init(reading bytes: [UInt8], file: String, changes: Node? = nil) throws(Mistakes) {
    try self.init(try DescriptionText.read(bytes, file: file), changes: changes)
  }

  /// Reads what the console gives an adapter.
  public init(_ source: DescriptionSource) throws(Mistakes) {
    let changes = source.changes.map { Node($0.value, file: $0.file, path: $0.path) }
    let plain = Node(["preset": "plain"], at: changes?.place ?? Place(file: "the backend \(source.backend)"))
    let file = try source.file.map { file throws(Mistakes) in try DescriptionText.read(file.bytes, file: file.name) }
    try self.init(file ?? plain, changes: changes)
    (isTrusted, companion) = (source.isTrusted, source.companion)
  }

  /// The service; `hooks` gives what a plugin exports under a name. Throws all that is wrong.
  public func service(
    hooks: (_ plugin: String, _ name: String) throws(BackendError) -> Service.Hooks = Description.noHooks
  ) throws(Mistakes) -> Service {
    let reading = Reading(isTrusted: isTrusted, documentary: documentary)
    let service = ServiceFacts(SectionNode(tree, at: tree.place, reading))
      .service(beside: companion, hooks: hooks)
    guard reading.mistakes.isEmpty else { throw Mistakes(reading.mistakes) }
    return service
  }

  /// A resource as the engine uses it: its own facts over those of all resources. Nil if it is not named.
  public func resource(_ name: String) -> Node? {
    guard let own = tree["resources"]?[name], !own.isNull else { return nil }
    return own.over(tree.only(Section.sharedKeys.contains), .section(.resource))
  }

  /// Returns the scheme by which the console logs in to the service; nil if the description has none.
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

  /// Gives no hook.
  public static func noHooks(_ plugin: String, _ name: String) throws(BackendError) -> Service.Hooks {
    throw .misconfigured("hooks cannot be used here")
  }
}
