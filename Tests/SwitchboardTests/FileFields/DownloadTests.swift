import ConsoleSupport
import Foundation
import TerminalSupport
import Testing

/// Files that are read from fields.
@Suite("Downloads") struct DownloadTests {
  let service: FilesService

  init() async throws { service = try await FilesService() }

  @Test func `the content is written as it is, with its type, size and digest`() async throws {
    let run = try await service.run(
      "create photos title=x image=@cat.png\nget photos 1 --field image --to out.png\n"
        + "create documents title=x content=@cat.png\nget documents 1 --field content --to out.png -o json")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("image: image/png, 300,000 bytes, sha256 \(FilesService.digest)\n"), "\(run.output)")
    #expect(run.output.contains(#""size": 300000"#), "\(run.output)")
    #expect(try service.content("out.png") == FilesService.picture)
  }

  @Test func `tables and JSON show facts or an address, never content`() async throws {
    let run = try await service.run(
      "create documents title=x content=@cat.png\nlist documents\nget documents 1 -o json\nlist odd\nlist odd -o ndjson"
    )
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains("image/png, 300,000 bytes") && run.output.contains("/odd/named"), "\(run.output)")
    #expect(!run.output.contains("QUJDQUJD"), "\(run.output)")
  }

  @Test(
    "a download that does not end well leaves nothing, and what was there stays",
    arguments: [
      ("2", "", "ended early"), ("3", " --max-size 10K", "longer than expected, and the limit is 10,240 bytes"),
      ("4", " --max-size 4999", "file has 5,000 bytes, and the limit is 4,999 bytes"),
      ("5", "", "received 21 bytes of file, but the server reports 7"), ("6", "", "does not show where its file is"),
      ("8", "", "127.0.0.1:1"), ("9", "", "file has no file"), ("10", "", "not found"),
    ])
  func fails(id: String, option: String, reason: String) async throws {
    try Data("as it was".utf8).write(to: service.url("out.bin"))
    let before = try service.names
    let run = try await service.run("get odd \(id) --field file --to out.bin\(option)")
    #expect(run.status != 0 && run.status != 2, "\(run.output)")
    #expect(run.errors.contains(reason), "\(run.errors)")
    #expect(try service.content("out.bin") == Data("as it was".utf8))
    #expect(try service.names == before, "\(run.errors)")
  }

  @Test func `a download that stalls ends, however long one may take as a whole`() async throws {
    // The first patience in which a busy machine gets what comes before the silence.
    for patience in [1, 10, 100] {
      let service = try await FilesService(patience: patience)
      let before = try service.names
      let run = try await service.run("get s/odd 7 --field file --to out.bin")
      guard run.errors.contains("stalled for ") || patience == 100 else { continue }
      #expect(run.status == 4 && run.errors.contains("stalled for \(patience) s"), "\(run.errors)")
      #expect(try service.names == before)
      return
    }
  }

  @Test func `the name that a server gives is no path`() async throws {
    let before = try service.names
    let run = try await service.run("get odd 1 --field file --to out.bin")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try service.names.subtracting(before) == ["out.bin"])
    #expect(try service.content("out.bin") == Data("content".utf8))
  }

  @Test func `a terminal gets no content, a pipe only with --to -`() async throws {
    let run = try await service.run("get odd 1 --field file --to -")
    #expect((run.status, run.output) == (0, "content"), "\(run.errors)")
    #expect(run.errors.contains("file: no type stated, 7 bytes"), "\(run.errors)")
    #expect(try await service.run("get odd 1 --field file").status == 2)
    let terminal = try service.terminal()
    for path in ["-", "/dev/tty"] {
      terminal.send("get odd 1 --field file --to \(path)\r")
      try terminal.expect("file content is not written to a terminal")
      try terminal.expectPrompt("f/photos>")
    }
  }

  @Test(
    "words that do not fit are refused before anything is sent",
    arguments: [
      "get odd 1 --field name --to x", "get odd 1 2 --field file --to x", "get odd 1 --field file --to x --fields id",
      "get odd 1 --field file --to x --max-size much", "get odd 1 --field file --append x",
    ])
  func refused(command: String) async throws {
    let run = try await service.run(command)
    #expect(run.status == 2, "\(run.errors)")
    #expect(try !service.names.contains("x"))
  }

  @Test func `a restricted run writes no file`() async throws {
    let run = try await service.run("get odd 1 --field file --to out.bin", ["--restricted"])
    #expect(run.status != 0 && run.errors.contains("not allowed with --restricted"), "\(run.errors)")
    #expect(try !service.names.contains("out.bin"))
  }
}
