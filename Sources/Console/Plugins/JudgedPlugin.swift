import BackendKit
import Files
import Glibc

/// A plugin's file that was judged and is open.
struct JudgedPlugin {
  let file: PluginFile
  let descriptor: Int32

  /// Whether an interpreter reads it.
  var isScript: Bool { PluginFile.beginning(of: descriptor).starts(with: "#!".utf8) }

  /// Loads what was judged and takes the plugin out of it. A library that was loaded stays: Swift code cannot be unloaded.
  /// Its descriptor stays open, too, since the loader knows a library by its path and would give it for the next one.
  func load() throws(PluginError) -> Plugin {
    let opened = "/proc/self/fd/\(descriptor)"
    guard let library = dlopen(opened, RTLD_NOW | RTLD_LOCAL) else {
      var reason = dlerror().map { String(cString: $0) } ?? "no reason is given"
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
