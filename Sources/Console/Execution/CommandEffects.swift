/// The effects of a command beyond showing its result. The files that it opens follow from its arguments and options.
struct CommandEffects: OptionSet, Sendable {
  let rawValue: Int

  /// It sends requests for records or their descriptions.
  static let readsRecords = CommandEffects(rawValue: 1)
  static let writesRecords = CommandEffects(rawValue: 1 << 1)
  /// It runs actions of a service; only the description shows whether they write.
  static let runsActions = CommandEffects(rawValue: 1 << 2)
  static let changesLogin = CommandEffects(rawValue: 1 << 3)
  /// It changes the user's configuration, or the trust in one.
  static let changesConfiguration = CommandEffects(rawValue: 1 << 4)
  static let changesSettings = CommandEffects(rawValue: 1 << 5)
  static let choosesTarget = CommandEffects(rawValue: 1 << 6)
  static let runsPrograms = CommandEffects(rawValue: 1 << 7)
  /// It creates folders and files that no argument names.
  static let makesFolders = CommandEffects(rawValue: 1 << 8)
  static let runsScripts = CommandEffects(rawValue: 1 << 9)
  /// Users tend to type a secret after it, although it takes none.
  static let takesSecret = CommandEffects(rawValue: 1 << 10)
  /// It reads the journal of writes, or adds outcomes to it.
  static let usesJournal = CommandEffects(rawValue: 1 << 11)
  /// It can put its writes into a plan instead of sending them.
  static let handsOverWrites = CommandEffects(rawValue: 1 << 12)
  /// With `--field` it writes the content of a file itself, which is not a result.
  static let writesContent = CommandEffects(rawValue: 1 << 13)
  /// It creates the file of `--to` itself if that is a database.
  static let makesDatabases = CommandEffects(rawValue: 1 << 14)
}

extension Command {
  struct ReadingForm: Sendable {
    /// The clause after the command's name if a restricted run refuses other words.
    let clause: String
    let isGiven: @Sendable (CommandReading) -> Bool

    init(_ clause: String, isGiven: @escaping @Sendable (CommandReading) -> Bool) {
      self.clause = clause
      self.isGiven = isGiven
    }
  }

  /// Returns the effects with these words.
  func effects(of reading: CommandReading) -> CommandEffects {
    guard readsOnly?.isGiven(reading) == true else { return effects }
    return effects.subtracting([.writesRecords, .changesConfiguration, .makesFolders, .runsPrograms])
  }
}
