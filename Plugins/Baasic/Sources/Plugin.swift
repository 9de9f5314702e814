import BackendKit

/// The plugin "baasic": the dynamic resources of a Baasic application.
let plugin = Plugin(
  name: "baasic", version: "0.1.0",
  summary: "dynamic resources of a Baasic application, https://api.baasic.com/v1/APPLICATION",
  options: BaasicOptions.descriptions, login: loginScheme,
  prepare: { settings throws(BackendError) in PreparedBackend(try BaasicOptions(settings).service()) })

/// The entry through which the console takes the plugin out of this library.
@c(switchboard_plugin)
public func switchboardPlugin() -> UnsafeMutableRawPointer { plugin.export() }
