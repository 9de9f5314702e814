import BackendKit
import CommandLanguage
import ConsoleSetup
import ConsoleSystem

extension SharedOptions {
  /// The options for mapping records and matching them by keys.
  static let mapping = [
    OptionSyntax(
      "map", value: .free("MAPPING"), help: "map fields: 'title=name, user=lower(owner)'; see help transfer"),
    OptionSyntax("key", value: .fields, help: "fields whose values identify a record on both sides"),
    OptionSyntax(
      "exact-keys", help: "treat keys that differ only in letter case, white space, Unicode form or type as different"),
  ]
  static let acceptTypes = OptionSyntax(
    "accept-types", help: "send values that do not fit a field's type if the type is only likely")
  /// The option that translates references.
  static let references = OptionSyntax(
    "map-ref", value: .free("FIELD=KEY"),
    help: "match the record that FIELD refers to in the target by its field KEY; FIELD= sends the value unchanged",
    isRepeatable: true)
  static let conflict = OptionSyntax(
    "on-conflict", value: .oneOf(TransferOptions.Conflict.allCases.map(\.rawValue)),
    help: "what to do with a record whose key already exists (default: update)")
  static let resumption = [
    OptionSyntax(
      "settle", value: .count(from: 0),
      help: "seconds to wait for requests of a killed run (default: 5)"
    ),
    OptionSyntax("restart", help: "discard the progress of an earlier run of the same command"),
    OptionSyntax("accept-undecided", help: "count rows as written if their outcome stays unknown"),
  ]
  static let continuation = OptionSyntax(
    "continue", help: "resume an earlier run although the input has changed: skip the rows that it wrote")
  /// The options for references, and for several resources that refer to each other.
  static let related: [OptionSyntax] = [
    references,
    OptionSyntax(
      "resources", value: .free("NAMES"),
      help: "transfer several resources, in this order, and keep references between them"),
  ]
  /// The options that select source records.
  static let selectionOfSource = decided
  static let byKey = Argument.option("key", .fields)
  static let sourceAndTarget: [Argument] = [.one(.target, as: "SOURCE"), .one(.target)]
  static let fileAndTarget: [Argument] = [.option("from", .file(.input)), .one(.target)]
  static let transfer: [OptionSyntax] =
    jobs + [recheck, newFields] + GateOptions.syntax + output
}

struct TransferOptions {
  /// The treatment of an existing target record with the same key.
  enum Conflict: String, CaseIterable, Sendable {
    case update, skip, fail
  }

  var map: FieldMap
  var key: [String]
  /// The keys by resource, if several are transferred.
  private(set) var keys: [String: [String]] = [:]
  var conflict: Conflict
  /// True if keys that differ only in spelling identify different records.
  let exactKeys: Bool
  /// The key fields of the records that a reference field refers to; none if its values are sent unchanged.
  private(set) var references: [String: [String]] = [:]
  /// The time to wait for requests of an earlier run, in seconds.
  let settle: Int
  let restarts: Bool
  /// True if a run continues one with another input.
  let continues: Bool
  /// True if undecided rows of an earlier run count as written.
  let acceptsUndecided: Bool
  /// True if values are sent even if they do not fit a likely type.
  let acceptsTypes: Bool
  private let invocation: Invocation
  /// True if a list of the target counts as complete without a proven end.
  let trustsEnd: Bool

  init(_ invocation: Invocation, _ configuration: Configuration) throws(UsageError) {
    if let word = invocation.word(of: "map") {
      guard word.insertions.isEmpty else {
        throw UsageError(
          "--map takes no variables: their values would be read as field names",
          hint: "FIELD=VALUE sets a field of every record", column: word.column)
      }
      map = try FieldMap(named: word.text, in: configuration)
    } else {
      map = .none
    }
    let given =
      try invocation.word(of: "key").map { word throws(UsageError) in
        try ListOptions.fields(word, "--key").map(\.text)
      } ?? []
    key = given.filter { !$0.contains("=") }
    for text in given where text.contains("=") {
      let parts = Self.parts(text)
      guard invocation.has("resources"), !parts.name.isEmpty, !parts.value.isEmpty else {
        throw UsageError(
          "--key does not accept \"\(text)\"",
          hint: invocation.has("resources") ? "write RESOURCE=FIELD" : "RESOURCE=FIELD is for --resources")
      }
      guard keys[parts.name]?.contains(parts.value) != true else {
        throw UsageError("--key contains \(text) twice")
      }
      keys[parts.name, default: []].append(parts.value)
    }
    exactKeys = invocation.has("exact-keys")
    for text in invocation.values(of: "map-ref") {
      let parts = Self.parts(text)
      let fields = parts.value.split(separator: ",").map(String.init)
      guard !parts.name.isEmpty, text.contains("="), references.updateValue(fields, forKey: parts.name) == nil else {
        throw UsageError(
          "--map-ref takes FIELD=KEY, each field once, not \"\(text)\"",
          hint: "KEY is a field of the records that FIELD refers to; FIELD= sends the values as they are")
      }
    }
    guard Set(key).count == key.count else { throw UsageError("--key contains a field twice") }
    conflict = invocation.value(of: "on-conflict").flatMap(Conflict.init) ?? .update
    for name in ["on-conflict", "recheck", "exact-keys"] where key.isEmpty && keys.isEmpty && invocation.has(name) {
      throw UsageError("--\(name) requires --key FIELD")
    }
    settle = try invocation.count(of: "settle") ?? 5
    restarts = invocation.has("restart")
    continues = invocation.has("continue")
    acceptsUndecided = invocation.has("accept-undecided")
    for name in ["continue", "accept-undecided"] where restarts && invocation.has(name) {
      throw UsageError("--restart and --\(name) cannot be combined")
    }
    acceptsTypes = invocation.has("accept-types")
    trustsEnd = invocation.has("trust-end")
    self.invocation = invocation
  }
}

extension TransferOptions {
  private static func parts(_ text: String) -> (name: String, value: String) {
    let name = text.prefix { $0 != "=" }
    return (String(name), String(text.dropFirst(name.count + 1)))
  }

  func of(_ resource: String) -> TransferOptions {
    var own = self
    own.key = keys[resource] ?? key
    return own
  }

  /// The options for matching records by fields without writing.
  func looking(up fields: [String]) -> TransferOptions {
    var own = self
    (own.map, own.key, own.conflict) = (.none, fields, .skip)
    return own
  }

  func rechecks(_ target: Target, _ resource: ResourceDescription) throws(UsageError) -> Bool {
    try invocation.rechecks(target, resource)
  }
}

extension FieldMap {
  /// Parses a mapping, or takes that of the configuration with this name.
  init(named text: String, in configuration: Configuration) throws(UsageError) {
    if !text.contains("="), let named = configuration.mappings[text] {
      do { self = try FieldMap(named) } catch {
        throw UsageError("the mapping \(text) of the configuration: \(error.message)", hint: error.hint)
      }
    } else {
      self = try FieldMap(text)
    }
  }
}
