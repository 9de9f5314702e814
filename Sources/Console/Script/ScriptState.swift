import BackendKit
import CommandLanguage
import ConsoleSystem

/// The state of a script, or of a session at a prompt.
struct ScriptState {
  var scope = Scope()
  var result: ScriptResult?
  private(set) var failure: CommandFailure?
  var tally = RunTally()
  var status = ExitStatus.success
  /// The failure that determines the status; nil if there is none.
  var worstFailure: CommandFailure?
  var chosenStatus: Int32?
  /// True if failures of the current statement go to the script instead of being reported.
  var isTried = false
  /// True if the current statement is repeated if it fails.
  var isRetried = false
  var depth = 0
  /// The files run by `source`, innermost last.
  var running: [String] = []

  /// Sets the exit status of the run, unless the present one is worse.
  mutating func worsen(_ status: ExitStatus, by failure: CommandFailure) {
    let worse = self.status.worse(status)
    if worse != self.status { worstFailure = failure }
    self.status = worse
  }

  /// Sets `$error` to a failure, or to null.
  mutating func setError(_ failure: CommandFailure?) {
    self.failure = failure
    scope.set("error", to: .known(.value(failure.map { .object($0.object) } ?? .null)))
  }

  /// Sets `$last` to the result of the last command.
  mutating func bindLast() {
    if let result = result { scope.set("last", to: .known(result)) }
  }

  /// Returns the value of an assignment: a reference's value as it is, otherwise a text.
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

  /// The values of a word of a `for`: the elements of a referenced list, otherwise the one value.
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
