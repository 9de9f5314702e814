import BackendKit
import CommandLanguage
import ConsoleSetup
import ConsoleSystem

extension Interpreter {
  /// Evaluates a condition, records the outcome for the report, and throws if it does not hold.
  func expect(_ condition: Condition, as name: Word?, _ statement: Statement) async throws {
    let began = session.context.now()
    var expectation = RunTally.Point(
      name: try name.map { word throws(UsageError) in try session.script.scope.resolved(word).text } ?? statement.text,
      source: statement.source, line: statement.line)
    do {
      var verdict = try await judge(condition)
      if session.context.blanking.comparesSecret(statement.text) { verdict.actual = Blanking.mark }
      expectation.verdict = verdict
      expectation.milliseconds = session.context.now() - began
      session.script.tally.add(expectation)
      guard !verdict.holds else { return }
      throw CommandFailure(
        .failure,
        "\(name == nil ? "" : "\(expectation.name): ")expected \(verdict.expected), found \(verdict.actual)",
        code: .expectation)
    } catch {
      guard expectation.verdict == nil else { throw error }
      expectation.complaint = session.ports.failure(error).sentence
      session.script.tally.add(expectation)
      throw error
    }
  }

  /// Evaluates a condition. The verdict has the expected and the actual value.
  func judge(_ condition: Condition) async throws -> Verdict {
    switch condition {
    case .all(let conditions):
      // The first that does not hold is the reason; later ones are not evaluated.
      var verdicts: [Verdict] = []
      for condition in conditions {
        let verdict = try await judge(condition)
        guard verdict.holds else { return verdict }
        verdicts.append(verdict)
      }
      return Verdict(verdicts, holds: true, joinedBy: "and")
    case .any(let conditions):
      var verdicts: [Verdict] = []
      for condition in conditions {
        let verdict = try await judge(condition)
        if verdict.holds { return verdict }
        verdicts.append(verdict)
      }
      return Verdict(verdicts, holds: false, joinedBy: "or")
    case .not(let inner):
      let verdict = try await judge(inner)
      return Verdict(holds: !verdict.holds, expected: "not \(verdict.expected)", actual: verdict.actual)
    case .truth(let word):
      let value = try session.script.scope.operand(word)
      return Verdict(
        holds: ValueComparison.isTrue(value), expected: "\(word.shownName) to be set and not empty",
        actual: Verdict.shown(value))
    case .compare(let left, let sign, let right):
      let (scope, now) = (session.script.scope, Moment.now())
      return try Verdict(
        comparing: try scope.computed(left, now), sign, try scope.computed(right, now), name: left.shownName)
    case .kind(let word, let isNegated, let kind):
      let value = try session.script.scope.operand(word)
      return Verdict(
        holds: (Condition.Kind(value) == kind) != isNegated,
        expected: "\(word.shownName) to be \(isNegated ? "not " : "")\(kind.rawValue)", actual: Verdict.shown(value))
    case .count(let sign, let word):
      guard let result = session.script.result, let count = try result.value(at: [.member("count")], of: "last") else {
        throw UsageError(
          "there is no result to count", hint: "list, get and count give one; (count) > 0 runs one",
          column: word.column)
      }
      return Verdict(count, sign, try session.script.scope.operand(word), name: "count")
    case .command(let command, let sign, let word):
      let result = try await result(of: command)
      let count =
        try result.value(at: [.member("count")], of: "result") ?? .int(ValueComparison.isTrue(result.value) ? 1 : 0)
      guard let sign, let word else {
        return Verdict(holds: ValueComparison.isTrue(count), expected: "a record", actual: "none")
      }
      return Verdict(count, sign, try session.script.scope.operand(word), name: "count")
    case .status(let sign, let word):
      let status = session.traffic.status.map { Value.int($0) }
      var verdict = Verdict(status, sign, try session.script.scope.operand(word), name: "status")
      if status == nil, let failure = session.script.failure { verdict.actual = "no response: \(failure.sentence)" }
      return verdict
    case .header(let name, let sign, let word): return try header(name, sign, word)
    case .error(let code):
      let failure = session.script.failure
      let found = failure.map { "\($0.code.rawValue): \($0.detail ?? $0.sentence)" } ?? "no failure"
      return Verdict(
        holds: failure != nil && (code == nil || failure?.code.rawValue == code),
        expected: code.map { "the error \($0)" } ?? "an error", actual: found)
    case .same(let first, let second): return try await same(first, second)
    }
  }

  /// The verdict on a header of the last response. Secrets in it are compared, but shown blanked.
  private func header(_ name: String, _ sign: Condition.Operator?, _ word: Word?) throws -> Verdict {
    guard session.traffic.status != nil else {
      let reason = session.script.failure.map { ": \($0.sentence)" } ?? " yet"
      throw CommandFailure(
        .failure, "expected header \(name), found no response\(reason)",
        hint: "run a command that sends a request first", code: .expectation)
    }
    let text = session.traffic.header(name).map { session.context.blanking.header(name, $0) }
    var verdict: Verdict
    if let sign, let word {
      verdict = Verdict(text.map { .string($0) }, sign, try session.script.scope.operand(word), name: "header \(name)")
    } else {
      verdict = Verdict(
        holds: text != nil, expected: "a header field \(name)", actual: Verdict.shown(text.map { .string($0) }))
    }
    if text == nil { verdict.actual = "no header field \(name)" }
    return verdict
  }

  private func same(_ first: ScriptCommand, _ second: ScriptCommand) async throws -> Verdict {
    let (left, leftText, _) = try await collect(first)
    let (right, rightText, _) = try await collect(second)
    if left.count == 0, right.count == 0, leftText != nil || rightText != nil {
      return Verdict(leftText?.value, .equal, rightText?.value, name: "the first result")
    }
    var others = try RowBuffer.Reader(right)
    var readers = try RowBuffer.Reader(left)
    var index = 0
    while true {
      let (one, other) = (try readers.next(), try others.next())
      if one == nil, other == nil { break }
      // If fields were chosen without it, the identifier is not compared: servers assign different ones.
      let values = (one.map { Value.object($0.fields) }, other.map { Value.object($0.fields) })
      guard let left = values.0, let right = values.1, left.isSame(as: right) else {
        let (wanted, found) = Self.differing(values.0, values.1)
        return Verdict(
          holds: false, expected: "record \(index + 1) with \(Verdict.shown(wanted))", actual: Verdict.shown(found))
      }
      index += 1
    }
    return Verdict(holds: true, expected: "the same records", actual: "the same \(index) records")
  }

  /// The fields in which two records differ; whole values if one is not a record.
  private static func differing(_ left: Value?, _ right: Value?) -> (Value?, Value?) {
    guard let one = left?.object, let other = right?.object else { return (left, right) }
    func differs(_ name: String) -> Bool {
      switch (one[name], other[name]) {
      case (nil, nil): false
      case (let left?, let right?): !left.isSame(as: right)
      default: true
      }
    }
    return (
      .object(Object(one.members.filter { differs($0.0) })), .object(Object(other.members.filter { differs($0.0) }))
    )
  }
}
