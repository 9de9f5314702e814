public import BackendKit

/// The subject of judgment: one resource of one backend, and the suite's permissions there.
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
  /// True if nothing may be written. Write requests are then stopped before they are sent.
  public var isReadOnly = false
  /// The reason why nothing may be written.
  var reasonAgainstWriting = "nothing may be written in this run"
  /// True if everything in the resource may be destroyed. The suite calls "delete all" only then.
  public var isSandbox = false
  /// True if the laws that the engine keeps for every mapping are also judged.
  public var judgesEngine = false
  /// The actions that may be called, by name; no other is.
  public var actions: Set<String> = []
  /// The maximum number of requests of a run; cleaning up is not counted.
  public var requestBudget = 20_000
  /// The maximum number of requests per second; nil for no limit.
  public var rate: Int?
  /// The maximum number of requests of one law; a law that needs more is broken, since it may never end.
  public var requestsPerLaw = 5_000
  /// The time without a sign of the server or the adapter after which a law counts as hanging.
  public var timeLimit = Duration.seconds(20)
  /// The time limit for anything immediate: the end of a cancelled call, the first records of a list that is not paged.
  public var patience = Duration.seconds(3)
  /// Told how long the run is going to wait for a server that has had too many requests, and nil when it goes on.
  public var onWait: @Sendable (Duration?) -> Void = { _ in }
  /// The seed of generated queries and records.
  public var seed: UInt64 = 1
  /// The seed of the mark of the run's records and of identifiers that do not exist: a different number for each run,
  /// unless its requests have to be those of an earlier one.
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
