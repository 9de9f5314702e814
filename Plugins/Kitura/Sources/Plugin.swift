import BackendKit

/// What the console reads of this plugin, and how it makes a backend of it.
let plugin = Plugin(
  name: "kitura", version: "0.1.0", summary: "todos of a Kitura server",
  options: KituraOptions.descriptions, hooks: ["todos": KituraRecords.hooks],
  make: { settings throws(BackendError) in RESTBackend(try KituraOptions(settings).service, over: settings.exchange) })

/// The entry that the console looks for in the library.
@c(switchboard_plugin)
public func switchboardPlugin() -> UnsafeMutableRawPointer { plugin.export() }
