import BackendKit

extension SharedOptions {
  /// How records become those of another resource, and what names one on both sides.
  static let mapping = [
    OptionSyntax(
      "map", value: .free("MAPPING"), help: "fields by other names: 'title=name, user=lower(owner)'; help transfer"),
    OptionSyntax("key", value: .fields, help: "fields whose values name a record on both sides"),
  ]
  static let reread = OptionSyntax(
    "recheck", help: "read each record again before it is written, and leave it if it has changed since it was read")
  static let conflict = OptionSyntax(
    "on-conflict", value: .oneOf(TransferOptions.Conflict.allCases.map(\.rawValue)),
    help: "what to do with a record whose key is there already; update, if not given")
  /// How a transfer that was killed goes on.
  static let resumption = [
    OptionSyntax(
      "settle", value: .free("SECONDS"), help: "how long to wait for requests of a run that was killed; 5, if not given"
    ),
    OptionSyntax("restart", help: "forget what an earlier run of the same command has done"),
  ]
}

/// What the words and options of a transfer ask for.
struct TransferOptions {
  /// What is done with a record of the target that has the key of one that is written.
  enum Conflict: String, CaseIterable, Sendable {
    case update, skip, fail
  }

  let map: FieldMap
  let key: [String]
  let conflict: Conflict
  /// How long requests of an earlier run are waited for, in seconds.
  let settle: Int
  let restarts: Bool
  private let invocation: Invocation
  /// Whether a list of the target counts as whole if nothing proves its end.
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
    key =
      try invocation.word(of: "key").map { word throws(UsageError) in
        try ListOptions.fields(word, "--key").map(\.text)
      } ?? []
    guard Set(key).count == key.count else { throw UsageError("--key names a field twice") }
    conflict = invocation.value(of: "on-conflict").flatMap(Conflict.init) ?? .update
    if let text = invocation.value(of: "on-conflict"), Conflict(rawValue: text) == nil {
      throw UsageError("\"\(text)\" is not a value of --on-conflict", hint: "write update, skip or fail")
    }
    for name in ["on-conflict", "recheck"] where key.isEmpty && invocation.has(name) {
      throw UsageError("--\(name) requires --key FIELD", hint: "nothing was sent")
    }
    settle =
      try invocation.value(of: "settle").map { text throws(UsageError) in
        try Settings.count(text, "--settle", minimum: 0)
      } ?? 5
    restarts = invocation.has("restart")
    trustsEnd = invocation.has("trust-end")
    self.invocation = invocation
  }
}

extension TransferOptions {
  /// Whether each record of a target is read again before it is written.
  func rechecks(_ target: Target, _ resource: ResourceDescription) throws(UsageError) -> Bool {
    try target.rechecks(invocation, resource)
  }
}

extension FieldMap {
  /// Reads a mapping, or the one that the configuration has under a name.
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
