import BackendKit
import CommandLanguage
import ConsoleSystem

/// The state of a script, or of a session at a prompt.
struct ScriptState {
  /// The values of the references in commands.
  var scope = Scope()
  /// The last result of a command that had one.
  var result: ScriptResult?
  /// The failure that `$error` stands for.
  private(set) var failure: CommandFailure?
  /// The commands so far, and the expectations.
  var tally = RunTally()
  var status = ExitStatus.success
  /// The first failure that means the status; nil where there is none.
  var worstFailure: CommandFailure?
  /// The status that the script has chosen to end with.
  var chosenStatus: Int32?
  /// True if a failure of the current statement is passed to the script instead of being reported.
  var isTried = false
  /// True if the current statement is run again if it fails.
  var isRetried = false
  /// The depth of nested `source` files.
  var depth = 0
  /// The files that `source` is running, the innermost last.
  var running: [String] = []

  /// Has the run end with a status, where what it would end with so far tells less.
  mutating func worsen(_ status: ExitStatus, by failure: CommandFailure) {
    let worse = self.status.worse(status)
    if worse != self.status { worstFailure = failure }
    self.status = worse
  }

  /// Has `$error` stand for a failure, or for null.
  mutating func setError(_ failure: CommandFailure?) {
    self.failure = failure
    scope.set("error", to: .known(.value(failure.map { .object($0.object) } ?? .null)))
  }

  /// Has `$last` stand for what the last command came to.
  mutating func bindLast() {
    if let result = result { scope.set("last", to: .known(result)) }
  }

  /// Returns the value of an assignment: a value as it is, or a text.
  func assigned(_ word: Word) throws(UsageError) -> ScriptResult {
    if let expression = word.expression {
      let inputs = ExpressionInputs(scope: scope, now: .now())
      do throws(UsageError) {
        return .value(try expression.result(inputs) ?? .null)
      } catch {
        throw error.at(word.column)
      }
    }
    if let reference = word.references.first, word.references.count == 1, word.text.isEmpty {
      guard case .known(let result)? = try scope.value(of: reference) else {
        throw scope.unset(reference)
      }
      return result
    }
    return .value(.string(try scope.resolved(word).text))
  }

  /// The values that a word of a `for` stands for: the elements of a list that it refers to, else its one value.
  func values(of word: Word) throws(UsageError) -> [Value] {
    let result = try assigned(word)
    switch result {
    case .records(let records, let count, isSingle: false) where count > records.count:
      throw UsageError(
        "only the first \(records.count) of \(count) records of \(word.shownName) were kept",
        hint: "for NAME in (COMMAND) iterates over all", column: word.column)
    case .records(_, _, isSingle: true): return [result.value]
    case .records, .value(.array): return result.value.array ?? []
    case .value(let value): return [value]
    }
  }
}
