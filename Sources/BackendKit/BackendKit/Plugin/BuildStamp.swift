/// The stamp of the sources that a plugin and the console must share, or one would call the wrong functions of the
/// other.
///
/// Swift makes no promise on Linux that a library built against other sources of this one can be called. So every plugin
/// asks the dynamic linker for a function whose name is the stamp of the BackendKit that it was compiled against. The console
/// reads that name in the file's table of symbols before it opens the file: not a single instruction of a plugin with
/// another stamp is run. The functions, and `compiled()`, which tells their names, are generated.
public enum BuildStamp: Stamped {
  /// The prefix of each stamp's name.
  public static let prefix = "switchboard_stamp."
}

/// A plugin on its way over the border of a library.
public final class PluginBox: Sendable {
  /// The plugin.
  public let plugin: Plugin

  /// A box; made by ``Plugin/export()``.
  public init(_ plugin: Plugin) { self.plugin = plugin }

  /// Hands the box over as an address; `take(_:)` gets it back.
  public func pass() -> UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

  /// The plugin at an address that ``Plugin/export()`` returned; taken once.
  public static func take(_ address: UnsafeMutableRawPointer) -> PluginBox {
    Unmanaged<PluginBox>.fromOpaque(address).takeRetainedValue()
  }
}

extension Plugin {
  /// Returns the value that a plugin's entry function returns:
  ///
  ///     @c(switchboard_plugin)
  ///     public func switchboardPlugin() -> UnsafeMutableRawPointer { plugin.export() }
  @_alwaysEmitIntoClient
  public func export() -> UnsafeMutableRawPointer { BuildStamp.pass(PluginBox(self)) }
}
