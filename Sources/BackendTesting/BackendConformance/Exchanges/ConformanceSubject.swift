public import BackendClient
public import BackendKit

/// The subject of a run: a resource of a backend, and what the suite may do with it. The limits are also members of the
/// subject.
@dynamicMemberLookup public struct ConformanceSubject: Sendable {
  /// The name of the backend in reports.
  public var name: String
  /// The resource to judge.
  public var resource: ResourcePath
  /// The exchange with the server.
  public var exchange: any HTTPExchange
  /// Creates the adapter over an exchange; the suite wraps exchanges of its own around the server's.
  public var make: @Sendable (any HTTPExchange) throws(BackendError) -> any Backend
  /// The plugin that creates the adapter, and the given options; nil if it is created otherwise, so that laws about
  /// options do not apply.
  public var plugin: (plugin: Plugin, options: Object)?
  /// The permissions of the suite, and the limits of a run.
  public var limits = ConformanceLimits()
  var reasonAgainstWriting = "nothing may be written in this run"
  /// True to also judge the laws that the engine keeps for every mapping.
  public var judgesEngine = false
  /// The maximum number of requests in a law. A law that exceeds it is broken, since it may never end.
  public var requestsPerLaw = 5_000
  /// The maximum silence of server and adapter, after which a law counts as hanging.
  public var timeLimit = Duration.seconds(20)
  /// The time limit for immediate events: the end of a cancelled call, or the first records of an unpaged list.
  public var patience = Duration.seconds(3)

  /// Creates a subject whose own records the suite may write.
  public init(
    _ name: String, _ resource: ResourcePath, exchange: any HTTPExchange,
    make: @escaping @Sendable (any HTTPExchange) throws(BackendError) -> any Backend
  ) {
    self.name = name
    self.resource = resource
    self.exchange = exchange
    self.make = make
  }

  /// Creates a subject from a plugin with these options, and the defaults of others.
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

  init(_ order: ConformanceOrder) {
    self.init(order.name, order.resource, exchange: order.exchange, plugin: order.plugin, options: order.options)
    limits = order.limits
  }

  /// Accesses a limit.
  public subscript<Limit>(dynamicMember limit: WritableKeyPath<ConformanceLimits, Limit>) -> Limit {
    get { limits[keyPath: limit] }
    set { limits[keyPath: limit] = newValue }
  }
}
