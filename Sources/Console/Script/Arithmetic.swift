import BackendKit

/// What `set @name` computes: whole numbers with `+`, `-`, `*`, `/` and `%`, or one value as it is.
indirect enum Arithmetic: Sendable {
  /// What is done with two numbers.
  enum Operator: String, Sendable {
    case plus = "+"
    case minus = "-"
    case times = "*"
    case divided = "/"
    case remainder = "%"

    fileprivate var bindsTighter: Bool { self != .plus && self != .minus }

    init?(_ word: Word) {
      guard !word.isQuoted, word.references.isEmpty else { return nil }
      self.init(rawValue: word.text)
    }
  }

  case word(Word)
  case apply(Arithmetic, Operator, Arithmetic)

  /// Reads words, values and operators in turn; nil where they are not.
  init?(_ words: [Word]) {
    guard words.count % 2 == 1 else { return nil }
    var sums: [(sign: Operator?, value: Arithmetic)] = []
    for (index, word) in words.enumerated() where index.isMultiple(of: 2) {
      guard index > 0 else {
        sums.append((nil, .word(word)))
        continue
      }
      guard let sign = Operator(words[index - 1]) else { return nil }
      if sign.bindsTighter {
        sums[sums.count - 1].value = .apply(sums[sums.count - 1].value, sign, .word(word))
      } else {
        sums.append((sign, .word(word)))
      }
    }
    guard var result = sums.first?.value else { return nil }
    for case (let sign?, let value) in sums.dropFirst() { result = .apply(result, sign, value) }
    self = result
  }

  /// The words in it, in their order.
  var words: [Word] {
    switch self {
    case .word(let word): [word]
    case .apply(let left, _, let right): left.words + right.words
    }
  }
}

extension Scope {
  /// The whole number that arithmetic comes to.
  func number(_ arithmetic: Arithmetic) throws(UsageError) -> Int {
    switch arithmetic {
    case .word(let word):
      let value = try operand(word)
      let found: Int? =
        switch value {
        case .number(let number)?: number.integer
        case .string(let text)?: Number(text)?.integer
        default: nil
        }
      guard let found else {
        throw UsageError(
          "\(word.shownName) is not a whole number: \(Verdict.shown(value))", hint: "set @n $n + 1", column: word.column
        )
      }
      return found
    case .apply(let left, let sign, let right):
      let place = right.words.first?.column
      let (left, divisor) = (try number(left), try number(right))
      let result: (partialValue: Int, overflow: Bool)
      switch sign {
      case .plus: result = left.addingReportingOverflow(divisor)
      case .minus: result = left.subtractingReportingOverflow(divisor)
      case .times: result = left.multipliedReportingOverflow(by: divisor)
      case .divided, .remainder:
        guard divisor != 0 else { throw UsageError("\(left) \(sign.rawValue) 0 is not a number", column: place) }
        result =
          sign == .divided
          ? left.dividedReportingOverflow(by: divisor) : left.remainderReportingOverflow(dividingBy: divisor)
      }
      guard !result.overflow else {
        throw UsageError("\(left) \(sign.rawValue) \(divisor) is too large for a whole number", column: place)
      }
      return result.partialValue
    }
  }
}
