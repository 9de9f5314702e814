import BackendKit

/// The plugin "jsonplaceholder": jsonplaceholder.typicode.com and every json-server.
let plugin = Plugin(
  name: "jsonplaceholder", version: "0.1.0",
  summary: "json-server, 0.17 or 1, and jsonplaceholder.typicode.com",
  options: JSONPlaceholderOptions.descriptions, hooks: ["server": JSONPlaceholderOptions.hooks],
  prepare: { settings throws(BackendError) in PreparedBackend(try JSONPlaceholderOptions(settings).service) })

/// The entry through which the console takes the plugin out of this library.
@c(switchboard_plugin)
public func switchboardPlugin() -> UnsafeMutableRawPointer { plugin.export() }
