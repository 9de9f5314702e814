import Synchronization

/// The limits that `--restricted` sets for a script that is not fully trusted: it may read from configured backends.
///
/// They are enforced wherever files are opened, programs started, backends opened and requests sent, so that a command
/// not considered here is refused as well. `check` of a command line predicts it.
public struct Restriction: Sendable {
  private static let state = Atomic<Bool>(false)
  private static let variables = Mutex<Set<String>>([])

  /// True if anything is refused.
  package let isOn: Bool

  /// The restriction of this process.
  package static var current: Restriction { Restriction(isOn: state.load(ordering: .sequentiallyConsistent)) }

  /// Restricts the process for good: nothing can lift it. Of the environment a script may read these variables.
  public static func begin(allowing variables: [String] = []) {
    self.variables.withLock { $0 = Set(variables) }
    state.store(true, ordering: .sequentiallyConsistent)
  }

  // MARK: The places where it is held

  /// Refuses a file, but for the scripts that the outer command line names.
  package func check(file path: String) throws(UsageError) {
    if isOn { throw refusal("cannot open the file \(path)") }
  }

  /// True if programs may be started.
  package var permitsPrograms: Bool { !isOn }

  /// Refuses a variable of the environment: a search or an identifier would carry it to a server.
  package func check(variable name: String) throws(UsageError) {
    guard isOn, !Self.variables.withLock({ $0.contains(name) }) else { return }
    throw UsageError(
      "not allowed with --restricted: reading $env.\(name)", hint: "--allow-env \(name) permits it")
  }

  /// Refuses whatever changes something.
  package func checkWriting() throws(UsageError) {
    if isOn { throw refusal("nothing is written") }
  }

  /// Refuses what changes the settings of the console's user.
  package func check(changing what: String) throws(UsageError) {
    if isOn { throw refusal("\(what) cannot be changed") }
  }

  /// The refusal of what is not allowed, as a clause.
  package func refusal(_ clause: String) -> UsageError {
    UsageError("not allowed with --restricted: \(clause)")
  }
}
