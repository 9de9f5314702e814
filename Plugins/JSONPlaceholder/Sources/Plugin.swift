import BackendKit

/// The plugin "jsonplaceholder": jsonplaceholder.typicode.com and every json-server.
let plugin = Plugin(
  name: "jsonplaceholder", version: "0.1.0",
  summary: "json-server, 0.17 or 1, and jsonplaceholder.typicode.com",
  options: [
    OptionDescription(
      "apiVersion", .choice(["0.17", "1"]), standard: "0.17",
      help: "the generation of json-server that answers", isSwitchable: true),
    OptionDescription(
      "writes", .choice(["auto", "kept", "echoed"]), standard: "auto",
      help: "whether the server keeps what is written; auto finds out by reading back the first write",
      isSwitchable: true),
    OptionDescription("pageSize", .integer, help: "records a page where a list does not say", isSwitchable: true),
    OptionDescription("collections", .text, help: "further collections of the server, separated by commas"),
  ],
  make: { settings throws(BackendError) in try JSONPlaceholderBackend(settings) })

/// The entry by which the console takes the plugin out of this library.
@c(switchboard_plugin)
public func switchboardPlugin() -> UnsafeMutableRawPointer { plugin.export() }
