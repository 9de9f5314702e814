import BackendKit
import ConsoleSetup
import ConsoleSystem
import Files
import Glibc

/// One backend of the user's configuration, in a file of its own while it is edited.
///
/// The file is in the state folder, private to its owner. The configuration is replaced only after it was checked as a
/// whole, and keeps everything else byte for byte.
struct BackendEdit {
  let configuration: String
  /// The edited file.
  let path: String
  private let name: String
  private let environment: [String: String]
  private let isOwn: Bool
  /// The original configuration, and the backend's range in it.
  private let before: [UInt8]
  private let range: Range<Int>

  /// Finds the backend in the configuration. Throws if it is not there.
  init(_ name: String, in own: OwnConfiguration, environment: [String: String]) throws {
    guard let file = try ConfigurationFile.open(own.file, shown: own.file),
      let stanza = file.root["backends"]?[name], stanza.members != nil
    else { throw UsageError("\(name) is not in \(own.file)", hint: "backends shows where each backend comes from") }
    guard let state = UserFolders(environment: environment).state else {
      throw UsageError(UserFolders.unknownState, hint: UserFolders.stateHint)
    }
    range = stanza.range
    before = file.bytes
    configuration = own.file
    isOwn = own.isOwn
    path = "\(state)/edits/\(name).json"
    self.name = name
    self.environment = environment
  }

  func begin() throws(UsageError) -> Bool {
    if let content = OwnedFile.read(path) {
      guard case .success(let found) = content, found.permissions.isOwnedByUser, !found.permissions.isWritableByOthers
      else { throw UsageError("\(path) must be a file that only you can write to", hint: "remove it") }
      return true
    }
    do throws(FileFailure) {
      try OwnedFolder.prepare(of: path)
      try OwnedFile.write(Array(text.utf8), to: path)
    } catch {
      throw UsageError("\(path) cannot be written: \(error.reason)")
    }
    return false
  }

  /// The original text of the backend, without the indentation.
  private var text: String {
    let lines = String(decoding: before[range], as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    let margin = lines.dropFirst().filter { $0.contains { $0 != " " } }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    let rest = lines.dropFirst().map { String($0.dropFirst(min(margin, $0.prefix { $0 == " " }.count))) }
    return (lines.prefix(1).map(String.init) + rest).joined(separator: "\n") + "\n"
  }

  /// Puts the edited backend into the configuration; false if it is unchanged. Throws an error with its line in the
  /// edited file, which then stays.
  func finish() throws -> Bool {
    guard case .success(let content)? = OwnedFile.read(path) else {
      throw CommandFailure(.failure, "\(path) cannot be read", hint: "\(configuration) was not changed")
    }
    let edited = content.bytes
    if edited == Array(text.utf8) {
      unlink(path)
      return false
    }
    try check(edited)
    let whole = before[..<range.lowerBound] + indented(edited) + before[range.upperBound...]
    guard case .success(let now)? = OwnedFile.read(configuration), now.bytes == before else {
      throw CommandFailure(
        .failure, "\(configuration) was changed in the meantime; it was not replaced",
        hint: "your text is in \(path); run backends edit \(name) again")
    }
    try check(whole: Array(whole))
    do { try OwnedFile.write(Array(whole), to: configuration) } catch {
      throw CommandFailure(
        .failure, "\(configuration) cannot be written: \(error.reason)", hint: "your text is in \(path)")
    }
    unlink(path)
    return true
  }

  /// Throws an error of the backend with its line in the edited file.
  private func check(_ edited: [UInt8]) throws {
    let head = Array("{\"switchboard\": 1, \"backends\": {\(JSONWriter.compact(.string(name))): ".utf8)
    do {
      // A byte order mark or a second document would go unnoticed within the configuration.
      _ = try LocatingScanner.scan(edited)
      try read(head + edited + Array("}}".utf8), shown: path)
    } catch let error as ConfigurationError {
      throw refused(ConfigurationError(error.place, error.message).description, error.hint)
    } catch let error as LocatingScanner.Mistake {
      throw refused("\(path):\(error.place.line): \(error.message)", error.hint)
    }
  }

  private func refused(_ message: String, _ hint: String?) -> CommandFailure {
    CommandFailure(
      .configuration, "\(message); \(configuration) was not changed",
      hint: (hint.map { "\($0); " } ?? "") + "your text is kept: run backends edit \(name) again")
  }

  private func check(whole: [UInt8]) throws { try read(whole, shown: configuration) }

  private func read(_ bytes: [UInt8], shown: String) throws(ConfigurationError) {
    let file = try ConfigurationFile(bytes, shown: shown, path: configuration)
    _ = try ConfigurationReader(file: file, isTrusted: true, environment: environment, isOwn: isOwn).content()
  }

  /// The edited text with the indentation of the backend's first line.
  private func indented(_ edited: [UInt8]) -> [UInt8] {
    let start = before[..<range.lowerBound].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    let margin = String(repeating: " ", count: before[start...].prefix { $0 == 0x20 }.count)
    var lines = String(decoding: edited, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    while let last = lines.last, last.allSatisfy({ $0 == " " }) { lines.removeLast() }
    let rest = lines.dropFirst().map { $0.isEmpty ? "" : margin + $0 }
    return Array((lines.prefix(1).map(String.init) + rest).joined(separator: "\n").utf8)
  }
}
