public import BackendKit

/// The interface of the library that contains the conformance suite, for the program that opens it.
///
/// It is opened by the first command that judges a backend, so that no other run pays for it. The library exports two
/// functions: ``stampSymbol``, which has to be called first, and ``entrySymbol``.
public final class ConformanceLibrary: Sendable {
  /// The C function that returns the build stamp, as bytes that end with a zero.
  public static let stampSymbol = "switchboard_conformance_stamp"
  /// The C function that returns what ``pass()`` gives.
  public static let entrySymbol = "switchboard_conformance"

  /// Judges backends.
  public let judge: any ConformanceJudge

  /// A library with a judge in it.
  public init(_ judge: any ConformanceJudge) { self.judge = judge }

  /// Hands it over as an address; ``take(_:)`` gets it back.
  public func pass() -> UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }

  /// Returns the library at an address from ``pass()``. Each address can be taken once.
  public static func take(_ address: UnsafeMutableRawPointer) -> ConformanceLibrary {
    Unmanaged<ConformanceLibrary>.fromOpaque(address).takeRetainedValue()
  }
}

/// Holds backends against the laws of the protocol.
public protocol ConformanceJudge: Sendable {
  /// Every law, in the order in which they run.
  var laws: [ConformanceLaw] { get }
  /// The beginning of the mark by which the suite recognizes its own records, from any run.
  var mark: String { get }
  /// The names of the laws that a run of this order judges. Sends nothing.
  func laws(of order: ConformanceOrder) -> [String]
  /// Judges, and hands over each line of a report for people as soon as it is there. Throws where the server cannot be
  /// reached or has no such resource; then no law was judged.
  func judge(
    _ order: ConformanceOrder, onLine: @escaping @Sendable (String) async -> Void
  ) async throws(BackendError) -> ConformanceOutcome
  /// Removes the records that earlier runs left behind, and tells how many.
  func sweep(_ order: ConformanceOrder) async throws(BackendError) -> Int
}

/// A law as it is shown.
public struct ConformanceLaw: Sendable, Hashable {
  /// The name.
  public var name: String
  /// The subject of the law.
  public var group: String
  /// The promise, as a sentence.
  public var promise: String

  /// A law.
  public init(name: String, group: String, promise: String) {
    self.name = name
    self.group = group
    self.promise = promise
  }
}

/// The operations that a conformance run may perform, and its limits.
public struct ConformanceLimits: Sendable {
  /// True if nothing may be written. Write requests are then stopped before they are sent.
  public var isReadOnly = false
  /// True if everything in the resource may be destroyed. "Delete all" is called only then.
  public var isSandbox = false
  /// The actions that may be called, by name; no other is.
  public var actions: Set<String> = []
  /// The maximum number of requests of a run; cleaning up is not counted.
  public var requestBudget = 20_000
  /// The maximum number of requests per second; nil for no limit.
  public var rate: Int?
  /// Told how long the run is going to wait for a server that has had too many requests, and nil when it goes on.
  public var onWait: @Sendable (Duration?) -> Void = { _ in }
  /// The seed of generated queries and records.
  public var seed: UInt64 = 1
  /// The seed of the mark of the run's records and of identifiers that do not exist: a different number for each run,
  /// unless its requests have to be those of an earlier one.
  public var run = UInt64.random(in: .min ... .max)

  /// The limits of a run that writes within records of its own.
  public init() {}
}

/// The subject of a conformance run, and what the run may do; each of the limits is a member of the order, too.
@dynamicMemberLookup public struct ConformanceOrder: Sendable {
  /// The form of the report.
  public enum Report: String, Sendable, CaseIterable { case text, junit, tap }

  /// The backend's name, for the report.
  public var name: String
  /// The resource whose records are worked with.
  public var resource: ResourcePath
  /// The way to the server.
  public var exchange: any HTTPExchange
  /// The plugin that makes the backend.
  public var plugin: Plugin
  /// The options that are set.
  public var options: Object
  /// The names of the laws; nil for all that the backend has to be judged by.
  public var laws: [String]?
  /// True to judge no further law after a broken one.
  public var failsFast = false
  /// The form of the report.
  public var report = Report.text
  /// The limits of the run.
  public var limits = ConformanceLimits()

  /// An order that allows what a run does within records of its own.
  public init(
    _ name: String, _ resource: ResourcePath, exchange: any HTTPExchange, plugin: Plugin, options: Object
  ) {
    self.name = name
    self.resource = resource
    self.exchange = exchange
    self.plugin = plugin
    self.options = options
  }

  /// One of the limits.
  public subscript<Limit>(dynamicMember limit: WritableKeyPath<ConformanceLimits, Limit>) -> Limit {
    get { limits[keyPath: limit] }
    set { limits[keyPath: limit] = newValue }
  }
}

/// The outcome of an order.
public struct ConformanceOutcome: Sendable {
  /// The report; if it is for people, only the part after the lines that were handed over before.
  public var report: String
  /// The number of laws that were judged.
  public var judged: Int
  /// The number of broken laws.
  public var broken: Int
  /// True if the run was cancelled before its last law.
  public var isCancelled: Bool
  /// Why the run ended before its last law, where the server could not be reached any more.
  public var loss: BackendError?

  /// An outcome.
  public init(report: String, judged: Int, broken: Int, isCancelled: Bool, loss: BackendError?) {
    self.report = report
    self.judged = judged
    self.broken = broken
    self.isCancelled = isCancelled
    self.loss = loss
  }
}
