import BackendKit
import DeskSupport

/// A plugin for tests of the console, whose adapter knows everything that the protocol can say.
let plugin = Plugin(
  name: "desk", version: "0.1.0", summary: "a service of the tests", options: [],
  prepare: { _ throws(BackendError) in PreparedBackend { Desk.backend($0) } })

/// The entry that the console looks for in the library.
@c(switchboard_plugin)
public func switchboardPlugin() -> UnsafeMutableRawPointer { plugin.export() }
