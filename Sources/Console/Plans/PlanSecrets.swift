import BackendClient
import BackendKit
import CommandLanguage
import ConsoleSetup
import ConsoleSystem

/// The secrets that `apply` adds to the writes of a plan, from variables of the environment: a plan has none itself.
struct PlanSecrets {
  private let values: [(field: String, text: String)]
  private var unused: [String]
  private let blanking: Blanking

  init(_ invocation: Invocation, _ ports: CommandContext) throws(UsageError) {
    values = try invocation.allWords(of: "secret").map { word throws(UsageError) in
      let parts = word.text.split(separator: "=", maxSplits: 1).map(String.init)
      guard parts.count == 2 else {
        throw UsageError("--secret takes FIELD=VARIABLE, not \"\(word.text)\"", column: word.column)
      }
      guard let text = ports.run.console.environment[parts[1]], !text.isEmpty else {
        throw UsageError("--secret \(parts[0]): the environment variable for it is not set")
      }
      return (parts[0], text)
    }
    unused = values.map(\.field)
    blanking = ports.reporter.blanking
    blanking.keepSecret(values.map(\.text))
  }

  /// The values for a write: of the secret fields of its resource, if it creates or changes a record.
  mutating func fields(of write: Write, _ resource: ResourceDescription) -> Object {
    if write.isDeletion { return Object() }
    var fields = Object()
    for (name, text) in values {
      guard let field = resource.field(named: name), field.holdsSecret || blanking.isSecret(name) else { continue }
      fields[name] = .string(text).fitted(to: field)
      unused.removeAll { $0 == name }
    }
    return fields
  }

  /// Throws if no write had a field of a name.
  func checkUsed() throws(UsageError) {
    guard let name = unused.first else { return }
    throw UsageError(
      "--secret: no record that the plan creates or changes has a secret field \"\(name)\"",
      hint: "describe the field as secret; nothing was sent")
  }
}

extension Write {
  /// The write with further fields.
  func setting(_ fields: Object) -> Write {
    switch self {
    case _ where fields.isEmpty: return self
    case .create(let path, let own): return .create(path, Object(Array(own.members) + Array(fields.members)))
    case .update(let path, let id, let changes, let parts, let use):
      let more = fields.members.map { Change.set($0.0, $0.1) }
      return .update(path, id, changes + more, parts: parts, revision: use)
    case .delete, .act: return self
    }
  }
}
