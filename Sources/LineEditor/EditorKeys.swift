/// The control characters that the editor acts upon itself.
enum EditorKeys {
  static let interrupt: UInt32 = 0x03
  static let newer: UInt32 = 0x6A
  static let older: UInt32 = 0x6B
  static let tab: UInt32 = 0x09
  static let next: UInt32 = 0x0E
  static let previous: UInt32 = 0x10
  static let search: UInt32 = 0x12
  static let suspend: UInt32 = 0x1A

  /// In every mode.
  static let everywhere = [interrupt, tab, next, previous, search, suspend]
  /// In the command mode of vi.
  static let inCommandMode = everywhere + [older, newer]
}
