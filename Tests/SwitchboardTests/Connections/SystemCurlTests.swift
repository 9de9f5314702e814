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

  @Test(
    "one that has all functions is judged by its version and its TLS before it is used",
    arguments: [
      ("0x074f01", "4", #""OpenSSL/3.0.17""#, "is too old"), ("0x075801", "0", "NULL", "has no TLS"),
      ("0x075801", "4", #""GnuTLS/3.7.9""#, "does not use OpenSSL"),
    ])
  func unusable(number: String, features: String, tls: String, problem: String) async throws {
    let home = try ConsoleRun.Home()
    let source = try home.write(
      """
      #include <stdlib.h>
      int curl_global_init(long flags) { return 0; }
      static struct {
        int age; const char *version; unsigned number; const char *host; int features; const char *tls; void *rest[32];
      } version = {9, "7", \(number), "", \(features), \(tls)};
      void *curl_version_info(int now) { return &version; }
      #define UNUSED(name) void curl_##name(void) { abort(); }
      UNUSED(easy_init) UNUSED(easy_cleanup) UNUSED(easy_setopt) UNUSED(easy_getinfo) UNUSED(easy_pause)
      UNUSED(multi_init) UNUSED(multi_cleanup) UNUSED(multi_setopt) UNUSED(multi_add_handle) UNUSED(multi_remove_handle)
      UNUSED(multi_socket_action) UNUSED(multi_info_read) UNUSED(slist_append) UNUSED(slist_free_all)
      """, to: "library.c")
    try Program.run("cc", "-shared", "-fPIC", "-o", home.folder.path + "/libcurl.so.4", source)
    let get = try await run("get grails:http://127.0.0.1:9 1", in: home)
    #expect((get.status, get.output) == (3, ""))
    #expect(get.errors.contains("cannot send requests: the libcurl of this machine \(problem)"), "\(get.errors)")
  }
}
