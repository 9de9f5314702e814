import BackendKit
import Synchronization

/// The programs that were started, one for each backend that names one.
final class RunningPrograms: Sendable {
  private struct Key: Hashable {
    let plugin: String
    let backend: String
  }

  private struct State {
    var processes: [Key: PluginProcess] = [:]
    var plugins: [Key: Plugin] = [:]
  }

  private let surroundings: ProgramSurroundings
  private let limit: Duration
  private let state = Mutex(State())

  init(_ surroundings: ProgramSurroundings, limit: Duration) {
    self.surroundings = surroundings
    self.limit = limit
  }

  /// The plugin that a program is for a backend, which is started where it does not run yet. `reader` reads what it says of its
  /// service.
  func plugin(of file: PluginFile, for backend: String, reading reader: Plugin) throws(PluginError) -> Plugin {
    try state.withLock { state throws(PluginError) in
      let key = Key(plugin: file.name, backend: backend)
      if let plugin = state.plugins[key] { return plugin }
      let process: PluginProcess
      if let known = state.processes[key] {
        process = known
      } else {
        process = PluginProcess(try file.judged(), surroundings, limit: limit)
      }
      state.processes[key] = process
      let plugin = try ProgramPlugin(process, reader: reader).plugin(in: file)
      state.plugins[key] = plugin
      return plugin
    }
  }

  /// Ends all of them.
  func end() { for process in state.withLock({ Array($0.processes.values) }) { process.end() } }
}
