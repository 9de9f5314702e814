import Foundation
import TestSupport

/// What was built together with these tests, and what is built by them.
enum BuiltLibraries {
  /// The folder of the built products, where this test program stands as well.
  static func folder() throws -> String {
    let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return URL(fileURLWithPath: program).deletingLastPathComponent().path
  }

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

  /// A C library that leaves a file behind as soon as it is opened, with this text in it.
  static func trap(_ text: String, leaves file: String) -> String {
    """
    #include <fcntl.h>
    #include <unistd.h>
    const char *kept = "\(text)";
    __attribute__((constructor)) static void opened(void) { close(open("\(file)", O_CREAT | O_WRONLY, 0600)); }
    void *switchboard_plugin(void) { opened(); return 0; }
    """
  }
}
