import BackendKit
import Console

/// The way to the servers that a run was given: the network, the network with a recorder at it, or a recording in its place.
struct Way {
  let connector: any Connector
  private let recording: RecordingFile?
  private let replay: Replay?

  init(
    _ options: CommandLineOptions, _ configuration: Configuration, _ environment: [String: String], folder: String,
    _ loop: MainLoop,
    _ interruption: Interruption
  ) throws(ConsoleError) {
    if let path = options.replay {
      let replay = try Replay(path: path, onCancelled: { interruption.interrupt() })
      self.replay = replay
      recording = nil
      let recorded = ReplayConnector(replay, configuration, environment: environment)
      connector = options.isRestricted ? ReadingConnector(recorded) : recorded
      return
    }
    replay = nil
    let network = NetworkConnector(
      loader: TransportLoader(folder: folder, host: loop),
      demo: DemoProcess(executable: folder + "/switchboard-demo"), stateFolder: Run.stateFolder(environment),
      environment: environment)
    recording = try options.record.map { path throws(ConsoleError) in try RecordingFile(path: path) }
    let whole: any Connector =
      recording.map { RecordingConnector(network, file: $0, configuration, environment: environment) } ?? network
    connector = options.isRestricted ? ReadingConnector(whole) : whole
  }

  /// Whether no server is asked.
  var isReplayed: Bool { replay != nil }
  /// What a reader should know before the run.
  var notices: [String] { replay?.notices ?? [] }
  /// What was wrong with the recording or the replay, once the run is over.
  var complaint: String? { recording?.complaint ?? replay?.complaint }
}
