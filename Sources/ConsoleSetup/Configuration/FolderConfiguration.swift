/// The current folder's configuration as this run has read it, and the files that it names.
package struct FolderConfiguration: Sendable {
  /// The file, links resolved.
  let path: String
  /// The file's name for messages.
  let shown: String
  let bytes: [UInt8]
  let named: [NamedFile]

  init(_ file: ConfigurationFile, naming content: ConfigurationReader.Content) {
    path = file.path
    shown = file.shown
    bytes = file.bytes
    named = content.backends.flatMap(\.namedFiles)
  }
}
