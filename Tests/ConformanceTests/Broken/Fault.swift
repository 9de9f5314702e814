import BackendConformance
import BackendKit

/// One thing that an adapter can do wrong, and the law that tells it.
struct Fault: Sendable, CustomStringConvertible {
  /// The mistake that the adapter makes.
  let name: String
  /// The law that has to fail.
  let law: String
  /// True if the adapter hangs where the law waits for it. Since it never ends, it gets a shorter time limit.
  var hangs = false
  private let sound: @Sendable () -> ConformanceSubject
  private let broken: @Sendable () -> ConformanceSubject

  /// A fault in an adapter that is otherwise the reference.
  init(
    _ name: String, _ law: String, on reference: Reference = .paged, hangs: Bool = false,
    _ breaking: @escaping @Sendable (inout BrokenBackend) -> Void
  ) {
    self.name = name
    self.law = law
    self.hangs = hangs
    sound = { reference.subject() }
    broken = {
      reference.subject { [breaking] backend, exchange in
        var broken = BrokenBackend(inner: backend, exchange: exchange)
        breaking(&broken)
        return broken
      }
    }
  }

  /// A fault in a plugin that is otherwise the reference's.
  init(_ name: String, _ law: String, _ breaking: @escaping @Sendable (inout ReferencePlugin) -> Void) {
    self.name = name
    self.law = law
    sound = { ReferencePlugin().subject }
    broken = {
      var plugin = ReferencePlugin()
      breaking(&plugin)
      return plugin.subject
    }
  }

  var description: String { name }

  /// The adapter without the fault.
  var soundSubject: ConformanceSubject { sound() }

  /// The broken adapter.
  var subject: ConformanceSubject {
    var subject = broken()
    if hangs { (subject.patience, subject.timeLimit) = (.milliseconds(500), .seconds(2)) }
    return subject
  }

  /// Every fault.
  static let all =
    describing + options + planning + refusing + listing + paging + getting + errors + writing + ways + tasks
    + generated
    + creating + updating + deleting + identifiers + values
}

extension Reference {
  /// Pages of at most five records, by an offset, with a total.
  static let paged = Reference(capabilities())

  /// Pages by a mark, which stay in step.
  static let stable = Reference(capabilities(.cursor))

  /// Lists leave the body out.
  static let unlisted: Reference = {
    var capabilities = Reference.capabilities()
    capabilities.unlistedFields = ["body"]
    return Reference(capabilities)
  }()

  /// Nothing that need not be there.
  static let least = Reference(Capabilities(operations: [.list, .get, .update], canClear: false), filtering: .none)

  private static func capabilities(_ paging: Capabilities.Paging = .offset) -> Capabilities {
    Capabilities(
      operations: Set(Capabilities.Operation.allCases), paging: paging, pageCap: 5, defaultPageSize: 4,
      stability: paging == .cursor ? .stable : .shifting, hasTotal: true)
  }
}
