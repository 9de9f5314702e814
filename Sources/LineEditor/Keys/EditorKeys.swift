/// The control characters that the editor handles itself.
enum EditorKeys {
  static let interrupt: UInt32 = 0x03
  static let lineStart: UInt32 = 0x01
  /// The end of the input on an empty line.
  static let deleteOrEnd: UInt32 = 0x04
  static let lineEnd: UInt32 = 0x05
  static let backward: UInt32 = 0x02
  static let forward: UInt32 = 0x06
  static let backspace: UInt32 = 0x7F
  static let otherBackspace: UInt32 = 0x08
  static let enter: UInt32 = 0x0A
  static let otherEnter: UInt32 = 0x0D
  static let chord: UInt32 = 0x18
  static let undo: UInt32 = 0x1F
  /// `v` in the command mode of vi.
  static let edit: UInt32 = 0x76
  static let newer: UInt32 = 0x6A
  static let older: UInt32 = 0x6B
  static let tab: UInt32 = 0x09
  static let next: UInt32 = 0x0E
  static let previous: UInt32 = 0x10
  static let search: UInt32 = 0x12
  static let suspend: UInt32 = 0x1A

  /// The keys in every mode.
  static let everywhere = [interrupt, tab, next, previous, search, suspend, enter, otherEnter, undo]
  static let inInsertion = everywhere + [lineEnd, backward, forward, backspace, otherBackspace]
  /// The keys in the command mode of vi.
  static let inCommandMode = everywhere + [older, newer, edit]
  /// Functions of libedit with the same keys in both modes while text is typed.
  static let functions: [(key: UInt32, name: String)] = [
    (lineStart, "ed-move-to-beg"), (0x0B, "ed-kill-line"), (0x0C, "ed-clear-screen"), (0x15, "vi-kill-line-prev"),
    (0x17, "ed-delete-prev-word"), (0x19, "em-yank"),
  ]
}
