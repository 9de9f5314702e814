import BackendClient
import BackendKit
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem
import Files
import Glibc

struct DescriptionChanges: CommandPart {
  let context: CommandContext

  /// Throws if the user may not change a backend's description, before anything is sent.
  func check(of backend: BackendConfiguration) throws {
    try Restriction.current.check(changing: "the configuration")
    let own = try OwnConfiguration(targets.configuration, environment: run.console.environment)
    guard try own.backend(backend.name, environment: run.console.environment) != nil else {
      throw UsageError(
        "\(backend.name) is not in \(own.file)", hint: "--update changes the descriptions of your own configuration")
    }
    guard let path = backend.description?.path, let reason = Self.reason(against: path) else { return }
    throw UsageError("\(path) cannot be changed: \(reason)", hint: "leave out --update")
  }

  /// The reason why a file cannot be changed, as a clause; nil if it can.
  private static func reason(against path: String) -> String? {
    let file = Path.real(path)
    if file.hasPrefix("/usr/"), !file.hasPrefix("/usr/local/") { return "it belongs to a system package" }
    switch OwnedFile.read(path) {
    case nil: return "there is no such file"
    case .failure(let failure)?: return failure.reason
    case .success(let content)?:
      if !content.permissions.isOwnedByUser { return "it belongs to another user" }
      if content.permissions.isReadOnly { return "it is read only" }
    }
    for place in [file, Path.folder(of: file)] where access(place, W_OK) != 0 {
      return "\(place): \(FileFailure.system.reason)"
    }
    return nil
  }

  func make(
    _ update: UpdatedDescription, of backend: BackendConfiguration, _ known: DescriptionSource, _ invocation: Invocation
  ) async throws {
    guard let path = backend.description?.path, let before = known.file?.bytes, !invocation.has("dry-run") else {
      return
    }
    if !invocation.has("yes") {
      let what = counted(update.done.count, "change")
      guard Questions(context).canAsk else {
        throw UsageError("changing \(path) needs --yes", hint: "--dry-run shows the changes")
      }
      guard await Questions(context).isYes("Make \(what) in \(path)?") == true else {
        throw CommandFailure(.failure, "nothing was changed")
      }
    }
    do throws(FileFailure) { try OwnedFile.replace(path, before, with: update.bytes) } catch {
      throw UsageError("\(path) cannot be written: \(error.reason)", hint: "nothing was changed")
    }
    tell("changed \(path): \(counted(update.done.count, "change"))")
    let own = try OwnConfiguration(targets.configuration, environment: run.console.environment)
    if let changed = try own.backend(backend.name, environment: run.console.environment) { change(.replace(changed)) }
  }
}
