/// A configuration of the current folder as this run has read it, and what it names.
package struct FolderConfiguration: Sendable {
  /// The file, links resolved.
  let path: String
  /// The file as people know it.
  let shown: String
  let bytes: [UInt8]
  let named: [NamedFile]

  /// A file and what was read in it.
  init(_ file: ConfigurationFile, naming content: ConfigurationReader.Content) {
    path = file.path
    shown = file.shown
    bytes = file.bytes
    named = content.backends.flatMap(\.namedFiles)
  }
}
