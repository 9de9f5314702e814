public import BackendKit

/// What is judged: one resource of one backend, and what the suite may do there.
public struct ConformanceSubject: Sendable {
  /// The backend's name, for reports.
  public var name: String
  /// The resource whose records are worked with.
  public var resource: ResourcePath
  /// The way to the server.
  public var exchange: any HTTPExchange
  /// Makes the adapter over a way to the server; the suite puts its own ways before it.
  public var make: @Sendable (any HTTPExchange) throws(BackendError) -> any Backend
  /// The plugin that makes the adapter, and the options that are set; nil where the adapter is made in another way, and no law
  /// about options has anything to judge.
  public var plugin: (plugin: Plugin, options: Object)?
  /// Whether nothing may be written. Requests that write are then stopped before they leave.
  public var isReadOnly = false
  /// Whether everything in the resource may be destroyed. Only here does the suite call "delete all".
  public var isSandbox = false
  /// Whether the laws that the engine keeps for every mapping are judged, too.
  public var judgesEngine = false
  /// The actions that may be called, by name; no other is.
  public var actions: Set<String> = []
  /// How many requests a run may make; cleaning up is not counted.
  public var requestBudget = 20_000
  /// How many requests a second may be made; nil for no limit.
  public var rate: Int?
  /// How many requests one law may make; a law that needs more is broken, since it may never end.
  public var requestsPerLaw = 5_000
  /// How long nothing may come from the server, nor from the adapter, before a law counts as hanging.
  public var timeLimit = Duration.seconds(20)
  /// How long may take what has to come at once: the end of a cancelled call, the first records of a list that is not paged.
  public var patience = Duration.seconds(3)
  /// Told how long the run is going to wait for a server that has had too many requests, and nil when it goes on.
  public var onWait: @Sendable (Duration?) -> Void = { _ in }
  /// What generated queries and records follow from.
  public var seed: UInt64 = 1
  /// What the mark of the run's records and its identifiers that nobody has follow from: another number for each run, unless
  /// its requests have to be those of an earlier one.
  public var run = UInt64.random(in: .min ... .max)

  /// A subject that may be written to, within the suite's own records.
  public init(
    _ name: String, _ resource: ResourcePath, exchange: any HTTPExchange,
    make: @escaping @Sendable (any HTTPExchange) throws(BackendError) -> any Backend
  ) {
    self.name = name
    self.resource = resource
    self.exchange = exchange
    self.make = make
  }

  /// A subject that a plugin makes of these options, and of the standards of those that are left out.
  public init(
    _ name: String, _ resource: ResourcePath, exchange: any HTTPExchange, plugin: Plugin, options: Object = Object()
  ) {
    let prepared = Result { () throws(BackendError) in
      try plugin.prepare(BackendSettings(name: name, options: plugin.withDefaults(options)))
    }
    self.init(name, resource, exchange: exchange) { exchange throws(BackendError) in
      try prepared.get().attach(exchange)
    }
    self.plugin = (plugin, options)
  }
}
