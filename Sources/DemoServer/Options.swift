import ArgumentParser
import DemoService

/// The command line.
struct Options: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "switchboard-demo", abstract: "A server that imitates several services, to try the console.")

  @Option(help: ArgumentHelp("The port on 127.0.0.1 (default: a free one).", valueName: "N"))
  var port = 0

  @Option(
    help: ArgumentHelp(
      "The file with the data (default: switchboard/demo.sqlite in $XDG_DATA_HOME or ~/.local/share).",
      valueName: "FILE"))
  var data: String?

  @Flag(help: "Keep the data in memory, with new data at each start.")
  var memory = false

  @Flag(help: "Delete the data, and start with new data.")
  var reset = false

  @Option(help: ArgumentHelp("Create N records in each main collection of new data.", valueName: "N"))
  var seed: Int?

  @Option(
    name: .customLong("import"),
    help: ArgumentHelp(
      "Replace the data with a JSON file: an object of dialect names, or a json-server database.", valueName: "FILE"))
  var importFile: String?

  @Option(help: ArgumentHelp("Set a switch; repeatable.", valueName: "NAME=VALUE"))
  var set: [String] = []

  @Flag(help: "List all switches, and exit.")
  var listSwitches = false

  @Flag(name: .customLong("until-eof"), help: "Exit when standard input ends.")
  var untilEOF = false

  /// The data that the options ask for.
  var content: DemoData {
    DemoData(file: data, isInMemory: memory, seed: seed, resets: reset, imported: importFile)
  }

  func validate() throws {
    guard (0...65535).contains(port) else { throw ValidationError("--port takes 0 to 65535, not \(port).") }
    if let seed, !(0...1_000_000).contains(seed) {
      throw ValidationError("--seed takes 0 to 1000000, not \(seed).")
    }
    if memory, data != nil { throw ValidationError("--memory and --data cannot be combined.") }
  }
}
