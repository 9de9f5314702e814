import BackendKit
package import ConsoleSystem
import Files
import Glibc

/// An item of the user's keyring: the account of a service, as other programs name them, too.
package struct KeyringItem: Sendable, Hashable, CustomStringConvertible {
  private let service: String
  private let account: String

  /// The item in a written `SERVICE/ACCOUNT`; nil for another text.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2, !parts.contains(""), text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
    (service, account) = (parts[0], parts[1])
  }

  /// `SERVICE/ACCOUNT`
  package var description: String { "\(service)/\(account)" }

  fileprivate var attributes: [String] { ["service", service, "username", account] }
}

/// The user's keyring: the Secret Service of the session bus, reached by the program `secret-tool`. A secret is never an
/// argument. A restricted run does not reach it.
package struct Keyring: Sendable {
  private static let tool = "secret-tool"
  /// The longest secret: what a pipe takes without a reader.
  private static let longest = 4096

  let environment: ChildEnvironment
  var limit: Duration

  /// The keyring of an environment. At a terminal a person has a minute to unlock it.
  package init(_ environment: ChildEnvironment, isAttended: Bool) {
    self.environment = environment
    limit = .seconds(isAttended ? 60 : 10)
  }

  /// True if the program and a session bus are there.
  package var isPresent: Bool { absence == nil }

  /// The secret of an item.
  func secret(of item: KeyringItem) throws(HelperFailure) -> String {
    guard let text = String(validating: try run("lookup", of: item), as: UTF8.self) else {
      throw HelperFailure(clause: "has a value in \(item) that is not valid UTF-8")
    }
    guard !text.isEmpty else { throw HelperFailure(clause: "has an empty value in \(item)") }
    return text
  }

  /// Keeps a secret in an item, instead of the one it has.
  package func store(_ secret: String, in item: KeyringItem) throws(HelperFailure) {
    guard secret.utf8.count <= Self.longest else {
      throw HelperFailure(clause: "takes no secret above \(Self.longest) bytes")
    }
    _ = try run("store", ["--label=\(item)"], of: item, input: Array(secret.utf8))
  }

  /// Removes an item, if it is there.
  package func remove(_ item: KeyringItem) throws(HelperFailure) {
    do { _ = try run("clear", of: item) } catch { if !error.isAbsent { throw error } }
  }

  private func run(
    _ verb: String, _ options: [String] = [], of item: KeyringItem, input: [UInt8]? = nil
  ) throws(HelperFailure) -> [UInt8] {
    if let absence { throw absence }
    func output(_ words: [String]) throws(HelperFailure) -> [UInt8] {
      try HelperCommand(words: [Self.tool] + words + item.attributes, folder: "/")
        .output(environment, limit: limit, input: input)
    }
    do { return try output([verb] + options) } catch {
      var failure = error
      switch failure.said {
      case nil: if failure.isLate { failure.hint = "it may wait to be unlocked" }
      case ""?:
        // A lookup fails in the same way for locked and missing items; a search tells them apart.
        let isThere = (try? output(["search"])).map { !$0.isEmpty } ?? false
        failure = HelperFailure(
          clause: isThere ? "is locked" : "has no item \(item)",
          hint: isThere ? "unlock it, for example by signing in to the desktop" : nil, isAbsent: !isThere)
      case let said? where said.contains(text: "org.freedesktop.secrets"):
        failure = HelperFailure(
          clause: "cannot be reached: no service on the session bus keeps secrets",
          hint: "start one: gnome-keyring-daemon, KWallet or KeePassXC")
      case let said?:
        failure = HelperFailure(clause: "cannot be used: \(BackendError.quoted(said) ?? "")")
      }
      throw failure
    }
  }

  /// The part of the keyring that is missing; nil if it may be there.
  private var absence: HelperFailure? {
    guard Restriction.current.permitsPrograms else { return HelperFailure(clause: "is not read in a restricted run") }
    guard ChildProcess.path(of: Self.tool, environment) != nil else {
      return HelperFailure(
        clause: "cannot be reached: there is no program \(Self.tool)", hint: "install libsecret-tools or libsecret")
    }
    let socket = environment["XDG_RUNTIME_DIR"].map { access($0 + "/bus", F_OK) == 0 } ?? false
    guard socket || environment["DBUS_SESSION_BUS_ADDRESS"]?.isEmpty == false else {
      return HelperFailure(
        clause: "cannot be reached: there is no session bus",
        hint: "without a desktop session, refer to a variable, a file or a program")
    }
    return nil
  }
}
