import BackendKit

/// The reason for ending a program, or for not being able to start it.
struct ProgramFailure: Error, Sendable, Hashable {
  /// The plugin.
  var name: String
  /// The reason, as a clause after "the plugin NAME".
  var clause: String
  /// The first lines that it wrote to its standard error.
  var said: String?
  /// True if the user has interrupted it, so that it did nothing wrong.
  var isInterrupted = false

  /// The sentence.
  var message: String { "the plugin \(name) \(clause)" + (said.map { "; it wrote: \($0)" } ?? "") }

  /// The failure as one of an operation.
  func error(_ effect: BackendError.Effect = .notSent) -> BackendError {
    BackendError(isInterrupted ? .cancelled : .misconfigured, message, effect: effect)
  }
}

/// The reason why a program does not answer a question, which is a valid answer.
struct ProgramRefusal: Error, Sendable, Hashable {
  var code: BackendError.Code?
  var message: String
  var hint: String?

  /// The refusal as an error of an operation, with the code that counts where it gives none.
  func error(_ usual: BackendError.Code, _ effect: BackendError.Effect = .notSent) -> BackendError {
    BackendError(code ?? usual, message, effect: effect, hint: hint)
  }
}

extension ProgramRefusal {
  /// The refusal in an answer; nil where it is not one. Its message is one clause.
  init?(_ value: Value) {
    guard let object = value.object, let message = BackendError.quoted(object["message"]?.text) else { return nil }
    let line = message.split(whereSeparator: \.isNewline).joined(separator: " ")
    self.message = line.hasSuffix(".") ? String(line.dropLast()) : line
    guard !self.message.isEmpty else { return nil }
    hint = BackendError.quoted(object["hint"]?.text)
    guard let code = object["code"], code != .null else { return }
    guard let known = Self.code(code) else { return nil }
    self.code = known
  }

  /// The flaw of an error that is not a refusal, as a clause.
  static func flaw(of error: Value) -> String {
    guard let code = error.object?["code"], code != .null, Self.code(code) == nil else { return "has no message" }
    return "has the unknown code \(JSONWriter.compact(code).prefix(40))"
  }

  private static func code(_ value: Value) -> BackendError.Code? {
    value.text.flatMap { BackendError.Code(rawValue: $0) }
  }
}
