/// The stamp of the sources that a plugin and the console must share; otherwise they would call wrong functions of each
/// other.
///
/// On Linux, Swift does not promise that a library built against other sources can be called. So every plugin makes the
/// dynamic linker require a function named by the stamp of the BackendKit that it was compiled against. The console
/// reads that name from the file's symbol table before it opens the file: no instruction of a plugin with another stamp
/// runs. The functions, and `compiled()`, which returns their names, are generated.
public enum BuildStamp: Stamped {
  /// The prefix of each stamp's name.
  public static let prefix = "switchboard_stamp."
}

/// The content of a library, which it passes as an address to the program that opens it.
public protocol LibraryContent: AnyObject, Sendable {}

extension LibraryContent {
  /// Passes it as an address, from which ``take(_:)`` restores it.
  public func pass() -> UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

  /// The content at an address from ``pass()``. Each address can be taken once.
  public static func take(_ address: UnsafeMutableRawPointer) -> Self {
    Unmanaged<Self>.fromOpaque(address).takeRetainedValue()
  }
}

/// Carries a plugin across the boundary of a library.
public final class PluginBox: LibraryContent {
  /// The plugin.
  public let plugin: Plugin

  /// A box; made by ``Plugin/export()``.
  public init(_ plugin: Plugin) { self.plugin = plugin }
}

extension Plugin {
  /// Returns the value that a plugin's entry function returns:
  ///
  ///     @c(switchboard_plugin)
  ///     public func switchboardPlugin() -> UnsafeMutableRawPointer { plugin.export() }
  @_alwaysEmitIntoClient
  public func export() -> UnsafeMutableRawPointer { BuildStamp.pass(PluginBox(self)) }
}
