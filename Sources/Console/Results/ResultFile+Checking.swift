import ConsoleSystem
import Glibc

extension ResultFile {
  /// Throws where no file of this name could be written, as far as its folder tells, and changes nothing.
  static func check(_ path: String) throws(UsageError) {
    func refusal(_ code: Int32) -> UsageError {
      UsageError("cannot write \(path): \(String(cString: strerror(code)))")
    }
    var status = stat()
    if stat(path, &status) == 0 {
      if status.st_mode & S_IFMT == S_IFDIR { throw refusal(EISDIR) }
      return
    }
    let folder = path.lastIndex(of: "/").map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    guard access(folder, W_OK | X_OK) == 0 else { throw refusal(errno) }
  }
}
