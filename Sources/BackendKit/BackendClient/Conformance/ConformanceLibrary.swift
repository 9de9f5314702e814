public import BackendKit

/// The interface of the library that contains the conformance suite, for the program that opens it.
///
/// The first command that judges a backend opens it, so that other runs do not pay for it. The library exports two
/// functions: ``stampSymbol``, which has to be called first, and ``entrySymbol``.
public final class ConformanceLibrary: LibraryContent {
  /// The C function that returns the build stamp, as bytes that end with a zero.
  public static let stampSymbol = "switchboard_conformance_stamp"
  /// The C function that returns what `pass()` gives.
  public static let entrySymbol = "switchboard_conformance"

  /// Judges backends.
  public let judge: any ConformanceJudge

  /// A library with a judge.
  public init(_ judge: any ConformanceJudge) { self.judge = judge }
}

/// Judges backends by the laws of the protocol.
public protocol ConformanceJudge: Sendable {
  /// Every law, in the order in which they run.
  var laws: [ConformanceLaw] { get }
  /// The prefix that marks records of the suite, of any run.
  var mark: String { get }
  /// The names of the laws that a run of this order judges. Sends nothing.
  func laws(of order: ConformanceOrder) -> [String]
  /// Judges the laws, and calls back after each. Throws if the server cannot be reached or lacks the resource; then no
  /// law was judged.
  func judge(
    _ order: ConformanceOrder, onLaw: @escaping @Sendable () async -> Void
  ) async throws(BackendError) -> ConformanceOutcome
  /// Deletes the records that earlier runs left behind, and returns their number.
  func sweep(_ order: ConformanceOrder) async throws(BackendError) -> Int
}

/// A law, for display.
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
  /// True to write nothing: write requests are stopped before they are sent.
  public var isReadOnly = false
  /// True if all records of the resource may be destroyed. "Delete all" is called only then.
  public var isSandbox = false
  /// The actions that may be called, by name.
  public var actions: Set<String> = []
  /// The maximum number of requests of a run, not counting cleanup.
  public var requestBudget = 20_000
  /// The maximum number of requests per second; nil for no limit.
  public var rate: Int?
  /// Called with the time that the run waits for a server that limits its rate, and with nil when it continues.
  public var onWait: @Sendable (Duration?) -> Void = { _ in }
  /// The seed of generated queries and records.
  public var seed: UInt64 = 1
  /// The seed of the mark of the run's records and of unused identifiers: different for each run, unless its requests
  /// have to repeat those of an earlier one.
  public var run = UInt64.random(in: .min ... .max)

  /// The limits of a run that only writes records of its own.
  public init() {}
}

/// The subject of a conformance run, and its limits, which are members of the order, too.
@dynamicMemberLookup public struct ConformanceOrder: Sendable {
  /// The form of the report.
  public enum Report: String, Sendable, CaseIterable { case text, junit, tap }

  /// The backend's name, for the report.
  public var name: String
  /// The resource whose records are used.
  public var resource: ResourcePath
  /// The connection to the server.
  public var exchange: any HTTPExchange
  /// The plugin that makes the backend.
  public var plugin: Plugin
  /// The options that are set.
  public var options: Object
  /// The names of the laws; nil for all that apply to the backend.
  public var laws: [String]?
  /// True to stop after a broken law.
  public var failsFast = false
  /// The form of the report.
  public var report = Report.text
  /// The limits of the run.
  public var limits = ConformanceLimits()

  /// An order that allows everything a run does with records of its own.
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
  /// The report.
  public var report: String
  /// The number of laws that were judged.
  public var judged: Int
  /// The number of broken laws.
  public var broken: Int
  /// True if the run was cancelled before its last law.
  public var isCancelled: Bool
  /// The error that ended the run before its last law, if the server became unreachable.
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
