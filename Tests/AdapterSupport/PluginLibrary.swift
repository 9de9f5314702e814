public import BackendKit
import Foundation
import TestSupport

/// A plugin taken out of its built library, as the console does it.
///
/// The libraries cannot be linked into one test program: each of them exports the same entry.
public struct PluginLibrary: Sendable {
  /// The plugin.
  public let plugin: Plugin

  /// Why a library could not be opened.
  public struct Failure: Error, CustomStringConvertible {
    /// The dynamic linker's words.
    public let description: String
  }

  private typealias Entry = @convention(c) () -> UnsafeMutableRawPointer

  /// Opens the library of the plugin with this name, which is built beside the tests.
  public init(_ name: String) throws {
    let file = try BuiltFolder.ofTests.file("libswitchboard-\(name).so")
    guard let library = dlopen(file, RTLD_NOW | RTLD_LOCAL), let symbol = dlsym(library, "switchboard_plugin")
    else { throw Failure(description: dlerror().map { String(cString: $0) } ?? file) }
    plugin = PluginBox.take(unsafeBitCast(symbol, to: Entry.self)()).plugin
  }

  /// A backend of the plugin, with the default value of each option that is not given.
  public func backend(
    _ exchange: any HTTPExchange, options: [(String, Value)] = []
  ) throws(BackendError) -> any Backend {
    try prepared(options).attach(exchange)
  }

  /// Prepares a backend with these options and the default value of each that is not given.
  public func prepared(_ options: [(String, Value)] = []) throws(BackendError) -> PreparedBackend {
    try plugin.prepare(BackendSettings(name: "test", options: plugin.withDefaults(Object(options))))
  }
}
