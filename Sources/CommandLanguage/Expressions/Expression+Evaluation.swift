package import BackendKit
package import ConsoleSystem

extension Expression {
  /// The result in the form that is stored; nil if there is none.
  package func result(_ inputs: ExpressionInputs) throws(UsageError) -> Value? {
    guard let computed = try computed(inputs) else { return nil }
    guard let value = computed.stored else {
      throw UsageError("\(self) is a duration in months, which has no fixed length", hint: "add it to a date")
    }
    return value
  }

  /// Returns the result of the expression; nil if there is none.
  package func computed(_ inputs: ExpressionInputs) throws(UsageError) -> Computed? {
    switch self {
    case .value(let value): return .value(value)
    case .word(let text): return .word(text)
    case .field(let path):
      if let value = path.value(in: inputs.fields) { return .value(value) }
      try inputs.check(missing: path)
      return nil
    case .reference(let reference): return try Self.variable(reference, inputs.scope)
    case .joined(let parts):
      var text = ""
      for part in parts {
        text += try part.computed(inputs)?.text ?? ""
        try MemoryLimit.check(text.utf8.count)
      }
      return .value(.string(text))
    case .now, .today:
      try Preview.refuseClock()
      return .moment(self == .now ? inputs.now : inputs.now.day())
    case .span(let span): return .span(span)
    case .apply(.orElse, let left, let right, _):
      let first = try Self.optional(left, inputs)
      if let first, first != .value(.null) { return first }
      return try right.computed(inputs)
    case .apply(let sign, let left, let right, let column):
      return try Self.combined(
        sign, (left, try left.computed(inputs)), (right, try right.computed(inputs)), column)
    case .function(let function, let parts, let column):
      var given: [Computed?] = []
      for part in parts { given.append(try function == .first ? Self.optional(part, inputs) : part.computed(inputs)) }
      return try function.applied(to: given, at: column, now: inputs.now)
    }
  }

  /// Evaluates, with nil for an unset variable or missing field.
  private static func optional(
    _ expression: Expression, _ inputs: ExpressionInputs
  ) throws(UsageError) -> Computed? {
    if case .field(let path) = expression { return path.value(in: inputs.fields).map { .value($0) } }
    guard case .reference(let reference) = expression, let scope = inputs.scope else {
      return try expression.computed(inputs)
    }
    guard case .known(let result)? = try scope.value(of: reference) else { return nil }
    return Computed(inserted: result.value)
  }

  private static func variable(_ reference: VariableReference, _ scope: Scope?) throws(UsageError) -> Computed? {
    guard let scope else {
      throw UsageError("\(reference.shown) cannot be used here", column: reference.column)
    }
    switch try scope.value(of: reference) {
    case .known(let result)?: return Computed(inserted: result.value)
    case .unknown?: return nil
    case nil:
      // A part of a record may be missing; a variable must be set.
      guard !reference.steps.isEmpty, scope.binding(of: reference.name) != nil else { throw scope.unset(reference) }
      return nil
    }
  }

  private static func combined(
    _ sign: Operator, _ left: (Expression, Computed?), _ right: (Expression, Computed?), _ column: Int
  ) throws(UsageError) -> Computed? {
    if let time = try time(sign, left, right, column) { return time }
    if sign == .plus, !adds(left.1, right.1) {
      // A missing operand of a number makes the result missing, and null is not 0.
      for (one, other) in [(left, right), (right, left)] where isNothing(one.1) && isNumber(other.1) {
        throw missing(one.0, column)
      }
      let text = (left.1?.text ?? "") + (right.1?.text ?? "")
      try MemoryLimit.check(text.utf8.count, at: column)
      return .value(.string(text))
    }
    let (one, other) = (try number(left, sign, column), try number(right, sign, column))
    let result: ExactDecimal?
    switch sign {
    case .plus: result = one.plus(other)
    case .minus: result = one.minus(other)
    case .times: result = one.times(other)
    case .divided, .remainder:
      guard other.unscaled != 0 else {
        throw UsageError("\(one.number.text) \(sign.rawValue) 0 is not a number", column: column)
      }
      result = sign == .divided ? one.over(other) : one.remainder(other)
    case .orElse: result = one
    }
    guard let result else {
      throw UsageError(
        "\(one.number.text) \(sign.rawValue) \(other.number.text) has more than 38 digits", column: column)
    }
    return .value(.number(result.number))
  }

  private static func isNothing(_ value: Computed?) -> Bool { value == nil || value == .value(.null) }

  private static func isNumber(_ value: Computed?) -> Bool { if case .value(.number)? = value { true } else { false } }

