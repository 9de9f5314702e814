import Foundation
import TestSupport

/// What was built together with these tests, and what is built by them.
enum BuiltLibraries {
  /// No library of that name is open in this process.
  struct Missing: Error {}

  /// The folder of the built products: where the BackendKit that this process uses was loaded from.
  static func folder() throws -> String {
    let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
    guard let line = maps.split(separator: "\n").first(where: { $0.hasSuffix("/libBackendKit.so") }),
      let slash = line.firstIndex(of: "/")
    else { throw Missing() }
    return URL(fileURLWithPath: String(line[slash...])).deletingLastPathComponent().path
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
