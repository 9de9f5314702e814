import BackendKit
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem

/// The offer to keep a secret of a login in the user's keyring, and its removal.
struct KeyringOffer: CommandPart {
  let context: CommandContext

  private var keyring: Keyring { Keyring(run.console.children, isAttended: run.console.passwordPrompt != nil) }

  /// Keeps a secret in the item that the configuration names. Without one it asks, if nothing else keeps the secret for
  /// later runs. The login is valid without it, so a failure is a warning.
  func keep(
    _ secret: String, as part: LoginScheme.Credential, of backend: OpenBackend, asks: Bool
  ) async {
    let configuration = backend.configuration
    if let item = configuration.keyringItem(of: part) {
      if store(secret, in: item) { tell("kept in the keyring: \(item)") }
      return
    }
    guard asks, backend.login?.sentAlways != nil, configuration.source(of: part) != nil, keyring.isPresent,
      let item = KeyringItem("switchboard/\(configuration.name)"),
      let own = try? OwnConfiguration(targets.configuration, environment: run.console.environment), own.isOwn,
      (try? own.backend(configuration.name, environment: run.console.environment))?.credentials
        == configuration.credentials,
      await Questions(context).isYes("Keep the \(part.words) in the keyring (\(item.description)) for later runs?")
        == true,
      store(secret, in: item)
    else { return }
    do {
      try own.refer(part, of: configuration.name, to: item)
      tell("later runs read the \(part.words) from the keyring: \(own.file) names \(item.description)")
    } catch { warn("\(error.message); write {\"keyring\": \"\(item.description)\"} into the configuration") }
  }

  private func store(_ secret: String, in item: KeyringItem) -> Bool {
    do throws(HelperFailure) { try keyring.store(secret, in: item) } catch {
      let hint = error.hint.map { "; \($0)" } ?? ""
      warn("the keyring \(error.clause)\(hint); later runs do not have what was given")
      return false
    }
    return true
  }

  /// Removes an item from the keyring.
  func remove(_ item: KeyringItem) throws {
    do throws(HelperFailure) { try keyring.remove(item) } catch {
      throw CommandFailure(
        error.isInterrupted ? .interrupted : .failure, "\(item.description) is still kept: the keyring \(error.clause)",
        hint: error.hint)
    }
    tell("removed from the keyring: \(item.description)")
  }
}
