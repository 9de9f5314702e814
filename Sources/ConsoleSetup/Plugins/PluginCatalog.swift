public import BackendKit
import ConsoleSystem
import Files
import Glibc
import Synchronization

/// The available plugins, found by name in fixed places. Libraries are loaded at their first use and kept; a program is
/// started for each backend that names it.
public final class PluginCatalog: Sendable {
  /// The places, in order of precedence.
  public let searchPath: [PluginFolder]
  private let owners: Set<UInt32>
  private let loaded = Mutex<[String: Result<Plugin, PluginError>]>([:])
  private let programs: RunningPrograms

  /// A catalog of these places. `owners` are users besides root and the current one whose files are opened. Programs
  /// get the environment, and have `limit` for each answer.
  public init(
    searchPath: [PluginFolder], owners: Set<UInt32> = [], environment: [String: String] = [:],
    limit: Duration = .seconds(10)
  ) {
    self.searchPath = searchPath
    self.owners = owners
    programs = RunningPrograms(ProgramSurroundings(environment), limit: limit)
  }

  /// The default places: next to the executable, `lib/switchboard/plugins` if that is in a `bin` folder or in
  /// `lib/switchboard`, the user's own folder, and the folders or files of `--plugin-path`.
  public static func `default`(
    executable: String, pluginPaths: [String], environment: [String: String]
  ) -> PluginCatalog {
    let home = Path.folder(of: executable)
    var folders = [PluginFolder(home, holdsPrograms: false)]
    if Path.name(of: home) == "bin" {
      let prefix = Path.folder(of: home)
      folders.append(PluginFolder((prefix == "/" ? "" : prefix) + "/lib/switchboard/plugins"))
    } else if home.hasSuffix("/lib/switchboard") {
      // A package puts the program itself there, and a link to it into PREFIX/bin.
      folders.append(PluginFolder(home + "/plugins"))
    }
    if let data = UserFolders(environment: environment).data { folders.append(PluginFolder(data + "/plugins")) }
    folders += pluginPaths.map { PluginFolder($0, isNamed: true) }
    // The owner of the console's own file can change the console anyway.
    let owner = Permissions(path: executable).map { [UInt32($0.owner)] } ?? []
    return PluginCatalog(searchPath: folders, owners: Set(owner), environment: environment)
  }

  /// Returns the plugins found, in the order of the places, then by name. Opens nothing; reads build stamps.
  public func entries() -> [PluginEntry] {
    var first: [String: String] = [:]
    return candidates().map { file in
      let earlier = first[file.name]
      if earlier == nil { first[file.name] = file.path }
      let state: PluginEntry.State =
        if let earlier { .shadowed(by: earlier) } else { file.problem().map { .refused($0) } ?? .found }
      return PluginEntry(name: file.name, file: file.path, kind: file.kind, state: state)
    }
  }

  /// Notices about named places without a plugin, one line each.
  public var notices: [String] {
    searchPath.filter(\.isNamed).compactMap { place in
      let path = place.path
      guard let permissions = Permissions(path: place.path) else {
        return "there are no plugins at \(path): it does not exist"
      }
      guard !permissions.isFolder, file(at: path, in: place) == nil else { return nil }
      let names = [PluginKind.library, .program].map { PluginName.file("NAME", $0) }
      return "\(path) is ignored: a plugin file is named \(names.joined(separator: " or "))"
    }
  }

  /// The plugin of a name, loaded once. Throws a sentence if there is none or it cannot be used, and the same one again
  /// on later calls. A program is started once for each backend, and refused without one.
  public func load(_ name: String, for backend: String? = nil) throws(PluginError) -> Plugin {
    if let backend, isProgram(name) {
      return try programs.plugin(of: find(name), for: backend, reading: load("rest"))
    }
    let result = loaded.withLock { loaded in
      if let result = loaded[name] { return result }
      let result = Result<Plugin, PluginError> { () throws(PluginError) in try self.open(name) }
      loaded[name] = result
      return result
    }
    return try result.get()
  }

  /// Returns whether the plugin of a name is a program. Opens nothing.
  public func isProgram(_ name: String) -> Bool {
    if case .success = loaded.withLock({ $0[name] }) { return false }
    return (try? find(name))?.kind == .program
  }

  /// Ends the started programs and their children.
  public func end() { programs.end() }

  /// The plugin of an entry; nil for a program, which is not started here. Also throws if its file is shadowed.
  public func load(_ entry: PluginEntry) throws(PluginError) -> Plugin? {
    switch entry.state {
    case .found: return entry.kind == .program ? nil : try load(entry.name)
    case .refused(let error): throw error
    case .shadowed(let earlier):
      throw PluginError(entry.name, file: entry.file, "\(entry.file) is hidden by \(earlier)")
    }
  }

  // MARK: Searching

  private func open(_ name: String) throws(PluginError) -> Plugin {
    let file = try find(name)
    guard file.kind == .library else {
      throw file.error("is a program; it is started only for a backend that uses it")
    }
    return try file.judged().load()
  }

  /// Throws if the plugin of a name cannot be used. A program is checked, but not started.
  public func check(_ name: String) throws(PluginError) {
    guard isProgram(name) else {
      _ = try load(name)
      return
    }
    if let problem = try find(name).problem() { throw problem }
  }

  private func find(_ name: String) throws(PluginError) -> PluginFile {
    guard PluginName.isValid(name) else {
      throw PluginError(
        name, "\"\(name)\" is not a valid plugin name",
        hint: "a name consists of lowercase letters, digits and hyphens, and is not a path")
    }
    for place in searchPath {
      if !isFolder(place.path) {
        if let file = file(at: place.path, in: place), file.name == name { return file }
        continue
      }
      for kind in [PluginKind.library, .program] {
        if let file = file(at: place.path + "/" + PluginName.file(name, kind), in: place) { return file }
      }
    }
    throw missing(name)
  }

  /// The plugin's file at a path, even a dangling link; nil if there is none.
  private func file(at path: String, in place: PluginFolder) -> PluginFile? {
    let name = Path.name(of: path)
    if let name = PluginName.inFile(name), exists(path) {
      return PluginFile(name: name, path: path, kind: .library, owners: owners)
    }
    guard place.holdsPrograms, let name = PluginName.inProgram(name), exists(path), !isFolder(path) else { return nil }
    return PluginFile(name: name, path: path, kind: .program, owners: owners)
  }

  private func missing(_ name: String) -> PluginError {
    let names = Set(candidates().map(\.name)).sorted()
    let places = searchPath.map { isThere($0) ? $0.path : "\($0.path) (not found)" }.joined(separator: ", ")
    let known = names.isEmpty ? "none found" : "found: \(names.joined(separator: ", "))"
    return PluginError(
      name, "unknown plugin \"\(name)\": searched \(places); \(known)",
      hint: SpellingSuggestion.suggestion(for: name, among: names).map { "did you mean \($0)?" })
  }

  private func candidates() -> [PluginFile] {
    searchPath.flatMap { place in
      isFolder(place.path)
        ? (FolderListing.names(in: place.path) ?? []).sorted().compactMap { file(at: place.path + "/" + $0, in: place) }
        : [file(at: place.path, in: place)].compactMap(\.self)
    }
  }

  private func isThere(_ folder: PluginFolder) -> Bool { Permissions(path: folder.path) != nil }

  private func isFolder(_ path: String) -> Bool { Permissions(path: path)?.isFolder == true }

  /// Returns whether something exists at a path, even a dangling link.
  private func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }
}
