import BackendKit
import Foundation
import TestSupport

/// The products built together with these tests, and those that the tests build.
enum BuiltLibraries {
  /// The top of the checkout.
  static var root: String {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().path
  }

  /// Compiles C text into a shared library.
  static func compile(_ source: String, to name: String, in folder: TemporaryFolder) throws -> String {
    let text = try folder.write(source, to: name + ".c")
    let library = folder.path + "/" + name
    try Program.run("cc", "-shared", "-fPIC", "-o", library, text)
    try FileManager.default.removeItem(atPath: text)
    // Whatever the umask of whoever runs the tests.
    try folder.setMode(0o700, of: name)
    return library
  }

  /// The stamps of the BackendKit that these tests were built with: the kit's own first.
  static var stamps: [String] { BuildStamp.compiled().description.split(separator: " ").map(String.init) }

  /// C text by which a library asks the dynamic linker for these names, as a plugin does for its stamps.
  static func asks(for names: [String]) -> String {
    names.enumerated().map { index, name in
      // Quoted, since what Swift names may be an operator to an assembler.
      "extern int asked\(index) __asm__(\"\\\"\(name)\\\"\") __attribute__((weak)); int *kept\(index) = &asked\(index);\n"
    }.joined()
  }

  /// A C library that leaves a file behind as soon as it is opened, and asks the dynamic linker for these names.
  static func trap(asking names: [String], leaves file: String) -> String {
    """
    #include <fcntl.h>
    #include <unistd.h>
    \(asks(for: names))
    __attribute__((constructor)) static void opened(void) { close(open("\(file)", O_CREAT | O_WRONLY, 0600)); }
    void *switchboard_plugin(void) { opened(); return 0; }
    """
  }
}
