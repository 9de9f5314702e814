extension Value {
  /// The seconds since 1970 of a moment: a date and time in ISO 8601 with its zone, or a number of seconds or
  /// milliseconds; nil for anything else.
  public var secondsSince1970: Int? {
    switch self {
    case .string(let text): return Instant(text)?.seconds ?? Int(text).flatMap(Self.seconds)
    case .number(let number): return Self.seconds(number.double)
    default: return nil
    }
  }

  /// Returns whether two texts are different spellings of one moment: `Z` and `+00:00`, `.5` and `.500`.
  public func isSameMoment(as other: Value) -> Bool {
    guard case .string(let mine) = self, case .string(let theirs) = other, let moment = Instant(mine) else {
      return false
    }
    return moment == Instant(theirs)
  }

  private static func seconds(_ number: Int) -> Int? { seconds(Double(number)) }

  private static func seconds(_ number: Double) -> Int? {
    // Beyond the year 5138 it counts milliseconds.
    guard number.isFinite, number >= 0, number < 1e14 else { return nil }
    return Int(number < 1e11 ? number : number / 1000)
  }
}
