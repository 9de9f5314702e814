import BackendKit
import Files
import Glibc

/// A plugin's file, checked without running a single instruction of it: it may be hostile, stale or not a library at
/// all.
struct PluginFile {
  let name: String
  let path: String
  let kind: PluginKind
  /// Users besides root and the current one that may own it: the owner of the console's own file could change the
  /// console as well.
  let owners: Set<UInt32>

  /// Returns the reason why the file cannot be loaded, or nil if it can.
  func problem() -> PluginError? {
    do {
      close(try judged().descriptor)
      return nil
    } catch {
      return error
    }
  }

  /// Opens the file and checks it: the open file is checked, whatever happens to the path meanwhile.
  func judged() throws(PluginError) -> VerifiedPlugin {
    guard PluginName.isValid(name) else {
      throw error("does not have a valid plugin name", hint: "a name consists of lowercase letters, digits and hyphens")
    }
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw error("cannot be read: \(FileFailure.system.reason)") }
    if let problem = placeProblem(descriptor) ?? contentProblem(descriptor) {
      close(descriptor)
      throw problem
    }
    return VerifiedPlugin(file: self, descriptor: descriptor)
  }

  func error(_ clause: String, hint: String? = nil) -> PluginError {
    PluginError(name, file: path, "\(path) \(clause)", hint: hint)
  }

  // MARK: Who may write

  private func placeProblem(_ descriptor: Int32) -> PluginError? {
    let resolved: ResolvedPath
    do { resolved = try ResolvedPath(path) } catch { return self.error("cannot be examined: \(error.reason)") }
    var (opened, named) = (stat(), stat())
    guard fstat(descriptor, &opened) == 0, lstat(resolved.path, &named) == 0, opened.st_dev == named.st_dev,
      opened.st_ino == named.st_ino, let permissions = Permissions(descriptor: descriptor)
    else { return error("was replaced while it was being examined", hint: "try again") }
    if let problem = problem(of: resolved.path, permissions, "is not safe to open:") { return problem }
    // Check the folders of the file and of each link on the way: a replaceable link may lead to a safe file.
    for path in [resolved.path] + resolved.links.map(\.path) {
      var part = path
      while part != "/" {
        part = Path.folder(of: part)
        guard let permissions = Permissions(path: part) else {
          return error("cannot be examined: \(FileFailure.system.reason)")
        }
        if let problem = problem(of: part, permissions, "is not safe to open: in its path,") { return problem }
      }
    }
    guard let link = resolved.links.first(where: { !isTrusted($0.owner) }) else { return nil }
    return error(
      "is not safe to open: in its path, \(link.path) is a symbolic link owned by another user (\(link.owner))",
      hint: "copy the plugin to a folder of your own")
  }

  private func isTrusted(_ owner: UInt32) -> Bool {
    Permissions.trustedOwners.contains(owner) || owners.contains(owner)
  }

  private func problem(of part: String, _ permissions: Permissions, _ what: String) -> PluginError? {
    guard isTrusted(permissions.owner) else {
      return error(
        "\(what) \(part) belongs to another user (\(permissions.owner))", hint: "copy it to a folder of your own")
    }
    // In a sticky folder only the owner of an entry can replace it, and the owner of each is checked.
    if permissions.isWritableByOthers, !(permissions.isFolder && permissions.isSticky) {
      return error(
        "\(what) \(part) is writable by others (mode \(permissions.octal))", hint: "chmod go-w \(part)")
    }
    return nil
  }

  // MARK: What it is

  private func contentProblem(_ descriptor: Int32) -> PluginError? {
    guard let permissions = Permissions(descriptor: descriptor), permissions.isRegularFile else {
      return error("is not a regular file")
    }
    if kind == .program { return programProblem(permissions, Self.beginning(of: descriptor)) }
    let size = Int(lseek(descriptor, 0, SEEK_END))
    guard size >= 64 else { return error("is not a shared library") }
    guard let start = mmap(nil, size, PROT_READ, MAP_PRIVATE, descriptor, 0), start != MAP_FAILED else {
      return error("cannot be read: \(FileFailure.system.reason)")
    }
    defer { munmap(start, size) }
    return stampProblem(UnsafeRawBufferPointer(start: start, count: size))
  }

  private func programProblem(_ permissions: Permissions, _ beginning: [UInt8]) -> PluginError? {
    guard permissions.isExecutable else { return error("is not executable", hint: "chmod u+x \(path)") }
    guard beginning.starts(with: "#!".utf8) || beginning == [0x7F, 0x45, 0x4C, 0x46] else {
      return error("is not a program", hint: "a script begins with #! and its interpreter")
    }
    return nil
  }

  /// The first four bytes of an open file.
  static func beginning(of descriptor: Int32) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: 4)
    let count = pread(descriptor, &bytes, 4, 0)
    return Array(bytes.prefix(max(0, count)))
  }

  /// Only the imports for the dynamic linker count as evidence of the build, nothing else in the file.
  private func stampProblem(_ bytes: UnsafeRawBufferPointer) -> PluginError? {
    guard let library = SharedLibrary(bytes, where: Self.tellsWhatItWasBuiltAgainst) else {
      return error("is not a shared library for this machine")
    }
    let own = BuildStamp.compiled().description.split(separator: " ").map(String.init)
    let stamps = library.wanted.filter { $0.hasPrefix(BuildStamp.prefix) }
    guard stamps.contains(where: { $0.hasPrefix(BuildStamp.prefix + "kit.") }) else {
      guard library.given.contains(where: { $0.hasPrefix(BuildStamp.prefix) }) else {
        return error("is not a Switchboard plugin", hint: "it has no build stamp; was it built with Plugin.export()?")
      }
      return error(
        "contains its own BackendKit", hint: "link the dynamic library BackendKit, which the console already has")
    }
    for stamp in own {
      let module = String(stamp.dropFirst(BuildStamp.prefix.count).prefix { $0 != "." })
      // A library that the plugin does not use may differ.
      if let word = Self.optional[module], !library.wanted.contains(where: { $0.contains(text: word) }) { continue }
      let asked = stamps.filter { $0.hasPrefix(BuildStamp.prefix + module + ".") }
      if let other = asked.first(where: { $0 != stamp }) ?? (asked.isEmpty ? "none" : nil) {
        return stale(other, stamp)
      }
    }
    return nil
  }

  /// The modules that a plugin may not need, by the names of their stamps, with the word that identifies a symbol of
  /// each: the compiler abbreviates repeated words of a symbol, and leaves the first whole.
  private static let optional = ["client": "Client", "transport": "Transport"]

  private static func tellsWhatItWasBuiltAgainst(_ name: UnsafePointer<CChar>) -> Bool {
    strncmp(name, BuildStamp.prefix, BuildStamp.prefix.utf8.count) == 0
      || strncmp(name, "$s", 2) == 0 && optional.values.contains { strstr(name, $0) != nil }
  }

  private func stale(_ other: String, _ own: String) -> PluginError {
    func shown(_ stamp: String) -> Substring {
      stamp.dropFirst(stamp.hasPrefix(BuildStamp.prefix) ? BuildStamp.prefix.count : 0).prefix(200)
    }
    return error(
      "was built against another console: its stamp is \"\(shown(other))\", this console's \"\(shown(own))\"",
      hint: "rebuild it against this console")
  }
}
