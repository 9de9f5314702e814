import ConsoleSystem
import Files

/// A value that may be a secret: a reference to its source, read only when needed.
///
/// Printing one, also in a debugger, never shows its value.
public enum Secret: Sendable, Hashable {
  /// The value itself, if it is not secret.
  case literal(String)
  /// The value of an environment variable.
  case environment(String)
  /// The content of a file that only its owner may read, without the final line end.
  case file(String)
  /// The output of a program, or the secret of a keyring, which is read when a request needs it.
  case command(HelperCommand)

  /// Reads the value. Throws if the variable is not set, the file is missing or readable by others, and for a program,
  /// which ``CredentialHelpers`` runs; `place` is that of the reference in the configuration.
  public func resolve(
    environment: [String: String], place: ConfigurationPlace
  ) throws(ConfigurationError) -> String {
    switch self {
    case .literal(let text): return text
    case .environment(let name):
      guard let text = environment[name] else {
        let reason = Environment.isUnreadable(name) ? "is not valid UTF-8" : "is not set"
        throw ConfigurationError(
          place, "the environment variable \(name) \(reason)", hint: "set it, or name another one here")
      }
      guard !text.isEmpty else { throw ConfigurationError(place, "the environment variable \(name) is empty") }
      return text
    case .file(let path): return try Self.text(of: path, place)
    case .command(let command):
      throw ConfigurationError(place, "\(command.source) is read only where a request needs it")
    }
  }

  /// The content of a file that holds a secret. Throws if it is missing, belongs to another user or is readable by
  /// others.
  static func content(of path: String, _ place: ConfigurationPlace) throws(ConfigurationError) -> [UInt8] {
    let file: OwnedFile
    switch OwnedFile.read(path, limit: 64 << 10) {
    case nil: throw ConfigurationError(place, "the file \(path) does not exist")
    case .failure(let failure): throw ConfigurationError(place, "the file \(path) cannot be read: \(failure.reason)")
    case .success(let read): file = read
    }
    guard file.permissions.isOwnedByUser else {
      throw ConfigurationError(
        place, "the secret in \(path) belongs to another user (\(file.permissions.owner))",
        hint: "copy it to a file of your own")
    }
    guard !file.permissions.isReadableByOthers else {
      throw ConfigurationError(
        place, "the secret in \(path) is open to others (mode \(file.permissions.octal))", hint: "chmod 600 \(path)")
    }
    if let problem = file.linkProblem {
      throw ConfigurationError(
        place, "the secret in \(path) is not safe to use: \(problem)", hint: "name the file itself")
    }
    return file.bytes
  }

  private static func text(of path: String, _ place: ConfigurationPlace) throws(ConfigurationError) -> String {
    guard var text = String(validating: try content(of: path, place), as: UTF8.self) else {
      throw ConfigurationError(place, "the file \(path) is not valid UTF-8")
    }
    // "\r\n" is a single character.
    if let last = text.last, last == "\n" || last == "\r\n" { text.removeLast() }
    guard !text.isEmpty else { throw ConfigurationError(place, "the file \(path) is empty") }
    return text
  }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The source of the value, never the value.
  public var description: String {
    switch self {
    case .literal: "a literal value"
    case .environment(let name): "the environment variable \(name)"
    case .file(let path): "the file \(path)"
    case .command(let command): command.item.map { "the keyring, \($0)" } ?? command.source
    }
  }
  /// The same as `description`.
  public var debugDescription: String { description }
  /// A mirror without children, so that `dump` does not show the value either.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
