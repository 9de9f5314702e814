/// The effects of a command beyond showing its result. The files that it opens follow from the kinds of its arguments
/// and options.
struct CommandEffects: OptionSet, Sendable {
  let rawValue: Int

  /// It asks servers: for records, or for what describes them.
  static let readsRecords = CommandEffects(rawValue: 1)
  static let writesRecords = CommandEffects(rawValue: 1 << 1)
  /// It does what a service describes as an action; only the description tells whether that is a write.
  static let runsActions = CommandEffects(rawValue: 1 << 2)
  static let changesLogin = CommandEffects(rawValue: 1 << 3)
  /// It changes what the console keeps for its user from one run to the next.
  static let changesConfiguration = CommandEffects(rawValue: 1 << 4)
  /// It changes settings or options of backends for the session.
  static let changesSettings = CommandEffects(rawValue: 1 << 5)
  /// It chooses what the commands after it work on.
  static let choosesTarget = CommandEffects(rawValue: 1 << 6)
  static let runsPrograms = CommandEffects(rawValue: 1 << 7)
  /// It makes folders and files that no word names.
  static let makesFolders = CommandEffects(rawValue: 1 << 8)
  /// It runs the statements of a file.
  static let runsScripts = CommandEffects(rawValue: 1 << 9)
  /// People type a secret after its arguments, although it takes none.
  static let takesSecret = CommandEffects(rawValue: 1 << 10)
  /// It reads the journal of writes, or adds to it what became of one.
  static let usesJournal = CommandEffects(rawValue: 1 << 11)
  /// It can hand over its writes to a plan instead of sending them.
  static let handsOverWrites = CommandEffects(rawValue: 1 << 12)
  /// With `--field` it writes the content of a file itself, which is no result that is shown.
  static let writesContent = CommandEffects(rawValue: 1 << 13)
  /// It creates the file of `--to` itself, if that is a database.
  static let makesDatabases = CommandEffects(rawValue: 1 << 14)
}

extension Command {
  /// With which words a command that can write only reads.
  struct ReadingForm: Sendable {
    /// The clause that follows the command's name if a restricted run refuses it with other words.
    let clause: String
    let isGiven: @Sendable (CommandReading) -> Bool

    init(_ clause: String, isGiven: @escaping @Sendable (CommandReading) -> Bool) {
      self.clause = clause
      self.isGiven = isGiven
    }
  }

  /// Returns the effects of the command with these words after its name.
  func effects(of reading: CommandReading) -> CommandEffects {
    guard readsOnly?.isGiven(reading) == true else { return effects }
    return effects.subtracting([.writesRecords, .changesConfiguration, .makesFolders, .runsPrograms])
  }
}
