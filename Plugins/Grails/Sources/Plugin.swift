import BackendKit

/// The plugin that the console loads, with the preparation of its backends.
let plugin = Plugin(
  name: "grails", version: "0.1.0", summary: "announcements of a Grails 3 application with the REST profile",
  options: GrailsOptions.descriptions, hooks: ["announcements": GrailsOptions.hooks],
  prepare: { settings throws(BackendError) in PreparedBackend(try GrailsOptions(settings).service) })

/// The entry that the console looks for in the library.
@c(switchboard_plugin)
public func switchboardPlugin() -> UnsafeMutableRawPointer { plugin.export() }
