import BackendKit
import Files
import Glibc

extension PluginFile {
  /// Judges the file, opens it and takes the plugin out of it. A library that was opened stays open: Swift code cannot
  /// be unloaded.
  func load() throws(PluginError) -> Plugin {
    if let problem = problem() { throw problem }
    guard let library = dlopen(Path.real(path), RTLD_NOW | RTLD_LOCAL) else {
      throw error("cannot be opened: \(Self.reason)", hint: "rebuild it against this console")
    }
    guard let symbol = dlsym(library, "switchboard_plugin") else {
      throw error(
        "has no entry switchboard_plugin", hint: "export one: @c(switchboard_plugin) that returns plugin.export()")
    }
    typealias Entry = @convention(c) () -> UnsafeMutableRawPointer?
    guard let address = unsafeBitCast(symbol, to: Entry.self)() else { throw error("gave no plugin") }
    let box = PluginBox.take(address)
    // The text in the file was right; what the code itself says has the last word.
    guard box.stamp == BuildStamp.compiled().description else {
      throw error("was built against another console, whatever its file says", hint: "rebuild it against this console")
    }
    guard box.plugin.name == name else {
      throw error(
        "calls itself \"\(box.plugin.name)\"", hint: "name the file \(PluginName.file(box.plugin.name))")
    }
    return box.plugin
  }

  private static var reason: String { dlerror().map { String(cString: $0) } ?? "no reason is given" }
}
