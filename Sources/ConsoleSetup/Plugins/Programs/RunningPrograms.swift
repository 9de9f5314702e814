import BackendKit
import Synchronization

/// The running programs, one for each backend that names one.
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

  /// The plugin of a program for a backend, started if it is not running yet. `reader` reads its service description.
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

  func end() { for process in state.withLock({ Array($0.processes.values) }) { process.end() } }
}
