package import BackendKit
import Files

/// The subject of trust: a folder's configuration file, and every file that is read because it is named there.
package struct TrustSubject: Sendable {
  package struct Part: Sendable, Hashable {
    /// The evidence on which trust in it is based.
    enum State: Sendable, Hashable {
      case content(sha256: String)
      case secret(real: String, owner: UInt32, mode: String)
      case absent
      /// It cannot be trusted, for this reason.
      case unfit(String)
    }

    /// The absolute path of the file as configured.
    let path: String
    let state: State
  }

  /// The configuration's file, links resolved.
  package let path: String
  /// The file's name for messages.
  let shown: String
  /// The file itself, then those it names, sorted by path.
  package let parts: [Part]
  /// The contents of the files as they were checked; later uses get exactly these.
  let contents: [String: [UInt8]]

  /// Takes the configuration as read, and examines the files that it names.
  package init(_ configuration: FolderConfiguration) {
    path = configuration.path
    shown = configuration.shown
    var parts = [Self.own(configuration)]
    var contents: [String: [UInt8]] = [:]
    for file in Set(configuration.named).sorted(by: { $0.path < $1.path }) {
      let read = OwnedFile.read(file.path)
      if file.kind == .content, case .success(let read)? = read { contents[file.path] = read.bytes }
      parts.append(Part(path: file.path, state: Self.state(read, file.kind)))
    }
    self.parts = parts
    self.contents = contents
  }

  /// The part of the configuration file itself.
  static func own(_ configuration: FolderConfiguration) -> Part {
    Part(path: configuration.path, state: .content(sha256: SHA256.hex(configuration.bytes)))
  }

  private static func state(_ read: Result<OwnedFile, FileFailure>?, _ kind: NamedFile.Kind) -> Part.State {
    switch read {
    case nil: return .absent
    case .failure(let failure): return .unfit(failure.reason)
    case .success(let file):
      if let problem = file.problem { return .unfit(problem) }
      switch kind {
      case .content: return .content(sha256: SHA256.hex(file.bytes))
      case .secret:
        return .secret(real: file.path, owner: file.permissions.owner, mode: file.permissions.octal)
      }
    }
  }
}

extension TrustSubject.Part {
  package var value: Value {
    var object = Object([("path", .string(path))])
    switch state {
    case .content(let digest): object["sha256"] = .string(digest)
    case .secret(let real, let owner, let mode):
      object["secret"] = .string(real)
      object["owner"] = .int(Int(owner))
      object["mode"] = .string(mode)
    case .absent: object["absent"] = .bool(true)
    case .unfit(let reason): object["unfit"] = .string(reason)
    }
    return .object(object)
  }

  /// The part in words: the file and the evidence.
  package var description: String {
    switch state {
    case .content(let digest): "sha256 \(digest)  \(path)"
    case .secret(_, let owner, let mode): "secret, owner \(owner), mode \(mode)  \(path)"
    case .absent: "not there  \(path)"
    case .unfit(let reason): "cannot be trusted (\(reason))  \(path)"
    }
  }
}
