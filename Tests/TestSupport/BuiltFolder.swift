import Foundation

/// A folder of built programs and libraries.
public struct BuiltFolder: Sendable {
  /// A program or library that has not been built.
  public struct Missing: Error, CustomStringConvertible {
    /// The file that is missing.
    public let description: String
  }

  /// The folder of the running tests: libraries that a test opens in its own process, and programs that only tests start.
  public static let ofTests = BuiltFolder(at: URL(fileURLWithPath: "/proc/self/exe"), isProgram: true)

  /// The programs as users start them, with the libraries that they open: the folder that `SWITCHBOARD_TEST_PROGRAMS` names, such
  /// as that of a release build, or that of the running tests. None of it fits into the process of a test.
  public static let ofPrograms =
    ProcessInfo.processInfo.environment["SWITCHBOARD_TEST_PROGRAMS"].map {
      BuiltFolder(at: URL(fileURLWithPath: $0), isProgram: false)
    } ?? ofTests

  /// True if a folder of programs is named: what can run in the process of a test is then started as a program, too.
  public static let namesPrograms = ProcessInfo.processInfo.environment["SWITCHBOARD_TEST_PROGRAMS"] != nil

  /// The options of sanitizers, for the environment of programs that are built with one.
  public static let sanitizerOptions = ProcessInfo.processInfo.environment.filter {
    ["ASAN_OPTIONS", "TSAN_OPTIONS"].contains($0.key)
  }

  /// The folder's absolute path, without symbolic links.
  public let path: String

  private init(at place: URL, isProgram: Bool) {
    let file = place.resolvingSymlinksInPath()
    path = (isProgram ? file.deletingLastPathComponent() : file).path
  }

  /// The path of a file in the folder; throws `Missing` where it has not been built.
  public func file(_ name: String) throws -> String {
    let file = "\(path)/\(name)"
    guard FileManager.default.fileExists(atPath: file) else { throw Missing(description: "\(file) has not been built") }
    return file
  }

  /// Installs the console into another folder, with some of its libraries, and returns the program's path.
  ///
  /// The program is a copy: a link would be followed to this folder, where all libraries are. Libraries are links; those of the
  /// Swift runtime are among them where a package has brought them along.
  public func install(_ libraries: [String], in place: String) throws -> String {
    let files = FileManager.default
    try files.createDirectory(atPath: place, withIntermediateDirectories: true)
    let console = "\(place)/switchboard"
    try files.copyItem(atPath: file("switchboard"), toPath: console)
    let runtime = try files.contentsOfDirectory(atPath: path).filter { name in
      name.contains(".so") && !name.hasPrefix("libswitchboard-")
        && ["libswift", "lib_Foundation", "libFoundation", "libdispatch", "libBlocksRuntime"]
          .contains(where: name.hasPrefix)
    }
    for name in ["libBackendKit.so"] + libraries + runtime {
      try files.createSymbolicLink(atPath: "\(place)/\(name)", withDestinationPath: file(name))
    }
    return console
  }
}
