import BackendKit
import ConsoleSetup
import ConsoleSystem
import Glibc

/// A run's access to servers: the network, optionally recorded, or a recording instead.
struct RunConnector {
  let connector: any Connector
  /// The run's identifier; empty if neither a log nor a backend needs one.
  let run: String
  let log: RunLog?
  /// The trace of attempts; nil if nothing is sent.
  let trace: Trace?
  private let recording: RecordingFile?
  private let replay: Replay?

  init(
    _ options: CommandLineOptions, _ configuration: Configuration, _ blanking: Blanking, _ children: ChildEnvironment,
    in surroundings: Surroundings, limits: CallLimits? = nil
  ) throws(ConsoleError) {
    // Each random number costs a system call.
    let isNamed = options.log != nil || configuration.backends.contains { $0.runHeader != nil }
    let run = isNamed ? RunID.make() : ""
    let log = try options.log.map { path throws(ConsoleError) in try RunLog(path: path, run: run, blanking) }
    let replay = try options.replay.map { path throws(ConsoleError) in
      try Replay(path: path, onCancelled: { [interruption = surroundings.interruption] in interruption.interrupt() })
    }
    let recording = try options.record.map { path throws(ConsoleError) in try RecordingFile(path: path) }
    self.log = log
    self.run = run
    self.replay = replay
    self.recording = recording
    var connector: any Connector
    if let replay {
      connector = ReplayConnector(replay, blanking)
      trace = nil
    } else {
      let trace = Trace(blanking, to: surroundings.errors, form: options.trace)
      self.trace = trace
      connector = NetworkConnector(
        library: surroundings.transport
          ?? LibraryOpener.transport(folder: surroundings.folder, host: surroundings.host).content,
        demo: { dialect throws(BackendError) in try surroundings.demo(dialect, surroundings.folder, children) },
        stateFolder: UserFolders(environment: surroundings.environment).state,
        helpers: CredentialHelpers(
          children, blanking, isAttended: surroundings.isInputTerminal, now: { time(nil) }),
        blanking: blanking, run: run, trace: trace,
        environment: surroundings.transport == nil ? nil : surroundings.environment)
    }
    if let recording { connector = connector.through(RecordingMiddleware(recording, blanking)) }
    if let log { connector = connector.through(CountingMiddleware(for: log)) }
    if options.isRestricted { connector = connector.through(ReadingMiddleware()) }
    if let limits { connector = connector.through(LimitingMiddleware(limits: limits)) }
    self.connector = connector
  }

  var isReplayed: Bool { replay != nil }
  /// Notices to show before the run.
  var notices: [String] { replay?.notices ?? [] }
  /// The failure of recording, replay or log, after the run.
  var complaint: String? { recording?.complaint ?? replay?.complaint ?? log?.complaint }
}
