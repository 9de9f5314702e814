internal import CLibedit

/// Translates keys for libedit.
extension TerminalSession {
  /// The key for libedit; nil: consumed.
  func translate(_ event: KeyEvent) -> wchar_t? {
    if [.pageUp, .pageDown, .backTab].contains(event) { return nil }
    noteLine(before: event)
    self.event = event
    if search != nil { return InternalKey.event.rawValue }
    if afterChord { return translate(afterChord: event) }
    let isMeta = afterLoneEscape
    afterLoneEscape = false
    if let taken = suggestionTaken(by: event) {
      self.event = taken
      return InternalKey.event.rawValue
    }
    switch event {
    case .character(let scalar) where scalar.value == EditorKeys.chord:
      afterChord = true
      return nil
    case .character(let scalar) where isMeta: return translate(.meta(scalar))
    case .character(let scalar) where scalar.value == EditorKeys.deleteOrEnd && !isVi && isBeforeLongLetter:
      self.event = .delete
      return InternalKey.event.rawValue
    case .character(let scalar):
      // A zero-width character makes libedit lose count of the columns; inserting it as text does not.
      let isText = scalar.value >= 0x20 && scalar.value != 0x7F
      return isText && TerminalText.width(of: scalar) == 0
        ? InternalKey.event.rawValue : wchar_t(bitPattern: scalar.value)
    case .meta(let scalar):
      keys.pushBack(.character(scalar))
      return isVi ? InternalKey.commandMode.rawValue : 0x1B
    case .escape where isVi: return InternalKey.commandMode.rawValue
    // Cancels a question, as Control-C does.
    case .escape where !request.isCommand: return translate(.character("\u{3}"))
    case .escape:
      afterLoneEscape = true
      return nil
    case .left: return (isAfterLongLetter ? InternalKey.event : .left).rawValue
    case .right: return (isBeforeLongLetter ? InternalKey.event : .right).rawValue
    case .home: return InternalKey.home.rawValue
    case .end: return InternalKey.end.rawValue
    case .delete: return (isBeforeLongLetter ? InternalKey.event : .delete).rawValue
    case .wordLeft: return InternalKey.wordLeft.rawValue
    case .wordRight: return InternalKey.wordRight.rawValue
    case .accept: return InternalKey.accept.rawValue
    case .rowUp: return InternalKey.rowUp.rawValue
    case .rowDown: return InternalKey.rowDown.rawValue
    default: return InternalKey.event.rawValue
    }
  }

  /// The key after Control-X.
  private func translate(afterChord event: KeyEvent) -> wchar_t? {
    switch event {
    case .resized, .continued: return InternalKey.event.rawValue
    default: afterChord = false
    }
    switch event {
    case .character("\u{5}"): self.event = .openEditor
    case .character("\u{15}"): self.event = .undo
    case .character("\u{18}"): return InternalKey.exchangeMark.rawValue
    default:
      write("\u{7}")
      return nil
    }
    return InternalKey.event.rawValue
  }
}
