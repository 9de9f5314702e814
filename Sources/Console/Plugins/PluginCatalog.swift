public import BackendKit
import Files
import Glibc
import Synchronization

/// The plugins there are, found by name in fixed places, loaded at their first use and kept.
public final class PluginCatalog: Sendable {
  /// The places, in order: what is found earlier wins.
  public let searchPath: [PluginFolder]
  private let owners: Set<UInt32>
  private let loaded = Mutex<[String: Result<Plugin, PluginError>]>([:])

  /// A catalogue of these places. `owners` are users besides root and the one who runs this process whose files are
  /// opened.
  public init(searchPath: [PluginFolder], owners: Set<UInt32> = []) {
    self.searchPath = searchPath
    self.owners = owners
  }

  /// The usual places: beside the executable, `lib/switchboard/plugins` where it stands in a `bin` folder, the user's
  /// own folder, and those named by `--plugin-path`, folders or files.
  public static func `default`(
    executable: String, pluginPaths: [String], environment: [String: String]
  ) -> PluginCatalog {
    let home = Path.folder(of: executable)
    var folders = [PluginFolder(home)]
    if Path.name(of: home) == "bin" {
      let prefix = Path.folder(of: home)
      folders.append(PluginFolder((prefix == "/" ? "" : prefix) + "/lib/switchboard/plugins"))
    }
    if let data = UserFolders(environment: environment).data { folders.append(PluginFolder(data + "/plugins")) }
    folders += pluginPaths.map { PluginFolder($0, isNamed: true) }
    // Whoever owns the console's own file can change the console: its plugins need not be owned by somebody better.
    let owner = Permissions(path: executable).map { [UInt32($0.owner)] } ?? []
    return PluginCatalog(searchPath: folders, owners: Set(owner))
  }

  /// What is found, in the order of the places, then by name. Nothing is opened; build stamps are read.
  public func entries() -> [PluginEntry] {
    var first: [String: String] = [:]
    return candidates().map { name, path in
      if let earlier = first[name] { return PluginEntry(name: name, file: path, state: .shadowed(by: earlier)) }
      first[name] = path
      let problem = PluginFile(name: name, path: path, owners: owners).problem()
      return PluginEntry(name: name, file: path, state: problem.map { .refused($0) } ?? .found)
    }
  }

  /// Places that were named and give no plugin, one line each.
  public var notices: [String] {
    searchPath.filter(\.isNamed).compactMap { place in
      let path = place.path
      guard let permissions = Permissions(path: place.path) else {
        return "there are no plugins at \(path): it does not exist"
      }
      guard !permissions.isFolder, PluginName.inFile(Path.name(of: place.path)) == nil else { return nil }
      return "\(path) is ignored: a plugin file is named \(PluginName.file("NAME"))"
    }
  }

  /// The plugin of a name, loaded once. Throws a sentence where there is none or it cannot be used; trying again gives
  /// the same answer.
  public func load(_ name: String) throws(PluginError) -> Plugin {
    let result = loaded.withLock { loaded in
      if let result = loaded[name] { return result }
      let result = Result<Plugin, PluginError> { () throws(PluginError) in try self.open(name) }
      loaded[name] = result
      return result
    }
    return try result.get()
  }

  /// The plugin of an entry. Throws where its file is shadowed, too.
  public func load(_ entry: PluginEntry) throws(PluginError) -> Plugin {
    switch entry.state {
    case .found: return try load(entry.name)
    case .refused(let error): throw error
    case .shadowed(let earlier):
      throw PluginError(entry.name, file: entry.file, "\(entry.file) is hidden by \(earlier)")
    }
  }

  // MARK: Searching

  private func open(_ name: String) throws(PluginError) -> Plugin {
    guard PluginName.isValid(name) else {
      throw PluginError(
        name, "\"\(name)\" is not a valid plugin name",
        hint: "a name has small letters, digits and hyphens, and is not a path")
    }
    let file = PluginName.file(name)
    for folder in searchPath {
      let isFile = PluginName.inFile(Path.name(of: folder.path)) != nil && !isFolder(folder.path)
      if isFile && Path.name(of: folder.path) != file { continue }
      let path = isFile ? folder.path : folder.path + "/" + file
      if exists(path) { return try PluginFile(name: name, path: path, owners: owners).judged().load() }
    }
    throw missing(name)
  }

  private func missing(_ name: String) -> PluginError {
    let names = Set(candidates().map(\.name)).sorted()
    let places = searchPath.map { isThere($0) ? $0.path : "\($0.path) (not there)" }.joined(separator: ", ")
    let known = names.isEmpty ? "there is none" : "there are \(names.joined(separator: ", "))"
    return PluginError(
      name, "there is no plugin \"\(name)\": searched \(places); \(known)",
      hint: Nearest.suggestion(for: name, among: names).map { "did you mean \"\($0)\"?" })
  }

  private func candidates() -> [(name: String, path: String)] {
    searchPath.flatMap { folder -> [(name: String, path: String)] in
      if let name = PluginName.inFile(Path.name(of: folder.path)), !isFolder(folder.path) {
        return exists(folder.path) ? [(name, folder.path)] : []
      }
      return Self.files(in: folder.path).compactMap { file in
        PluginName.inFile(file).map { ($0, folder.path + "/" + file) }
      }
    }
  }

  private static func files(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      names.append(name)
    }
    return names.sorted()
  }

  private func isThere(_ folder: PluginFolder) -> Bool { Permissions(path: folder.path) != nil }

  private func isFolder(_ path: String) -> Bool { Permissions(path: path)?.isFolder == true }

  /// Whether something stands at a path, be it a link to nothing.
  private func exists(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0
  }
}
