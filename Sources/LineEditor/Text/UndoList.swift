/// The states that a line had, to go back to. Characters typed one after the other count as one change, up to a blank.
struct UndoList {
  struct State: Equatable {
    var text: String
    var cursor: Int
  }

  private var past: [State] = []
  private var present = State(text: "", cursor: 0)
  private var isTyping = false

  /// Takes note of the line as it is now.
  mutating func note(_ state: State) {
    guard state.text != present.text else {
      present.cursor = state.cursor
      return
    }
    let isOneMore =
      state.text.unicodeScalars.count == present.text.unicodeScalars.count + 1 && state.cursor == present.cursor + 1
    if !(isOneMore && isTyping) { past.append(present) }
    isTyping = isOneMore && state.text.last?.isWhitespace == false
    present = state
  }

  /// The state before the last change; nil where there is none.
  mutating func undo() -> State? {
    guard let state = past.popLast() else { return nil }
    present = state
    isTyping = false
    return state
  }
}
