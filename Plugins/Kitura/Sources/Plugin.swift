import BackendKit

/// The plugin that the console loads, with the preparation of its backends.
let plugin = Plugin(
  name: "kitura", version: "0.1.0", summary: "todos of a Kitura server",
  options: KituraOptions.descriptions, hooks: ["todos": KituraRecords.hooks],
  prepare: { settings throws(BackendError) in PreparedBackend(try KituraOptions(settings).service) })

/// The entry that the console looks for in the library.
@c(switchboard_plugin)
public func switchboardPlugin() -> UnsafeMutableRawPointer { plugin.export() }
