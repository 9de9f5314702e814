import BackendKit

/// The reason why a program was ended or could not be started.
struct ProgramFailure: Error, Sendable, Hashable {
  var name: String
  /// The reason, as a clause after "the plugin NAME".
  var clause: String
  /// The first lines of its standard error.
  var said: String?
  /// True if the user interrupted it, so that it is not at fault.
  var isInterrupted = false

  var message: String { "the plugin \(name) \(clause)" + (said.map { "; it wrote: \($0)" } ?? "") }

  /// The failure as the error of an operation.
  func error(_ effect: BackendError.Effect = .notSent) -> BackendError {
    BackendError(isInterrupted ? .cancelled : .misconfigured, message, effect: effect)
  }
}

/// A program's reason for not answering a question, which is a valid answer.
struct ProgramRefusal: Error, Sendable, Hashable {
  var code: BackendError.Code?
  var message: String
  var hint: String?

  /// The refusal as the error of an operation, with a default code.
  func error(_ usual: BackendError.Code, _ effect: BackendError.Effect = .notSent) -> BackendError {
    BackendError(code ?? usual, message, effect: effect, hint: hint)
  }
}

extension ProgramRefusal {
  /// The refusal in an answer; nil if it is not one. Its message is one clause.
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

  /// The flaw of an error that is not a valid refusal, as a clause.
  static func flaw(of error: Value) -> String {
    guard let code = error.object?["code"], code != .null, Self.code(code) == nil else { return "has no message" }
    return "has the unknown code \(JSONWriter.compact(code).prefix(40))"
  }

  private static func code(_ value: Value) -> BackendError.Code? {
    value.text.flatMap { BackendError.Code(rawValue: $0) }
  }
}
