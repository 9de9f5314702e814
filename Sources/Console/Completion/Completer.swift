import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSetup

/// Finds the continuations at the cursor from the command table and known data. Sends no requests.
struct Completer {
  var known: CompletionContext.State
  var missing: Set<CompletionContext.Lookup> = []

  private var isPartial = false
  /// True if records may be missing whose titles, but not identifiers, could begin with the typed text.
  private var lacksTitles = false
  /// The fields known by only some of their values.
  private(set) var sampled: Set<String> = []

  init(_ known: CompletionContext.State) { self.known = known }

  /// A continuation before quoting, with the text that precedes it in the word.
  struct Proposal: Hashable {
    var text: String
    var note: String?
    /// The text that follows; nil for a blank, which also closes quotes.
    var suffix: String?
    /// True if it would mean something else without quotes.
    var needsQuotes: Bool
    /// True if it would mean something else in quotes.
    var isBare = false
    /// True if it is only one of the values seen so far.
    var isSample = false

    init(_ text: String, _ note: String? = nil, suffix: String? = nil) {
      self.text = text
      self.note = note
      self.suffix = suffix
      needsQuotes = Quoting.needsQuotes(text)
    }

    init(place: Int, _ note: String) {
      self.init("@\(place)", note)
      isBare = true
    }

    /// An identifier, quoted if it could be taken for an option, a target or a condition.
    init(identifier: String, _ note: String?, isTarget: Bool) {
      self.init(identifier, note)
      let isPlain = identifier.utf8.allSatisfy { byte in
        byte >= 0x80 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte
          || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte || "-_.:".utf8.contains(byte)
      }
      needsQuotes = needsQuotes || !isPlain || isTarget || identifier.utf8.first == UInt8(ascii: "-")
    }
  }

  /// The continuations of a line at the cursor; of a block, those of its last statement.
  mutating func complete(_ line: String) -> CommandCompletion {
    let (before, offset) = TypedText.endOfWhole(line)
    guard offset > 0 else { return complete(statement: line) }
    for statement in before { bind(statement) }
    var completion = complete(statement: String(String.UnicodeScalarView(line.unicodeScalars.dropFirst(offset))))
    completion.start += offset
    return completion
  }

  private mutating func complete(statement line: String) -> CommandCompletion {
    let partial = PartialLine(line)
    let nothing = CommandCompletion(start: line.unicodeScalars.count, candidates: [])
    guard !partial.isComment else { return nothing }
    if let reference = completeReference(partial.last) { return reference }
    if partial.isVerbatim { return completeSQL(partial.last) }
    let statement = StatementPlace(partial.words, partial.last)
    if let choices = statement.choices { return complete(partial.last, CommandPlace(choices)) }
    return complete(statement.last, commandPlace(statement))
  }

  func commandPlace(_ statement: StatementPlace) -> CommandPlace {
    var place = CommandPlace(statement.words, statement.last, isNamed: isNamed)
    while let line = place.line { place = CommandPlace(line, statement.last, isNamed: isNamed) }
    return place
  }

  mutating func complete(_ word: PartialWord, _ place: CommandPlace) -> CommandCompletion {
    if !place.options.isEmpty {
      let options = place.options.map { option in
        Proposal("--\(option.name)", option.help, suffix: option.value == nil ? nil : " ")
      }
      return Self.written(options.filter { $0.text.hasPrefix(word.text) }, after: 0, of: word)
    }
    var head = place.head
    var typed = String(word.text.unicodeScalars.dropFirst(head))
    var proposals: [Proposal] = []
    for kind in place.kinds {
      let (offset, found) = self.proposals(for: kind, typed, place)
      guard !found.isEmpty else { continue }
      // Of kinds that begin at different offsets of the word, the most specific wins.
      if offset > 0 {
        head += typed.unicodeScalars.prefix(offset).count
        typed = String(typed.unicodeScalars.dropFirst(offset))
        proposals = found
        break
      }
      proposals += found
    }
    var completion = Self.written(proposals, after: head, of: word)
    let lacksAny = isPartial || lacksTitles && !proposals.contains { $0.text.hasSuffix("=") }
    completion.isPartial = lacksAny || proposals.contains(where: \.isSample)
    return completion
  }

  /// Returns whether a word names a known backend or target.
  func isNamed(_ kind: WordKind, _ word: Word) -> Bool {
    kind == .backend ? known.configurations.contains { $0.name == word.text } : isTarget(word.text)
  }

  func isTarget(_ text: String) -> Bool {
    if text.contains("/") && !text.contains("=") { return true }
    return known.configurations.contains { $0.name == text }
      || known.current.flatMap { known.descriptions[$0.backend]?.hasResource(named: text) } == true
  }

