/// The earlier states of a line. Consecutive typed characters count as one change, up to a space.
struct UndoList {
  struct State: Equatable {
    var text: String
    var cursor: Int
  }

  private var past: [State] = []
  private var present = State(text: "", cursor: 0)
  private var isTyping = false

  /// Records the present line.
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

  /// The state before the last change; nil if there is none.
  mutating func undo() -> State? {
    guard let state = past.popLast() else { return nil }
    present = state
    isTyping = false
    return state
  }
}
