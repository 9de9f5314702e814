/// What a plugin and the console must have been built from alike, or one would call the wrong functions of the other.
///
/// Swift makes no promise on Linux that a library built against other sources of this one can be called. So every
/// plugin carries the stamp of the BackendKit it was compiled against, as a text in its file that the console reads
/// before it opens the library: not a single instruction of a plugin with another stamp is run.
public enum BuildStamp: Stamped {
  /// The stamp of the sources that the calling module was compiled against.
  ///
  /// Emitted into the caller: what it returns is fixed when the caller is compiled. The text begins with
  /// ``marker`` and ends with a semicolon, so that it can be found in a file.
  @_alwaysEmitIntoClient @inline(never)
  public static func compiled() -> StaticString {
    // Wrapped, and not concatenated at run time: the text must stand in the file in one piece.
    sources()
  }

  /// How the stamp begins in a file. Composed at run time, so that the console's own file does not hold it twice.
  public static var marker: String { ["switchboard", "build", "stamp:"].joined(separator: "-") }
}

/// A plugin on its way over the border of a library.
public final class PluginBox: Sendable {
  /// The plugin.
  public let plugin: Plugin
  /// The stamp of the BackendKit that the plugin was compiled against.
  public let stamp: String

  /// A box; made by ``Plugin/export()``.
  public init(_ plugin: Plugin, stamp: String) {
    self.plugin = plugin
    self.stamp = stamp
  }

  /// Hands the box over as an address; `take(_:)` gets it back.
  public func pass() -> UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

  /// The plugin at an address that ``Plugin/export()`` returned; taken once.
  public static func take(_ address: UnsafeMutableRawPointer) -> PluginBox {
    Unmanaged<PluginBox>.fromOpaque(address).takeRetainedValue()
  }
}

extension Plugin {
  /// What a plugin's entry returns:
  ///
  ///     @c(switchboard_plugin)
  ///     public func switchboardPlugin() -> UnsafeMutableRawPointer { plugin.export() }
  @_alwaysEmitIntoClient
  public func export() -> UnsafeMutableRawPointer {
    PluginBox(self, stamp: BuildStamp.compiled().description).pass()
  }
}