  /// Returns whether `+` adds: a number and a word, a number and a text that reads as one, or two words that read as
  /// numbers. Two texts are joined.
  private static func adds(_ left: Computed?, _ right: Computed?) -> Bool {
    func reads(_ value: Computed?, asWord: Bool) -> Bool {
      switch value {
      case .word(let text)?: Number(text) != nil
      case .value(.string(let text))?: !asWord && Number(text) != nil
      default: isNumber(value)
      }
    }
    func isWord(_ value: Computed?) -> Bool { if case .word? = value { true } else { false } }
    if isNumber(left) { return isWord(right) || reads(right, asWord: false) }
    if isNumber(right) { return isWord(left) || reads(left, asWord: false) }
    return reads(left, asWord: true) && reads(right, asWord: true)
  }

  private static func number(
    _ operand: (Expression, Computed?), _ sign: Operator, _ column: Int
  ) throws(UsageError) -> ExactDecimal {
    if isNothing(operand.1) { throw missing(operand.0, column) }
    if let text = operand.1?.stored?.text, Preview.isPlanned(text) {
      try Preview.refuse("an identifier that the service has not chosen yet is computed with")
    }
    guard let number = try operand.1?.decimal(column, by: sign.rawValue) else {
      throw UsageError(
        "\(operand.0) is not a number: \(ExpressionFunction.shown(operand.1))",
        hint: "\(sign.rawValue) computes with numbers", column: column)
    }
    return number
  }

  private static func missing(_ expression: Expression, _ column: Int) -> UsageError {
    UsageError("\(expression) is null, not a number", hint: "\(expression) ?? 0 uses 0 instead", column: column)
  }

  /// The sum or difference if one of the two is a moment or a span; nil for anything else.
  private static func time(
    _ sign: Operator, _ left: (Expression, Computed?), _ right: (Expression, Computed?), _ column: Int
  ) throws(UsageError) -> Computed? {
    guard sign == .plus || sign == .minus else { return nil }
    switch (left.1, right.1) {
    case (.span(let one)?, .span(let other)?):
      guard let sum = one + (sign == .plus ? other : -other) else { throw far(column) }
      return .span(sum)
    case (let moment, .span(let span)?):
      return .moment(try added(sign == .plus ? span : -span, to: (left.0, moment), column))
    case (.span(let span)?, let moment) where sign == .plus:
      return .moment(try added(span, to: (right.0, moment), column))
    case (.moment?, _) where sign == .minus, (_, .moment?) where sign == .minus:
      guard let one = left.1?.moment(), let two = right.1?.moment() else {
        let operand = left.1?.moment() == nil ? left : right
        throw noMoment(operand, column)
      }
      return .span(TimeSpan(milliseconds: one.milliseconds - two.milliseconds))
    default: return nil
    }
  }

  private static func added(
    _ span: TimeSpan, to operand: (Expression, Computed?), _ column: Int
  ) throws(UsageError) -> Moment {
    guard let moment = operand.1?.moment() else { throw noMoment(operand, column) }
    guard let sum = moment.adding(span) else { throw far(column) }
    return sum
  }

  private static func noMoment(_ operand: (Expression, Computed?), _ column: Int) -> UsageError {
    UsageError(
      "\(operand.0) is not a date: \(ExpressionFunction.shown(operand.1))",
      hint: "2026-11-24, 2026-11-24T09:30:00Z; date(…) reads seconds since 1970", column: column)
  }

  private static func far(_ column: Int) -> UsageError {
    UsageError("the date is outside the years 1 to 9999", column: column)
  }
}

extension Computed {
  /// Returns whether a comparison holds. Next to a moment, the other value is read as a moment; next to a span, it must
  /// be a span. Other values compare as in conditions.
  package static func compared(
    _ left: Computed?, _ sign: Comparison, _ right: Computed?
  ) throws(UsageError) -> Bool {
    let order: Int?
    switch (left, right) {
    case (nil, _), (_, nil), (.value(.null)?, _), (_, .value(.null)?):
      return ValueComparison.compared(left?.stored, sign, right?.stored)
    case (.moment?, _), (_, .moment?):
      guard let one = left?.moment(), let other = right?.moment() else {
        let odd = left?.moment() == nil ? left : right
        throw UsageError(
          "cannot compare a date with \(ExpressionFunction.shown(odd)), which is not a date",
          hint: "2026-11-24, 2026-11-24T09:30:00Z; date(…) reads seconds since 1970")
      }
      order = one.milliseconds < other.milliseconds ? -1 : one.milliseconds > other.milliseconds ? 1 : 0
    case (.span(let one)?, .span(let other)?):
      order = TimeSpan.order(one, other)
      if order == nil { throw UsageError("cannot compare \(one.text) and \(other.text): months differ in length") }
    case (.span?, _), (_, .span?):
      throw UsageError(
        "cannot compare a duration with \(ExpressionFunction.shown(left?.kind == "span of time" ? right : left))",
        hint: "30d, 1h30m, 6mo")
    default: return ValueComparison.compared(left?.stored, sign, right?.stored)
    }
    guard let order else { return false }
    return switch sign {
    case .equal: order == 0
    case .notEqual: order != 0
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    case .contains: false
    }
  }
}
