import BackendKit

/// The plugin that the console loads, with the preparation of its backends.
let plugin = Plugin(
  name: "tickets", version: "0.1.0", summary: "tickets, comments and users of a help desk that speaks JSON:API",
  hooks: ["texts": HelpDesk.hooks],
  prepare: { _ throws(BackendError) in PreparedBackend(try HelpDesk.service()) })

/// The entry that the console looks for in the library.
@c(switchboard_plugin)
public func switchboardPlugin() -> UnsafeMutableRawPointer { plugin.export() }
