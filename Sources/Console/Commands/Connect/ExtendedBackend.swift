import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem
import Files

struct ExtendedBackend: CommandPart {
  let context: CommandContext

  /// The existing backend to extend with the resources found at an address, if the user chooses that by `--extend` or
  /// when asked; nil to add a new one.
  func find(
    by backend: NewBackend, in own: OwnConfiguration, _ invocation: Invocation
  ) async throws -> BackendConfiguration? {
    let isWanted = invocation.has("extend")
    let name = invocation.word(.free("NAME"))?.text
    guard isWanted || name == nil && !invocation.has("print") else { return nil }
    let known = targets.configuration.backends.first { known in
      known.isTrusted && (name ?? known.name) == known.name && known.description != nil
        && (try? WebAddress(known.url))?.origin == backend.origin
        && (try? own.backend(known.name, environment: run.console.environment)) != nil
    }
    guard isWanted else {
      guard let known, Questions(context).canAsk, !invocation.has("yes") else { return nil }
      let question: EscapedText =
        "\(known.name) is already configured at \(backend.origin). Add the resources found to it?"
      return await Questions(context).isYes(question) == true ? known : nil
    }
    guard let known else {
      throw UsageError(
        "no described backend\(name.map { " " + $0 } ?? "") of \(own.file) is at \(backend.origin)",
        hint: "leave out --extend")
    }
    return known
  }

  func extend(
    _ backend: BackendConfiguration, with survey: ServiceSurvey, in own: OwnConfiguration
  ) throws {
    guard let description = backend.description, let address = try? WebAddress(backend.url) else { return }
    let bytes = try backend.content(of: description.path, backend.place("description"))
    var base = address.path
    while base.hasSuffix("/") { base.removeLast() }
    var known = try targets.open(backend.name).described
    known.file = DescriptionSource.File(name: description.shown, bytes: bytes)
    let whole = try run.console.surveyor().extended(known, below: base, with: survey)
    guard !whole.added.isEmpty else {
      return tell("\(backend.name) has all of these already: nothing was changed")
    }
    do throws(FileFailure) { try OwnedFile.replace(description.path, bytes, with: Array(whole.file.utf8)) } catch {
      throw UsageError("\(description.path) cannot be written: \(error.reason)")
    }
    tell("added \(whole.added.joined(separator: ", ")) to \(backend.name), in \(description.path)")
    if let changed = try own.backend(backend.name, environment: run.console.environment) { change(.replace(changed)) }
    if run.isInteractive { change(.choose(backend.name, nil)) }
  }
}
