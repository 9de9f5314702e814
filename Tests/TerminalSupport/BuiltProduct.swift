internal import Glibc

/// The programs that were built together with the tests.
public enum BuiltProduct {
  /// The path of a program; it lies beside the program that runs the tests.
  public static func path(_ name: String) throws -> String {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    guard count > 0 else { throw PseudoTerminalError("the running program is not known (error \(errno))") }
    let own = String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let folder = own.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    let path = "\(folder)/\(name)"
    guard access(path, X_OK) == 0 else { throw PseudoTerminalError("\(path) has not been built") }
    return path
  }
}
