public import BackendClient
public import BackendKit

/// The subject of judgment: one resource of one backend, and what the suite may do there; each of the limits is a member of
/// the subject, too.
@dynamicMemberLookup public struct ConformanceSubject: Sendable {
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
  /// The suite's permissions, and the limits of a run.
  public var limits = ConformanceLimits()
  /// The reason why nothing may be written.
  var reasonAgainstWriting = "nothing may be written in this run"
  /// True if the laws that the engine keeps for every mapping are also judged.
  public var judgesEngine = false
  /// The maximum number of requests of one law; a law that needs more is broken, since it may never end.
  public var requestsPerLaw = 5_000
  /// The time without a sign of the server or the adapter after which a law counts as hanging.
  public var timeLimit = Duration.seconds(20)
  /// The time limit for anything immediate: the end of a cancelled call, the first records of a list that is not paged.
  public var patience = Duration.seconds(3)

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

  /// The subject of an order.
  init(_ order: ConformanceOrder) {
    self.init(order.name, order.resource, exchange: order.exchange, plugin: order.plugin, options: order.options)
    limits = order.limits
  }

  /// One of the limits.
  public subscript<Limit>(dynamicMember limit: WritableKeyPath<ConformanceLimits, Limit>) -> Limit {
    get { limits[keyPath: limit] }
    set { limits[keyPath: limit] = newValue }
  }
}
