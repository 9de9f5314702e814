import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem
import Files

extension Command {
  static let config = Command(
    "config", .console, "Trust the configuration of the current folder; rename old keys in a file",
    arguments: [.word("trust")], alternatives: [[.word("migrate"), .one(.file(.written))]],
    effects: .changesConfiguration,
    options: SharedOptions.format,
    details: [
      "Until it is trusted, ./config.json can only add backends, without credentials, extra headers or different TLS settings. config",
      "trust trusts the file, and the files that it names, as this run has read them.",
      "config migrate renames old keys in a description, or in the descriptions of a configuration, and lists them. Comments and layout",
      "are kept. A trusted file must be trusted again afterwards.",
    ],
    examples: [
      Example(line: "config trust", says: "marks the file and the files that it names as trusted"),
      Example(line: "config migrate config.json", says: "renames the old keys of the descriptions in it"),
    ]
  ) { invocation, context in
    try context.run.endRehearsal()
    if invocation.form == "migrate" {
      try ConfigurationFiles(context).migrate(try invocation.one(.file(.written)).text, invocation)
    } else {
      try ConfigurationFiles(context).trust(invocation)
    }
  }
}

private struct ConfigurationFiles: CommandPart {
  let context: CommandContext

  func trust(_ invocation: Invocation) throws {
    guard let folder = targets.configuration.folder else {
      throw UsageError(
        "no ./config.json was loaded",
        hint: "start switchboard without --config or SWITCHBOARD_CONFIG, in a folder that has a config.json")
    }
    let subject = TrustSubject(folder)
    try TrustStore(environment: run.console.environment).record(subject)
    try FactOutput(context).present(
      Object(facts: [
        ("action", "trusted"), ("path", subject.path), ("files", subject.parts.map(\.value)),
      ]), invocation,
      text: "trusted \(subject.path) as read by this run\n"
        + subject.parts.map { "  \($0.description)\n" as EscapedText }.joined())
    note("takes effect at the next start")
  }

  /// Replaces deprecated keys of a description. The file is replaced only after the result was read back.
  func migrate(_ path: String, _ invocation: Invocation) throws {
    try Restriction.current.check(changing: "the configuration")
    let bytes = try content(of: path)
    let migrated = try run.console.surveyor().migrated(bytes, file: path)
    let changes = migrated.changes
    if !changes.isEmpty {
      do throws(FileFailure) { try OwnedFile.replace(path, bytes, with: migrated.bytes) } catch {
        throw UsageError("\(path) cannot be written: \(error.reason)")
      }
    }
    try FactOutput(context).present(
      Object(facts: [
        ("action", "migrated"), ("path", path),
        ("changes", changes.map { Object(facts: [("line", $0.line), ("key", $0.path), ("name", $0.name)]) }),
      ]), invocation,
      text: changes.map { "\(path):\($0.line): \($0.path) is now \($0.name)\n" as EscapedText }.joined())
    tell(
      changes.isEmpty
        ? "\(path) has no old keys; it was not changed" : "renamed \(counted(changes.count, "key")) in \(path)")
  }

  private func content(of path: String) throws(UsageError) -> [UInt8] {
    switch OwnedFile.read(path) {
    case nil: throw UsageError("\(path) cannot be read: No such file or directory")
    case .failure(let failure)?: throw UsageError("\(path) cannot be read: \(failure.reason)")
    case .success(let content)?: return content.bytes
    }
  }
}
