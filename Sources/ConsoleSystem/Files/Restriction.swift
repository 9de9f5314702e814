import Synchronization

/// The limits of `--restricted` for a script that is not fully trusted: it may read from configured backends.
///
/// They are enforced wherever files are opened, programs started, backends opened and requests sent, so that new
/// commands are covered as well. `check` of a command line predicts them.
public struct Restriction: Sendable {
  private static let state = Atomic<Bool>(false)
  private static let variables = Mutex<Set<String>>([])
  private static let plans = Atomic<Bool>(false)
  private static let inbox = Atomic<Bool>(false)

  /// True if restrictions apply.
  package let isOn: Bool

  package static var current: Restriction { Restriction(isOn: state.load(ordering: .sequentiallyConsistent)) }

  /// Restricts the process permanently. A script may read these variables of the environment. With `plans`, writes may
  /// become part of a plan, and nothing else; with `inbox`, such plans may be added to the user's inbox.
  public static func begin(allowing variables: [String] = [], plans: Bool = false, inbox: Bool = false) {
    self.variables.withLock { $0 = Set(variables) }
    self.plans.store(plans, ordering: .sequentiallyConsistent)
    self.inbox.store(inbox, ordering: .sequentiallyConsistent)
    state.store(true, ordering: .sequentiallyConsistent)
  }

  // MARK: The places where it is held

  /// Refuses a file, except for the scripts named on the outer command line.
  package func check(file path: String) throws(UsageError) {
    if isOn { throw refusal("cannot open the file \(path)") }
  }

  package var permitsPrograms: Bool { !isOn }

  /// Refuses a variable of the environment: a search or an identifier would send it to a server.
  package func check(variable name: String) throws(UsageError) {
    guard isOn, !Self.variables.withLock({ $0.contains(name) }) else { return }
    throw UsageError(
      "not allowed with --restricted: reading $env.\(name)", hint: "--allow-env \(name) permits it")
  }

  /// True if writes may become part of a plan.
  package var permitsPlans: Bool { !isOn || Self.plans.load(ordering: .sequentiallyConsistent) }

  /// Refuses any change, unless it may become part of a plan.
  package func checkWriting() throws(UsageError) {
    if !permitsPlans { try checkSending() }
  }

  /// Refuses to send any change.
  package func checkSending() throws(UsageError) {
    if isOn { throw refusal("nothing is written") }
  }

  /// Refuses to add a plan to the user's inbox.
  package func checkProposing() throws(UsageError) {
    guard isOn, !Self.inbox.load(ordering: .sequentiallyConsistent) else { return }
    throw refusal("plans cannot be proposed")
  }

  /// Refuses changes to the user's settings of the console.
  package func check(changing what: String) throws(UsageError) {
    if isOn { throw refusal("\(what) cannot be changed") }
  }

  /// The refusal, as a clause.
  package func refusal(_ clause: String) -> UsageError {
    UsageError("not allowed with --restricted: \(clause)")
  }
}
