package import BackendKit
import Files

/// The subject of trust in a configuration of a folder: its file, and every file that is read because it names it.
package struct TrustSubject: Sendable {
  /// One of the files.
  package struct Part: Sendable, Hashable {
    /// The evidence on which trust in it is based.
    enum State: Sendable, Hashable {
      case content(sha256: String)
      case secret(real: String, owner: UInt32, mode: String)
      case absent
      /// It cannot be trusted, for this reason.
      case unfit(String)
    }

    /// The path as the configuration gives it, absolute.
    let path: String
    let state: State
  }

  /// The configuration's file, links resolved.
  package let path: String
  /// The file as people know it.
  let shown: String
  /// The file itself first, then those it names, by path.
  package let parts: [Part]
  /// The content of the files that count by it, as it was judged: what is used later is this.
  let contents: [String: [UInt8]]

  /// Takes the configuration as it was read, and looks at the files that it names.
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

  /// The part that the configuration's file itself is.
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
  /// The part as it is recorded.
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

  /// The part in words: what is trusted of which file.
  package var description: String {
    switch state {
    case .content(let digest): "sha256 \(digest)  \(path)"
    case .secret(_, let owner, let mode): "secret, owner \(owner), mode \(mode)  \(path)"
    case .absent: "not there  \(path)"
    case .unfit(let reason): "cannot be trusted (\(reason))  \(path)"
    }
  }
}
