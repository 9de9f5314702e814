import ConsoleSupport
import Foundation
import TestSupport

/// An installation of the console in a folder of its own, without one of its libraries.
struct BareConsole {
  let home: ConsoleRun.Home
  /// The path at which the library would be.
  let library: String
  private let executable: String

  init(lacking library: String) throws {
    home = try ConsoleRun.Home()
    let folder = home.folder.path + "/bin"
    executable = try BuiltFolder.ofPrograms.install([], in: folder)
    self.library = folder + "/" + library
  }

  /// Runs a command.
  func run(_ command: String) async throws -> ConsoleRun {
    try await ConsoleRun.runProgram(
      ["--plugin-path", ConsoleRun.products.path, "-c", command], bytes: [], in: home, executable: executable)
  }

  /// Puts another library in the place of the one that is not there.
  func compile(_ text: String) throws {
    let source = try home.write("#include <stdlib.h>\n" + text, to: "library.c")
    try Program.run("cc", "-shared", "-fPIC", "-o", library, source)
  }
}
