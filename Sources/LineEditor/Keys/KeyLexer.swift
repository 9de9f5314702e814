/// Converts the scalars of a terminal to key events: escape sequences, pastes, single characters.
struct KeyLexer {
  private enum State {
    case ground, escape, escapeThenEscape
    /// Inside `ESC [`, with the parameters so far.
    case control(String)
    /// After `ESC O`.
    case shift
    /// After `ESC [ [`: a function key of a Linux console.
    case function
    /// Inside a control string for a terminal (`ESC ]`, `ESC P`…), up to BEL or `ESC \`.
    case string, stringEscape
    case paste([Unicode.Scalar])
  }

  private static let pasteEnd = Array("\u{1B}[201~".unicodeScalars)
  private static let longestSequence = 32

  private var state = State.ground

  /// True after Escape, while the next key decides its meaning.
  var isAfterEscape: Bool {
    switch state {
    case .escape, .escapeThenEscape: true
    default: false
    }
  }

  /// True if no incomplete key is pending.
  var isBetweenKeys: Bool {
    if case .ground = state { true } else { false }
  }

  var isPasting: Bool {
    if case .paste = state { true } else { false }
  }

  /// Takes one scalar; returns the event it completes, if any.
  mutating func feed(_ scalar: Unicode.Scalar) -> KeyEvent? {
    switch state {
    case .ground: return ground(scalar)
    case .escape, .escapeThenEscape: return afterEscape(scalar)
    case .control(let parameters): return control(parameters, scalar)
    case .shift:
      state = .ground
      return Self.named(final: scalar, parameters: "")
    case .function:
      state = scalar == "\u{1B}" ? .escape : .ground
      return nil
    case .string:
      if scalar == "\u{7}" { state = .ground } else if scalar == "\u{1B}" { state = .stringEscape }
      return nil
    case .stringEscape:
      state = scalar == "\\" ? .ground : .string
      return nil
    case .paste: return paste(scalar)
    }
  }

  /// Nothing followed Escape in time: it was the key itself.
  mutating func escapeTimedOut() -> KeyEvent {
    state = .ground
    return .escape
  }

  private mutating func ground(_ scalar: Unicode.Scalar) -> KeyEvent? {
    if scalar == "\u{1B}" {
      state = .escape
      return nil
    }
    // C1 characters are the editor's own internal keys; NUL is not text.
    return scalar.value == 0 || 0x80..<0xA0 ~= scalar.value ? nil : .character(scalar)
  }

  private mutating func afterEscape(_ scalar: Unicode.Scalar) -> KeyEvent? {
    switch scalar {
    case "[": state = .control("")
    case "O": state = .shift
    case "]", "P", "_", "^", "X": state = .string
    case "\u{1B}": state = .escapeThenEscape
    default:
      state = .ground
      return 0x80..<0xA0 ~= scalar.value || scalar.value == 0 ? nil : .meta(scalar)
    }
    return nil
  }

  private mutating func control(_ parameters: String, _ scalar: Unicode.Scalar) -> KeyEvent? {
    switch scalar.value {
    case 0x20..<0x40 where parameters.unicodeScalars.count < Self.longestSequence:
      state = .control(parameters + String(scalar))
      return nil
    case 0x40..<0x7F:
      state = scalar == "[" && parameters.isEmpty ? .function : .ground
      if scalar == "~", parameters == "200" {
        state = .paste([])
        return nil
      }
      return Self.named(final: scalar, parameters: parameters)
    default:
      // Not a sequence after all: the character is dropped with it, but an Escape starts another one.
      state = scalar == "\u{1B}" ? .escape : .ground
      return nil
    }
  }

  private mutating func paste(_ scalar: Unicode.Scalar) -> KeyEvent? {
    guard case .paste(var text) = state else { return nil }
    // Emptied so that the append below does not copy the text collected so far.
    state = .ground
    text.append(scalar)
    if scalar == "~", text.suffix(Self.pasteEnd.count).elementsEqual(Self.pasteEnd) {
      return .paste(PastedText.clean(text.dropLast(Self.pasteEnd.count)))
    }
    state = .paste(text)
    return nil
  }

  private static func named(final: Unicode.Scalar, parameters: String) -> KeyEvent? {
    let modified = parameters.hasSuffix(";5") || parameters.hasSuffix(";3")
    switch final {
    case "A": return .up
    case "B": return .down
    case "C": return modified ? .wordRight : .right
    case "D": return modified ? .wordLeft : .left
    case "H": return .home
    case "F": return .end
    case "c" where parameters.isEmpty: return .wordRight
    case "d" where parameters.isEmpty: return .wordLeft
    case "M" where parameters.isEmpty: return .character("\n")
    case "Z": return .backTab
    case "~":
      switch parameters {
      case "1", "7": return .home
      case "4", "8": return .end
      case "3": return .delete
      case "5": return .pageUp
      case "6": return .pageDown
      default: return nil
      }
    default: return nil
    }
  }
}