  /// Returns the proposals for a word of a kind, and the number of scalars before the part of the typed text that they
  /// replace.
  private mutating func proposals(
    for kind: WordKind, _ typed: String, _ place: CommandPlace
  ) -> (Int, [Proposal]) {
    func beginning(_ all: [Proposal]) -> (Int, [Proposal]) { (0, all.filter { $0.text.hasPrefix(typed) }) }
    switch kind {
    case .command: return beginning(CommandTable.commands.map { Proposal($0.name, $0.summary) })
    case .topic:
      return beginning(
        CommandTable.commands.map { Proposal($0.name, $0.summary) }
          + HelpTopic.all.map { Proposal($0.name, $0.summary) })
    case .backend: return beginning(backends)
    case .target:
      // A quoted word is never a target.
      return beginning(
        targets(typed).map { target in
          var target = target
          target.isBare = true
          return target
        })
    case .oneOf(let words, _): return beginning(words.map { Proposal($0) })
    case .format: return beginning(OutputFormat.allCases.map { Proposal($0.rawValue) })
    case .file: return FilePaths.matching(typed)
    case .query: return beginning(known.queries.keys.sorted().map { Proposal($0, known.queries[$0]?.sql) })
    case .parameter:
      let names = place.query.flatMap { known.queries[$0] }?.parameters ?? []
      return beginning(names.map { Proposal($0 + "=", suffix: "") })
    case .settingName: return beginning(typed.hasPrefix("@") ? variableNames : settingNames)
    case .settingValue(let name): return beginning(settingValues(name ?? ""))
    case .identifier:
      guard let single = resource(place.target), single.identifier.form == .none else {
        return identifiers(typed, place.target)
      }
      return place.next == .assignment ? assignments(typed, single) : (0, [])
    case .predicate:
      let resource = resource(place.target)
      return named(typed, resource, place.target) ?? conditions(typed, resource)
    case .assignment:
      let resource = taken(place)
      return named(typed, resource, place.target) ?? assignments(typed, resource)
    case .action:
      return beginning((resource(place.target)?.actions ?? []).map { Proposal($0.name, $0.note) })
    case .field: return beginning(fieldNames(resource(place.target), suffix: nil))
    case .fields: return listed(typed, resource(place.target), isSort: false)
    case .relations: return relations(typed, resource(place.target))
    case .sortKeys: return listed(typed, resource(place.target), isSort: true)
    case .expression: return expression(typed, resource(place.target), place.target)
    case .law:
      if known.laws.isEmpty { missing.insert(.laws) }
      return beginning(known.laws.map { Proposal($0.name, $0.promise) })
    case .either(let kinds):
      let found = kinds.map { proposals(for: $0, typed, place) }
      return found.first { !$0.1.isEmpty } ?? (0, [])
    case .line, .group, .statement, .condition, .variable, .count, .free: return (0, [])
    }
  }

  private var backends: [Proposal] {
    known.configurations.map { Proposal($0.name, "\($0.plugin) at \($0.url)") }
  }

  private mutating func targets(_ typed: String) -> [Proposal] {
    let backend = typed.firstIndex(of: "/").map { String(typed[..<$0]) }
    if let backend, known.configurations.contains(where: { $0.name == backend }) {
      return resources(of: backend, after: "\(backend)/", typed)
    }
    guard let current = known.current else { return backend == nil ? backends : [] }
    // A backend with several resources is followed by one of them.
    return resources(of: current.backend, after: "", typed) + (backend == nil ? backends : [])
  }

  /// The resources of a backend that a word may go on with: those below the record that it names so far, otherwise all.
  private mutating func resources(of backend: String, after head: String, _ typed: String) -> [Proposal] {
    guard let description = known.descriptions[backend] else {
      missing.insert(.description(backend))
      return []
    }
    if description.isOpen { missing.insert(.resources(backend)) }
    let outlined = description.outlined
    let segments = typed.dropFirst(head.count).split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    if let record = TypedPath(segments.dropLast(), in: description), record.id != nil,
      let owner = description.resource(at: record.path)
    {
      let place = head + segments.dropLast().joined(separator: "/")
      return owner.children.map { Proposal("\(place)/\(owner.shortName(of: $0))", outlined?.outline(named: $0)?.group) }
    }
    // Those below records cannot be used by their names alone: they wait for a beginning.
    let others = outlined?.outlines.filter { outline in
      (outline.owners.isEmpty || segments != [""]) && (head + outline.name).hasPrefix(typed)
    }
    return description.resources.map { Proposal(head + $0.name, $0.summary) }
      + (others ?? []).map { Proposal(head + $0.name, $0.group) }
  }

  private var variableNames: [Proposal] { known.variables.keys.sorted().map { Proposal("@" + $0) } }

  private var settingNames: [Proposal] {
    known.settings.map { Proposal($0.name, $0.help) }
      + known.opened.values.sorted { $0.configuration.name < $1.configuration.name }.flatMap { backend in
        backend.plugin.options.filter(\.isSwitchable).map {
          Proposal("\(backend.configuration.name).\($0.name)", $0.help)
        }
      }
  }

