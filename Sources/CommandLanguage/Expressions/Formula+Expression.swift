import BackendKit
import ConsoleSystem

extension Formula {
  /// Creates a formula that computes an expression for a record, which may lack the optional fields and no others.
  init(
    _ expression: Expression, now: Moment, optional: Set<String>,
    kept: @escaping @Sendable (Value) -> Result<Value, BackendError>
  ) {
    self.init(expression.description, paths: expression.fields) { fields in
      do throws(UsageError) {
        let value = try expression.result(ExpressionInputs(fields: fields, now: now, optional: optional)) ?? .null
        return kept(value).map { .some($0) }
      } catch {
        return .failure(BackendError(failed: error))
      }
    }
  }

  init(_ left: Expression, _ comparison: Comparison, _ right: Expression, now: Moment) {
    let text = "\(left) \(comparison.rawValue) \(right)"
    self.init(judging: text, left.fields + right.fields, now: now) { inputs throws(UsageError) in
      try Computed.compared(try left.computed(inputs), comparison, try right.computed(inputs))
    }
  }

  /// True if there is no value.
  init(isNull expression: Expression, now: Moment) {
    self.init(judging: "\(expression) is null", expression.fields, now: now) { inputs throws(UsageError) in
      let value = try expression.computed(inputs)
      return value == nil || value == .value(.null)
    }
  }

  /// True if the value is truthy.
  init(isTrue expression: Expression, now: Moment) {
    self.init(judging: expression.description, expression.fields, now: now) { inputs throws(UsageError) in
      ValueComparison.isTrue(try expression.result(inputs))
    }
  }

  private init(
    judging text: String, _ paths: [FieldPath], now: Moment,
    _ holds: @escaping @Sendable (ExpressionInputs) throws(UsageError) -> Bool
  ) {
    self.init(text, paths: paths) { fields in
      let result: Result<Value?, BackendError>
      do throws(UsageError) {
        result = .success(.bool(try holds(ExpressionInputs(fields: fields, now: now))))
      } catch {
        result = .failure(BackendError(failed: error))
      }
      return result
    }
  }
}

extension BackendError {
  /// An expression that cannot be computed for a record.
  fileprivate init(failed error: UsageError) {
    self = .invalid(error.message, hint: error.hint)
  }
}
