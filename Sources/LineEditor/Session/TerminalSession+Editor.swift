internal import CLibedit
internal import Files
internal import Glibc

/// Editing the text in the user's own editor.
extension TerminalSession {
  /// Opens a text in the user's editor, which uses the terminal. A failure is reported, and the text stays.
  func edit(_ text: String) -> String {
    var text = text
    if text.isEmpty, let last = setup.history.entries.last { text = last }
    do throws(EditedFile.Failure) {
      let file = try EditedFile(text)
      defer { file.remove() }
      try file.edit(with: setup.editor, setup.editorEnvironment, mailbox)
      return try file.text()
    } catch {
      write(error.sentence + "\r\n")
      return text
    }
  }
}

/// A private file for the editor, which is deleted however the process ends.
struct EditedFile {
  /// The reason why a text could not be edited, as a sentence.
  struct Failure: Error {
    var sentence: String
  }

  private static let largest = 16 << 20

  private let path: String

  /// Writes the text to a file in a new private folder.
  init(_ text: String) throws(Failure) {
    let variables: [String] = ["XDG_RUNTIME_DIR", "TMPDIR"]
    let places: [String] = variables.compactMap { name in getenv(name).map { String(cString: $0) } } + ["/tmp"]
    var made: String?
    for index in places where index.hasPrefix("/") && made == nil {
      var template = Array("\(index)/switchboard-XXXXXX".utf8CString)
      if mkdtemp(&template) != nil, tg_keep_folder(template) {
        made = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
      }
    }
    guard let made else { throw Self.failure("cannot create a temporary file") }
    path = made + "/command.sb"
    let file = Glibc.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    let bytes = Array((text + "\n").utf8)
    let isWritten = file >= 0 && Glibc.write(file, bytes, bytes.count) == bytes.count
    if file >= 0 { Glibc.close(file) }
    if !isWritten {
      remove()
      throw Self.failure("the temporary file \(path) cannot be written")
    }
  }

  /// Deletes the folder, including backups and locks of the editor.
  func remove() { tg_remove_folder() }

  /// Runs the editor to its end, or until the mailbox is closed. Throws if it cannot be run or fails.
  func edit(with editor: [String], _ environment: [String], _ mailbox: Mailbox) throws(Failure) {
    let name = editor.first ?? ""
    let words = (editor + [path]).map { strdup($0) }
    let variables = environment.map { strdup($0) }
    defer { for text in words + variables { free(text) } }
    let status = withExtendedLifetime(mailbox) {
      tg_run(words + [nil], variables + [nil], mailbox.pipe.readEnd, Unmanaged.passUnretained(mailbox).toOpaque()) {
        mailbox in
        let mailbox = Unmanaged<Mailbox>.fromOpaque(mailbox).takeUnretainedValue()
        mailbox.pipe.drain()
        return mailbox.isClosed
      }
    }
    // Handle now what arrived in the meantime.
    mailbox.pipe.wake()
    if status < 0 { throw Self.failure("the editor \(name) cannot be run (\(String(cString: strerror(-status))))") }
    if status != 0 { throw Self.failure("\(name) ended with \(status)") }
  }

  /// Returns the current text of the file, without trailing line ends.
  func text() throws(Failure) -> String {
    let file = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw Self.failure("the edited file is gone") }
    defer { Glibc.close(file) }
    let bytes: [UInt8]?
    do { bytes = try OpenFile.rest(of: file, limit: Self.largest) } catch {
      throw Self.failure("the edited file cannot be read (\(error.reason))")
    }
    guard let bytes else { throw Self.failure("the edited text is longer than 16 MiB") }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Self.failure("the edited text is not valid UTF-8")
    }
    return PastedText.clean(text.unicodeScalars.map { $0 == "\r" ? "\n" : $0 == "\n" ? "\r" : $0 })
  }

  private static func failure(_ reason: String) -> Failure { Failure(sentence: "\(reason); the line is unchanged") }
}
