import BackendKit
import Foundation
import TestSupport
import Testing

@testable import ConsoleSetup

/// Which files are programs that are started.
@Suite struct ProgramFileTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func problem(_ text: String, mode: Int) throws -> String? {
    let file = try folder.write(text, to: "switchboard-x", mode: mode)
    return PluginFile(name: "x", path: file, kind: .program, owners: []).problem()?.description
      .replacingOccurrences(of: file, with: "FILE")
  }

  @Test func `Who may write to it and what it is decides`() throws {
    #expect(try problem("#!/bin/sh\n", mode: 0o700) == nil)
    #expect(try problem("#!/bin/sh\n", mode: 0o600) == "FILE is not executable; chmod u+x FILE")
    #expect(try problem("echo\n", mode: 0o700) == "FILE is not a program; a script begins with #! and its interpreter")
    #expect(try problem("", mode: 0o700) == "FILE is not a program; a script begins with #! and its interpreter")
    #expect(
      try problem("#!/bin/sh\n", mode: 0o722)
        == "FILE is not safe to open: FILE is writable by others (mode 0722); chmod go-w FILE")
  }

  @Test func `Documents, folders and the console's own programs are passed over`() throws {
    try folder.write("", to: "switchboard-x.md", mode: 0o700)
    try folder.write("", to: "switchboard-X", mode: 0o700)
    _ = try folder.makeFolder("switchboard-folder")
    try folder.write("#!/bin/sh\n", to: "switchboard-y", mode: 0o700)
    #expect(PluginCatalog(searchPath: [PluginFolder(folder.path)]).entries().map(\.name) == ["y"])
    let executable = folder.path + "/switchboard"
    #expect(PluginCatalog.default(executable: executable, pluginPaths: [], environment: [:]).entries().isEmpty)
  }

  @Test func `A library is found before a program of its name`() throws {
    try folder.write("", to: "libswitchboard-x.so")
    try folder.write("#!/bin/sh\n", to: "switchboard-x", mode: 0o700)
    let entries = PluginCatalog(searchPath: [PluginFolder(folder.path)]).entries()
    #expect(entries.map(\.kind) == [.library, .program])
    #expect(entries.last?.state == .shadowed(by: folder.path + "/libswitchboard-x.so"))
  }

  @Test func `The file that was judged is the one that is started`() throws {
    let program = try HostileProgram()
    let path = try program.write("say(number, {**HELLO, 'version': 'judged'})")
    let file = PluginFile(name: "hostile", path: path, kind: .program, owners: [])
    let process = PluginProcess(
      try file.judged(), ProgramSurroundings(["HOME": program.folder.path]), limit: .seconds(600))
    let other = try program.folder.write("#!/bin/sh\necho other\n", to: "other", mode: 0o700)
    try #require(rename(other, path) == 0)
    let answer = try process.ask("hello", Object()).get()
    #expect(answer["version"] == "judged")
    process.end()
  }
}