  private func settingValues(_ name: String) -> [Proposal] {
    if let row = Settings.allRows.first(where: { $0.name == name }) { return row.value.words.map { Proposal($0) } }
    let parts = name.split(separator: ".", maxSplits: 1).map(String.init)
    guard parts.count == 2, let backend = known.opened[parts[0]] else { return [] }
    let option = backend.plugin.options.first { $0.name == parts[1] }
    if option?.kind == .boolean { return [Proposal("true"), Proposal("false")] }
    if case .choice(let words)? = option?.kind { return words.map { Proposal($0) } }
    return []
  }

  mutating func identifiers(_ typed: String, _ target: String?) -> (Int, [Proposal]) {
    if typed.hasPrefix("@"), let list = known.shownList {
      let numbers = list.records.enumerated().compactMap { index, record in
        record.id.map {
          Proposal(place: index + 1, [$0.text, record.title].compactMap(\.self).joined(separator: "  "))
        }
      }
      return (0, numbers.filter { $0.text.hasPrefix(typed) })
    }
    guard let (backend, path) = self.target(target) else { return (0, []) }
    let all = known.identifiers["\(backend)/\(path)"]
    if all?.isWhole != true {
      // A text that cannot begin an identifier may still begin a title or a field.
      let description = known.descriptions[backend]
      let rule = description?.resource(at: path)?.identifier
      if typed.isEmpty || rule?.complaint(about: typed) == nil { isPartial = true } else { lacksTitles = true }
      // Only a command that names such a resource reads it.
      if description?.isOutlined(path) != true { missing.insert(.records(backend, path)) }
    }
    var found = all?.matching(typed) ?? []
    if found.isEmpty { found = all?.titled(typed) ?? [] }
    return (0, found.map { Proposal(identifier: $0.id, $0.title, isTarget: isTarget($0.id)) })
  }

  mutating func target(_ text: String?) -> (backend: String, path: ResourcePath)? {
    let backend = text?.split(separator: "/").first.map(String.init)
    if let name = backend.flatMap({ name in known.configurations.first { $0.name == name }?.name })
      ?? known.current?.backend, known.descriptions[name] == nil
    {
      missing.insert(.description(name))
    }
    return known.target(text)
  }

  mutating func resource(_ target: String?) -> ResourceDescription? {
    guard let (backend, path) = self.target(target), let description = known.descriptions[backend] else { return nil }
    if var resource = description.resource(at: path) {
      guard let seen = known.fields["\(backend)/\(path)"] else { return resource }
      let described = Set(resource.fields.filter { !$0.values.isEmpty }.map(\.name))
      resource.fields = seen.added(to: resource.fields)
      sampled.formUnion(resource.fields.filter { !$0.values.isEmpty && !described.contains($0.name) }.map(\.name))
      return resource
    }
    if description.isOpen { missing.insert(.resources(backend)) }
    return nil
  }

  /// The continuations as written in the line: if one needs quotes, all get them that can.
  private static func written(_ proposals: [Proposal], after head: Int, of word: PartialWord) -> CommandCompletion {
    guard !proposals.isEmpty else { return CommandCompletion(start: word.start, candidates: []) }
    let writing = word.writing(after: head, quoting: proposals.contains(where: \.needsQuotes))
    let bare = word.writing(after: head, quoting: false)
    let before = String(word.text.unicodeScalars.prefix(head))
    let candidates = proposals.map { proposal in
      let (text, closing) = (proposal.isBare ? bare : writing)(proposal.text)
      return CommandCompletion.Candidate(
        text: text, suffix: proposal.suffix ?? closing + " ", note: proposal.note.map { EscapedText($0).text },
        word: before + proposal.text)
    }
    return CommandCompletion(start: writing.start, candidates: candidates)
  }

  /// Returns the completions of a line at the cursor. If lookups take too long, they are marked as pending, and a later
  /// call has the rest.
  static func complete(_ line: String, _ knowledge: CompletionContext) -> CommandCompletion {
    var completer = Completer(knowledge.now)
    var completion = completer.complete(line)
    var asked: Set<CompletionContext.Lookup> = []
    // A result can reveal a further lookup.
    for _ in 0..<2 where !completer.missing.subtracting(asked).isEmpty {
      asked.formUnion(completer.missing)
      guard knowledge.find(completer.missing, within: 50) else { break }
      completer = Completer(knowledge.now)
      completion = completer.complete(line)
    }
    let (isPending, hasFailed) = knowledge.progress(of: completer.missing)
    completion.isPending = isPending
    if isPending || hasFailed { completion.isPartial = true }
    return completion
  }
}

extension ResourceDescription {
  fileprivate var summary: String? {
    fields.isEmpty ? nil : fields.prefix(6).map(\.name).joined(separator: ", ") + (fields.count > 6 ? ", …" : "")
  }
}
