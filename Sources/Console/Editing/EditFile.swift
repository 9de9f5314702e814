import BackendKit
import ConsoleSystem
import Files
import Glibc

/// The file for the editor, in the state folder and private to its owner. It is deleted once its content was sent.
struct EditFile {
  let path: String

  /// Writes the file; `name` identifies the record in the file's name.
  init(_ text: String, name: String, ending: String, environment: [String: String]) throws(UsageError) {
    path = try Self.path(name, ending: ending, environment: environment)
    do throws(FileFailure) { try OwnedFile.write(Array(text.utf8), to: path) } catch { throw Self.failure(path, error) }
  }

  /// The path of a new file, whose folder is made.
  static func path(_ name: String, ending: String, environment: [String: String]) throws(UsageError) -> String {
    guard let state = UserFolders(environment: environment).state else {
      throw UsageError(UserFolders.unknownState, hint: UserFolders.stateHint)
    }
    let plain = name.utf8.prefix(60).map { byte in
      let isPlain = (0x30...0x39) ~= byte || (0x41...0x5A) ~= byte || (0x61...0x7A) ~= byte
      return isPlain ? Character(Unicode.Scalar(byte)) : "-"
    }
    let path = "\(state)/edits/\(String(plain))-\(RunID.make()).\(ending)"
    do throws(FileFailure) { try OwnedFolder.prepare(of: path) } catch { throw failure(path, error) }
    return path
  }

  private static func failure(_ path: String, _ error: FileFailure) -> UsageError {
    UsageError("\(path) cannot be written: \(error.reason)", hint: "nothing was changed")
  }

  private static let limit = 64 << 20

  func read() throws(CommandFailure) -> String {
    let found = OwnedFile.read(path, limit: Self.limit)
    guard case .success(let file)? = found else {
      let reason = if case .failure(let error)? = found { error.reason } else { "it is gone" }
      throw CommandFailure(.failure, "\(path) cannot be read: \(reason)", hint: "nothing was changed")
    }
    if let problem = file.permissions.problem {
      throw CommandFailure(.failure, "\(path) is not used: \(problem)", hint: "nothing was changed")
    }
    guard let text = String(validating: file.bytes, as: UTF8.self) else {
      let place = TextPlace(offset: TextBytes.invalidPlace(in: file.bytes) ?? 0, in: file.bytes)
      throw CommandFailure(.failure, "\(path):\(place.line): the text is not valid UTF-8; nothing was changed")
    }
    return text
  }

  func remove() { unlink(path) }
}
