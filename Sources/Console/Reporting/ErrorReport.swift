import BackendKit
public import ConsoleOutput
import ConsoleSetup
public import ConsoleSystem

/// A message on standard error for programs: an object on a line of JSON.
public struct ErrorReport: Sendable {
  enum Level: String, Sendable {
    case error, warning, note
  }

  private let object: Object

  /// Members with the console's own words, which are never blanked.
  private static let own: Set<String> = ["level", "code", "effect"]

  /// The object on one line, with each text passed through `blank`, which removes secrets. The message is the one for
  /// people.
  func text(_ blank: (String) -> String) -> EscapedText {
    var object = object.blanked(except: Self.own, blank)
    if let message = object["message"]?.text { object["message"] = .string(EscapedText(message).text) }
    return EscapedText(json: .object(object))
  }

  init(_ level: Level, _ message: String, file: String? = nil, line: Int = 0, _ more: [(String, Value?)] = []) {
    object = Object(
      facts: [("level", level.rawValue), ("message", message), ("file", file), ("line", line > 0 ? line : nil)], more)
  }

  init(_ failure: CommandFailure, file: String?, line: Int) {
    let error = failure.error
    object = Object(
      facts: [
        ("level", Level.error.rawValue), ("code", failure.code.rawValue), ("message", failure.sentence),
        ("file", file), ("line", line > 0 ? line : nil), ("column", failure.column), ("operation", error?.operation),
        ("backend", error?.backend), ("resource", error?.resource), ("id", error?.id),
        ("effect", failure.effect?.rawValue), ("httpStatus", error?.httpStatus),
        ("job", error?.job.map { Escaping.text($0) }),
        ("fields", error.flatMap { $0.fields.isEmpty ? nil : $0.fields.map(\.reported) }),
        ("status", Int(failure.status.rawValue)), ("retry", error?.retryAdvice(after: failure.retryAfter)),
      ], failure.counts?.members ?? [])
  }

  /// The line for a failure before any command, in a format.
  public static func line(_ sentence: String, _ status: ExitStatus, in form: ErrorForm) -> EscapedText {
    guard form == .json else { return "error: \(sentence)" }
    // Nothing secret was read so far.
    return ErrorReport(CommandFailure(status, sentence), file: nil, line: 0).text(\.self)
  }

  /// The line for a warning before any command, in a format.
  public static func line(warning sentence: String, in form: ErrorForm) -> EscapedText {
    form == .json ? ErrorReport(.warning, sentence).text(\.self) : "warning: \(sentence)"
  }
}

extension BackendError {
  /// Returns the advice on retrying, with its risk and delay; nil if a retry would only fail again.
  fileprivate func retryAdvice(after seconds: Int?) -> Object? {
    // A retry would do it twice.
    if effect == .applied { return Object([("safe", false)]) }
    switch code {
    case .unavailable, .timedOut, .rateLimited, .badResponse, .cancelled:
      // A request that may have been applied could be applied twice.
      let isSafe = effect == .notSent || effect == .rejected
      return Object(facts: [("safe", isSafe), ("after", seconds)])
    case .notFound, .alreadyExists, .conflict, .invalid, .unauthorized, .forbidden, .unsupported, .misconfigured:
      return nil
    }
  }
}

extension FieldMessage {
  fileprivate var reported: Value {
    ["field": .string(Escaping.text(field)), "message": .string(Escaping.text(message))]
  }
}
