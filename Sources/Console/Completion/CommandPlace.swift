/// What may stand at the cursor, by the command table.
struct CommandPlace {
  /// One kind of thing that a word of a command can be. The names in usage texts are the words of this vocabulary.
  enum Slot: Hashable {
    case command, topic, target, identifier, condition, assignment, backend, field, fields, sortKeys, expression,
      format, file
    case settingName, law, action
    /// The value of a setting whose name was typed.
    case settingValue(String)
    /// One of several words.
    case choice([String])
    /// A command line of its own, from here on.
    case line
    /// What only the operator knows: a number, a text, a user name.
    case free

    /// The slot that a word of a usage text names; nil where the vocabulary has no such word.
    init?(_ placeholder: String) {
      switch placeholder {
      case "TARGET": self = .target
      case "ID": self = .identifier
      case "PREDICATE": self = .condition
      case "FIELD=VALUE": self = .assignment
      case "BACKEND": self = .backend
      case "COMMAND": self = .command
      case "TOPIC": self = .topic
      case "LINE": self = .line
      case "FIELD": self = .field
      case "FIELDS": self = .fields
      case "KEYS": self = .sortKeys
      case "EXPRESSION": self = .expression
      case "FORMAT": self = .format
      case "FILE", "PATH": self = .file
      case "NAME": self = .settingName
      case "VALUE": self = .settingValue("")
      case "LAW": self = .law
      case "ACTION": self = .action
      case "METHOD": self = .choice(RequestMethod.all)
      case "N", "NAMES", "PLUGIN", "VARIABLE", "=", "CONDITION", "(LINE)", "TEXT", "USER", "SECONDS", "SHELL",
        "ADDRESS":
        self = .free
      default:
        let parts = placeholder.split(separator: "|").map(String.init)
        // What is written in small letters is meant as it stands.
        let words = parts.filter { $0.contains(where: \.isLowercase) }
        if words.isEmpty {
          // Of several things the one that something is known of.
          let slots = parts.count > 1 ? parts.compactMap(Slot.init) : []
          guard let slot = slots.first(where: { $0 != .free }) ?? slots.first else { return nil }
          self = slot
        } else {
          self = .choice(words)
        }
      }
    }
  }

  /// A slot of a usage text.
  private struct Step {
    let slot: Slot
    let isOptional: Bool
    let repeats: Bool
  }

  /// What may stand at the cursor.
  private(set) var slots: [Slot] = []
  /// The options that may be written at the cursor.
  private(set) var options: [OptionSyntax] = []
  /// The word that names the target, or nil for the current one.
  private(set) var target: String?
  /// The word that names an action, or nil.
  private(set) var action: String?
  /// Whether the cursor is at the value of an option that is written `--name=value`; then, how much of the word stands
  /// before it, in scalars.
  private(set) var head = 0
  /// What stands behind an identifier, where one may stand at the cursor.
  private(set) var next: Slot?
  /// How many words stand before a command within the command, its own name among them.
  private(set) var linePlace = 2

  /// Reads the usage of each command as a list of slots.
  private static func steps(of arguments: String) -> [Step] {
    let first = arguments.split(separator: " ").prefix { $0 != "|" }
    var steps: [Step] = []
    for word in first {
      if word == "...]" || word == "..." {
        if let last = steps.popLast() {
          steps.append(Step(slot: last.slot, isOptional: last.isOptional, repeats: true))
        }
        continue
      }
      let name = word.filter { $0 != "[" && $0 != "]" }
      if let slot = Slot(name) { steps.append(Step(slot: slot, isOptional: word.hasPrefix("["), repeats: false)) }
    }
    return steps
  }

  /// A place at which one of several words may stand.
  init(_ choices: [String]) { slots = [.choice(choices)] }

  /// The place at the end of a command's words. `isTarget` tells whether a word names a target.
  init(_ words: [Word], _ last: PartialWord, isTarget: (String) -> Bool) {
    let command = words.first.flatMap { try? CommandTable.command(named: $0.text) }
    self.init(
      Array(words.dropFirst()), last, command?.arguments ?? "", (command?.options ?? []) + SharedOptions.redirection,
      isTarget: isTarget)
    if words.isEmpty { slots = [.command] }
  }

  /// The place at the end of words that follow a usage text.
  init(
    _ words: [Word], _ last: PartialWord, _ arguments: String, _ syntax: [OptionSyntax], isTarget: (String) -> Bool
  ) {
    var positional: [Word] = []
    var awaited: OptionSyntax?
    var given: Set<String> = []
    var isLiteral = false
    for word in words {
      if awaited != nil {
        awaited = nil
      } else if isLiteral || !Invocation.isOption(word) {
        positional.append(word)
      } else if word.text == "--" {
        isLiteral = true
      } else {
        let spelling = String(word.text.prefix { $0 != "=" })
        let option = syntax.first { Invocation.spellings(of: $0).contains(spelling) }
        if let option { given.insert(option.name) }
        if option?.value != nil, !word.text.contains("=") { awaited = option }
      }
    }
    place(positional, Self.steps(of: arguments), isTarget: isTarget)
    if let value = awaited?.value {
      slots = [Slot(value) ?? .free]
    } else if slots != [.line], !isLiteral, !last.startsQuoted, last.text.hasPrefix("-") {
      placeAtOption(last.text, syntax, given)
    }
  }

  private mutating func placeAtOption(_ text: String, _ syntax: [OptionSyntax], _ given: Set<String>) {
    slots = []
    guard let equals = text.unicodeScalars.firstIndex(of: "=") else {
      options = syntax.filter { $0.isRepeatable || !given.contains($0.name) }
      return
    }
    let spelling = String(text[..<equals])
    guard let value = syntax.first(where: { Invocation.spellings(of: $0).contains(spelling) })?.value else { return }
    head = text.unicodeScalars.distance(from: text.startIndex, to: equals) + 1
    slots = [Slot(value) ?? .free]
  }

  private mutating func place(_ words: [Word], _ all: [Step], isTarget: (String) -> Bool) {
    var steps = all[...]
    var passed = 1
    defer { linePlace = passed }
    for word in words {
      while let step = steps.first, step.slot == .target, step.isOptional, word.isQuoted || !isTarget(word.text) {
        steps.removeFirst()
      }
      guard let step = steps.first else { return }
      if step.slot == .target { target = word.text }
      if step.slot == .action { action = word.text }
      if step.slot == .line { break }
      passed += 1
      if !step.repeats { steps.removeFirst() }
      // A setting's value depends on its name.
      if step.slot == .settingName, let next = steps.first, next.slot == .settingValue("") {
        steps[steps.startIndex] = Step(slot: .settingValue(word.text), isOptional: false, repeats: false)
      }
    }
    for step in steps {
      slots.append(step.slot)
      if !step.isOptional { break }
    }
    if let place = steps.firstIndex(where: { $0.slot == .identifier }), place + 1 < steps.endIndex {
      next = steps[place + 1].slot
    }
    // Records are chosen more often than what they belong to.
    if let place = slots.firstIndex(of: .identifier) { slots.insert(slots.remove(at: place), at: 0) }
  }
}
