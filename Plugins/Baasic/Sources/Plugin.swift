import BackendKit

/// The plugin "baasic": the dynamic resources of a Baasic application.
let plugin = Plugin(
  name: "baasic", version: "0.1.0",
  summary: "dynamic resources of a Baasic application, https://api.baasic.com/v1/APPLICATION",
  options: [
    OptionDescription(
      "resources", .object,
      help: "resources known without asking, each with its fields and their kinds: {\"todo\": {\"title\": \"text\"}}"),
    OptionDescription(
      "update", .choice(["patch", "put"]), standard: "patch",
      help: "whether an update sends what changed, or reads, changes and sends the whole record", isSwitchable: true),
    OptionDescription(
      "pageSize", .integer, standard: 100, help: "records a page where a list does not say", isSwitchable: true),
    OptionDescription(
      "embed", .text, help: "what list and get embed in each record, separated by commas", isSwitchable: true),
  ],
  login: loginScheme,
  make: { settings throws(BackendError) in try BaasicBackend(settings) })

/// The entry by which the console takes the plugin out of this library.
@c(switchboard_plugin)
public func switchboardPlugin() -> UnsafeMutableRawPointer { plugin.export() }
