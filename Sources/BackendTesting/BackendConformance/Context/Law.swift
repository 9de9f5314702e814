import BackendKit

/// A promise of the protocol, with the check of whether an adapter keeps it.
public struct Law: Sendable {
  /// The part that keeps a law: `RESTBackend` for every service, or each mapping by its facts and functions.
  enum Keeper { case engine, mapping }

  /// A check that is reported with others as one law. A failure names the part.
  struct Part: Sendable {
    let name: String
    let check: Check

    init(_ name: String, needs: [Capabilities.Operation] = [], check: @escaping Check) {
      self.name = name
      self.check = { context throws(CheckStop) in
        for operation in needs { try context.needs(operation) }
        try await check(context)
      }
    }
  }

  typealias Check = @Sendable (LawContext) async throws(CheckStop) -> Void

  /// The name, as it stands behind "Law" in the protocol's comments.
  public let name: String
  /// The subject.
  public let group: LawGroup
  /// The promise, as in the comments of the protocol.
  public let promise: String
  /// The laws that are judged one after the other under this promise; empty for a single check.
  public let parts: [Law]
  /// True if `RESTBackend` keeps the law for every service, regardless of facts and functions.
  ///
  /// Such laws are judged on the engine, and on backends that do not use it. A mapping is judged by the others: whether
  /// its claims about the service are true.
  public let isOfEngine: Bool
  let check: Check

  /// Creates a law. `needs` are the operations without which it does not apply. Without a keeper, the engine keeps the
  /// laws of some groups.
  init(
    _ name: String, _ group: LawGroup, by keeper: Keeper? = nil, needs: [Capabilities.Operation] = [],
    _ promise: String, check: @escaping Check
  ) {
    self.init(group, keeper, promise, Part(name, needs: needs, check: check), parts: [])
  }

  /// Creates a law that is kept if all of its parts are.
  init(_ name: String, _ group: LawGroup, by keeper: Keeper? = nil, _ promise: String, parts: [Part]) {
    let laws = parts.map { Law(group, keeper, promise, $0, parts: []) }
    self.init(group, keeper, promise, Part(name, check: Law.joined(parts)), parts: laws)
  }

  private init(_ group: LawGroup, _ keeper: Keeper?, _ promise: String, _ whole: Part, parts: [Law]) {
    name = whole.name
    check = whole.check
    self.group = group
    self.promise = promise
    self.parts = parts
    isOfEngine = keeper.map { $0 == .engine } ?? [.faults, .cancellation, .concurrency].contains(group)
  }

  private static func joined(_ parts: [Part]) -> Check {
    { context throws(CheckStop) in
      var verdicts: [Verdict] = []
      var remarks: [(parts: [String], text: String)] = []
      for part in parts {
        // Each part has the request limit of a law.
        if context.meter.isLawExceeded { break }
        context.meter.beginLaw()
        context.traffic.forget()
        var remark: String?
        do throws(CheckStop) {
          try await part.check(context)
          verdicts.append(.passed)
        } catch {
          switch error {
          case .breach(var breach):
            breach.done = "\(part.name): \(breach.done)"
            throw .breach(breach)
          case .kept(.remarked(let text)):
            verdicts.append(.passed)
            remark = text
          case .kept(let verdict): verdicts.append(verdict)
          case .untried(let reason):
            verdicts.append(.notApplicable(reason))
            remark = reason
          }
        }
        if let remark {
          let place = remarks.firstIndex { $0.text == remark } ?? remarks.count
          if place == remarks.count { remarks.append(([], remark)) }
          remarks[place].parts.append(part.name)
        }
        await context.sandbox.clean()
      }
      let verdict = [.passed, .emulated, .refused].first(where: verdicts.contains) ?? verdicts.first ?? .passed
      guard !remarks.isEmpty, verdict == .passed else { throw .kept(verdict) }
      throw .remarked(remarks.map { "\($0.parts.joined(separator: ", ")): \($0.text)" }.joined(separator: "; "))
    }
  }
}

extension Law: Hashable, CustomStringConvertible {
  /// Compares by name.
  public static func == (left: Law, right: Law) -> Bool { left.name == right.name }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// The name.
  public var description: String { name }
}
