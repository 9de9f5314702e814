import BackendKit
import ConsoleSystem
import Files

/// The configurations of folders that the user trusts: each file and the files that it names, as they were when trust
/// was given.
///
/// Stored in the user's state folder with mode 0600. Any change to the files ends the trust.
public struct TrustStore: Sendable {
  /// The result of a lookup.
  enum Verdict: Sendable {
    /// It is unchanged, including the files that it refers to.
    case trusted(TrustSubject)
    /// It was never trusted.
    case unknown
    /// It was trusted, but these files have changed.
    case changed([String])
  }

  private let file: String?

  /// The store of the user in the environment.
  public init(environment: [String: String]) {
    file = UserFolders(environment: environment).state.map { $0 + "/trust.json" }
  }

  /// Trusts a configuration as it was read. Throws if one of its files cannot be trusted or the store cannot be
  /// written.
  package func record(_ subject: TrustSubject) throws(ConfigurationError) {
    guard !Restriction.current.isOn else {
      throw ConfigurationError(
        ConfigurationPlace(file: subject.shown), "not allowed with --restricted: a configuration cannot be trusted")
    }
    guard let file else {
      throw ConfigurationError(
        ConfigurationPlace(file: subject.shown), "the trust record needs a home folder",
        hint: "set HOME or XDG_STATE_HOME")
    }
    for part in subject.parts {
      guard case .unfit(let reason) = part.state else { continue }
      throw ConfigurationError(
        ConfigurationPlace(file: subject.shown), "it refers to \(part.path), which cannot be trusted: \(reason)")
    }
    var trusted = try self.trusted()
    trusted[subject.path] = .array(subject.parts.map(\.value))
    let text = JSONWriter.indented(.object(Object([("trusted", .object(trusted))]))) + "\n"
    do throws(FileFailure) {
      try OwnedFolder.prepareAlone(of: file)
      try OwnedFile.write(Array(text.utf8), to: file)
    } catch {
      throw ConfigurationError(ConfigurationPlace(file: file), "the trust record cannot be written: \(error.reason)")
    }
  }

  /// Returns whether a configuration is trusted. A store that cannot be relied on trusts nothing.
  func verdict(on configuration: FolderConfiguration) -> Verdict {
    guard let recorded = recorded(configuration) else { return .unknown }
    // The files named by an untrusted file are not even read.
    guard knows(configuration) else { return .changed([configuration.path]) }
    let subject = TrustSubject(configuration)
    let now = subject.parts.map(\.value)
    if now == recorded, !subject.parts.contains(where: \.isUnfit) { return .trusted(subject) }
    let changed = subject.parts.filter { $0.isUnfit || !recorded.contains($0.value) }.map(\.path)
    return .changed(changed.isEmpty ? [subject.path] : changed)
  }

  /// Returns whether this content of the file was trusted, regardless of the files that it names.
  func knows(_ configuration: FolderConfiguration) -> Bool {
    recorded(configuration)?.first == TrustSubject.own(configuration).value
  }

  private func recorded(_ configuration: FolderConfiguration) -> [Value]? {
    (try? trusted())?[configuration.path]?.array
  }

  private func trusted() throws(ConfigurationError) -> Object {
    guard let file, let found = OwnedFile.read(file) else { return Object() }
    let place = ConfigurationPlace(file: file)
    do { try OwnedFolder.checkAlone(of: file) } catch { throw ConfigurationError(place, error.reason) }
    let content: OwnedFile
    switch found {
    case .failure(let failure): throw ConfigurationError(place, failure.reason)
    case .success(let read): content = read
    }
    guard content.permissions.isClosedToOthers else {
      throw ConfigurationError(
        place,
        content.permissions.isOwnedByUser
          ? "the trust record is writable by others (mode \(content.permissions.octal))"
          : "the trust record belongs to another user (\(content.permissions.owner))",
        hint: content.permissions.isOwnedByUser
          ? "review it, then chmod 600 \(file), or delete it" : "review it, then delete it")
    }
    guard let value = try? JSONReader.read(content.bytes), let trusted = value.object?["trusted"]?.object else {
      throw ConfigurationError(place, "this is not a trust record", hint: "delete it")
    }
    return trusted
  }
}

extension TrustSubject.Part {
  fileprivate var isUnfit: Bool { if case .unfit = state { true } else { false } }
}
