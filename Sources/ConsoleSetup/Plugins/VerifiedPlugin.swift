import BackendKit
import Files
import Glibc

/// A plugin's file that was checked and is open.
struct VerifiedPlugin {
  let file: PluginFile
  let descriptor: Int32

  /// True if it is run by an interpreter.
  var isScript: Bool { PluginFile.beginning(of: descriptor).starts(with: "#!".utf8) }

  private static func open(_ path: String) -> (library: UnsafeMutableRawPointer?, reason: String) {
    if let library = dlopen(path, RTLD_NOW | RTLD_LOCAL) { return (library, "") }
    return (nil, dlerror().map { String(cString: $0) } ?? "no reason is given")
  }

  /// Loads the checked file and returns its plugin. A loaded library stays: Swift code cannot be unloaded. Its
  /// descriptor stays open, too, since the loader identifies libraries by path and would return it for the next one.
  func load() throws(PluginError) -> Plugin {
    let opened = "/proc/self/fd/\(descriptor)"
    var (library, reason) = Self.open(opened)
    // The loader does not know the folder of a descriptor's file, and so not the libraries installed next to it: a
    // missing library is opened like the console's own, and then counts as loaded.
    var missing: Set<String> = []
    while library == nil, let name = reason.split(separator: ":").first.map(String.init), name.contains(text: ".so"),
      !name.contains("/"), missing.insert(name).inserted, dlopen(name, RTLD_NOW | RTLD_LOCAL) != nil
    {
      (library, reason) = Self.open(opened)
    }
    guard let library else {
      if reason.hasPrefix(opened) { reason = file.path + reason.dropFirst(opened.count) }
      close(descriptor)
      throw file.error("cannot be opened: \(reason)", hint: "rebuild it against this console")
    }
    guard let symbol = dlsym(library, "switchboard_plugin") else {
      throw file.error(
        "has no entry switchboard_plugin", hint: "export one: @c(switchboard_plugin) that returns plugin.export()")
    }
    typealias Entry = @convention(c) () -> UnsafeMutableRawPointer?
    guard let address = unsafeBitCast(symbol, to: Entry.self)() else { throw file.error("returned no plugin") }
    let box = PluginBox.take(address)
    guard box.plugin.name == file.name else {
      throw file.error(
        "has the name \"\(box.plugin.name)\"", hint: "name the file \(PluginName.file(box.plugin.name))")
    }
    return box.plugin
  }
}
