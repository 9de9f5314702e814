import BackendKit
import BackendTransport
import ConsoleSystem

/// A file that is read because a configuration names it.
struct NamedFile: Sendable, Hashable {
  /// The evidence on which trust in it is based.
  enum Kind: Sendable, Hashable {
    case content
    /// Its place, owner and mode: of a secret nothing is recorded, not even a digest.
    case secret
  }

  /// The path, absolute.
  let path: String
  let kind: Kind
}

extension BackendConfiguration {
  /// Every file that is read because this backend names it. New kinds of files in the configuration have to be added
  /// here to be covered by trust. Files that are only written are not.
  var namedFiles: [NamedFile] {
    var files: [NamedFile] = []
    for path in [tls?.ca, tls?.cert] { if let path { files.append(NamedFile(path: path, kind: .content)) } }
    if let description { files.append(NamedFile(path: description.path, kind: .content)) }
    if let key = tls?.key { files.append(NamedFile(path: key, kind: .secret)) }
    var secrets = headers.map(\.value)
    secrets += credentials.map { given in given.named.compactMap { given[$0] } } ?? []
    let folders = UserFolders(environment: environment)
    secrets += options.members.compactMap { Self.reference($0.1, folders: folders, folder: folder) }
    for case .file(let path) in secrets { files.append(NamedFile(path: path, kind: .secret)) }
    return files
  }
}
