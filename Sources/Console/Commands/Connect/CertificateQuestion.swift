import BackendClient
import BackendKit
import BackendTransport
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem

/// Establishes the identity of a new backend's server.
struct CertificateQuestion: CommandPart {
  let context: CommandContext

  /// Takes the authority, the digest of the key, or the certificate that the server shows and that the user confirms
  /// before anything else is sent.
  func take(for backend: inout NewBackend, _ invocation: Invocation) throws {
    let (authority, pin) = (invocation.value(of: "ca"), invocation.value(of: "pin"))
    guard authority != nil || pin != nil else { return }
    guard authority == nil || pin == nil else { throw UsageError("--ca and --pin cannot be combined") }
    guard backend.origin.isSecure else {
      throw UsageError("--ca and --pin need an https address", hint: "\(backend.origin) does not use TLS")
    }
    if let authority {
      return backend.authority(authority.hasPrefix("/") ? authority : run.console.directory + "/" + authority)
    }
    guard let pin, pin != Self.asking else { return }
    guard let digest = KeyPin.digest(pin) else {
      throw UsageError(
        "--pin takes the SHA-256 digest of a public key, or ask", hint: "32 bytes as hexadecimal digits or base64")
    }
    backend.pin(digest)
  }

  private static let asking = "ask"
  /// The number of characters of the digest that the user types.
  private static let typed = 8

  /// Asks the user to confirm the server's certificate, if requested. Only the handshake was sent before. If a backend
  /// at the same address has other pins, the key is refused without a question.
  func ask(of backend: inout NewBackend, _ invocation: Invocation) async throws {
    guard invocation.value(of: "pin") == Self.asking else { return }
    guard Questions(context).canAsk else {
      throw UsageError("--pin=ask needs a terminal", hint: "give the digest: --pin=DIGEST")
    }
    guard let bare = try backend.bare.configuration(environment: run.console.environment) else { return }
    let shown = try await targets.connector.certificate(of: bare)
    for known in targets.configuration.backends
    where (try? WebAddress(known.url))?.origin == backend.origin {
      guard let pins = known.tls?.pins, !pins.isEmpty else { continue }
      guard pins.contains(shown.digest) else {
        throw CommandFailure(
          .failure, "the key of \(backend.origin) is not the one that \(known.name) pins; nothing was sent",
          hint: "its key is \(shown.digest): ask the operator of the server before you change `pin` under `tls`")
      }
    }
    tell("certificate of \(backend.origin):")
    tell("  subject  \(SurveyText.cut(shown.subject))")
    tell("  names    \(SurveyText.cut(shown.names.isEmpty ? "none" : shown.names.joined(separator: ", ")))")
    tell("  SHA-256  \(shown.digest)")
    let question: EscapedText =
      "Compare the digest with the one from the server's operator. To accept this key, type its last \(Self.typed) characters: "
    let answer = await Questions(context).answer(to: question) ?? ""
    guard answer.lowercased() == shown.digest.suffix(Self.typed) else {
      throw CommandFailure(.failure, "the key was not confirmed; nothing was added")
    }
    backend.pin(shown.digest)
  }
}
