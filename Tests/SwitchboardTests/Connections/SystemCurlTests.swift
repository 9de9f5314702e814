import ConsoleSupport
import Foundation
import TestSupport
import Testing

/// The system's libcurl, which is looked at before the first request.
@Suite("The system's libcurl") struct SystemCurlTests {
  /// Runs a command where the linker finds another file first.
  private func run(_ command: String, in home: ConsoleRun.Home) async throws -> ConsoleRun {
    try await ConsoleRun.runProgram(
      ["--plugin-path", ConsoleRun.products.path, "-c", command], in: home,
      variables: ["LD_LIBRARY_PATH": home.folder.path])
  }

  @Test("a request says that it is missing, and what to install") func missing() async throws {
    let home = try ConsoleRun.Home()
    _ = try home.write("no library", to: "libcurl.so.4")
    let get = try await run("get grails:http://127.0.0.1:9 1", in: home)
    #expect((get.status, get.output) == (3, ""))
    #expect(get.errors.contains("cannot send requests: libcurl is not installed"))
    #expect(get.errors.contains("hint: install libcurl 7.80 or later with OpenSSL: apt-get install libcurl4"))
    let help = try await run("help quit", in: home)
    #expect((help.status, help.errors) == (0, ""))
  }

  @Test("one without what a request needs is too old, and none of its functions is called") func old() async throws {
    let home = try ConsoleRun.Home()
    let source = try home.write(
      """
      #include <stdlib.h>
      int curl_global_init(long flags) { abort(); }
      void *curl_version_info(int version) { abort(); }
      """, to: "library.c")
    try Program.run("cc", "-shared", "-fPIC", "-o", home.folder.path + "/libcurl.so.4", source)
    let get = try await run("get grails:http://127.0.0.1:9 1", in: home)
    #expect((get.status, get.output) == (3, ""))
    #expect(get.errors.contains("cannot send requests: the libcurl of this machine is too old"))
  }
}
