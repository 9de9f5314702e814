import BackendKit
import ConsoleSupport
import Foundation
import TerminalSupport
import Testing

/// Files that are sent in fields.
@Suite("Uploads") struct UploadTests {
  let service: FilesService

  init() async throws { service = try await FilesService() }

  @Test func `a file is a part of a form with the other fields, with its name, type and content`() async throws {
    let run = try await service.run("create photos title='a \"cat\"' image=@cat.png -o json")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains(#""image": "/media/1""#), "\(run.output)")
    let sent = try #require(try await service.sent().first)
    #expect(sent.prefix(3) == ["POST", "/photos", "multipart/form-data"])
    #expect(sent[4].object?["image"] == ["cat.png", "image/png", .string(FilesService.digest)])
    #expect(sent[5].object?["title"] == #"a "cat""#)
  }

  @Test func `a file is sent alone to its place, after the other fields and without them`() async throws {
    let run = try await service.run(
      "create documents title=x 'content=@note.txt;type=text/x-note'\nget documents 1 -o json\n"
        + "update documents 1 content=@cat.png")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains(#""type": "text/x-note""#) && run.output.contains(#""size": 6"#), "\(run.output)")
    let sent = try await service.sent().map { $0.prefix(3).compactMap(\.text).joined(separator: " ") }
    #expect(
      sent == [
        "POST /documents application/json", "PUT /documents/1/content text/x-note",
        "PUT /documents/1/content image/png",
      ])
    #expect(try await service.sent().last?[3] == .string(FilesService.digest))
  }

  @Test(
    "a file that the service did not keep is not said to be stored",
    arguments: [
      ("create photos title=x image=@dropped.txt", "created photos/1", "the server did not store image as sent"),
      (
        "create photos title=x\nupdate photos 1 image=@dropped.txt", "not stored: update photos/1: image",
        "accepted, but the server left image as it was"
      ),
      (
        "create photos title=x image=@cat.png\nupdate photos 1 image=@dropped.txt",
        "accepted: update photos/1: image (not stored as sent)",
        "the server reports 300,000 bytes of image, but 7 were sent"
      ),
      (
        "create photos title=x image=@other.txt\nupdate photos 1 image=@dropped.txt title=y",
        "updated photos/1: title; not as sent: image", "the server has another content of image than was sent"
      ),
    ])
  func dropped(script: String, output: String, warning: String) async throws {
    try Data("dropped".utf8).write(to: service.url("dropped.txt"))
    try Data("another".utf8).write(to: service.url("other.txt"))
    let run = try await service.run(script)
    #expect(run.output.contains(output), "\(run.output)")
    #expect(run.errors.contains(warning), "\(run.errors)")
    let strict = try await service.run("set strict on\n" + (script.split(separator: "\n").last ?? ""))
    #expect(script.hasPrefix("create photos title=x image=@dropped") || strict.status != 0, "\(strict.errors)")
  }

  @Test func `a dry run and a plan show name, size and digest, and send nothing`() async throws {
    let facts = "cat.png (image/png, 300,000 bytes, sha256 \(FilesService.digest))"
    let dry = try await service.run("create photos title=x image=@cat.png --dry-run")
    #expect(dry.status == 0)
    #expect(dry.errors.contains("image: \(facts)"), "\(dry.errors)")
    #expect(dry.output.contains(FilesService.digest) && !dry.output.contains(service.home.folder.path), "\(dry.output)")
    let alone = try await service.run(
      "create documents title=x content=@cat.png --dry-run\nupdate documents 1 content=@cat.png --dry-run")
    #expect(alone.errors.contains("1 to create; 2 requests") && alone.errors.contains("1 to update; 1 request "))
    let follows = "content is sent afterwards, to a path with the identifier of the new record"
    #expect(alone.errors.components(separatedBy: follows).count == 2, "\(alone.errors)")
    let plan = try await service.run("plan --to p.plan create photos title=x image=@cat.png")
    #expect(plan.status == 0, "\(plan.errors)")
    #expect(try await service.sent().isEmpty)
    #expect(try await service.run("apply p.plan --yes").status == 0)
    #expect(try await service.sent().first?[4].object?["image"]?.array?.last == .string(FilesService.digest))
  }

  @Test func `a plan of more records than are shown counts the requests of all`() async throws {
    _ = try service.home.write((1...7).map { "{\"title\": \"\($0)\"}\n" }.joined(), to: "rows.ndjson")
    let plan = try await service.run("plan --to p.plan create photos --from rows.ndjson")
    #expect(plan.status == 0 && plan.output.contains("7 to create; 7 requests"), "\(plan.output)\(plan.errors)")
  }

  @Test func `a dry run of an update shows the request of the other fields and that of the file`() async throws {
    let run = try await service.run(
      "create documents title=x content=@note.txt -o id\nupdate documents 1 title=y content=@cat.png --dry-run")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("1 to update; 2 requests"), "\(run.errors)")
    let writes = run.output.split(separator: "\n").filter { $0.hasPrefix("PATCH /") || $0.hasPrefix("PUT /") }
    #expect(writes.count == 2, "\(run.output)")
    #expect(writes.first?.hasPrefix("PATCH /documents/1 ") == true, "\(run.output)")
    #expect(writes.last?.hasPrefix("PUT /documents/1/content") == true, "\(run.output)")
    #expect(try await service.sent().count == 2)
  }

  @Test func `a file that has changed since it was planned is not sent`() async throws {
    #expect(try await service.run("plan --to p.plan create photos title=x image=@cat.png").status == 0)
    try Data("another".utf8).write(to: service.url("cat.png"))
    let run = try await service.run("apply p.plan --yes")
    #expect(run.status == 2)
    #expect(run.errors.contains("cat.png has changed since it was planned"), "\(run.errors)")
    #expect(try await service.sent().isEmpty)
  }

  @Test func `a file that changes while somebody is asked is not sent`() async throws {
    let terminal = try service.terminal()
    terminal.send("create p/photos title=x image=@cat.png\r")
    try terminal.expect("[y/N]")
    try Data("another".utf8).write(to: service.url("cat.png"))
    terminal.send("y\r")
    try terminal.expect("cat.png has changed since it was read")
    try terminal.expectPrompt("f/photos>")
    #expect(try await service.sent().isEmpty)
  }

  @Test func `the journal keeps name, size and digest, and no undo claims to restore a file`() async throws {
    let run = try await service.run(
      "set journal full\ncreate photos title=x image=@cat.png\nupdate photos 1 image=@note.txt title=y\n"
        + "journal show 1 -o json")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.output.contains(FilesService.digest) && run.output.contains("cat.png"), "\(run.output)")
    let undo = try await service.run("undo --entry 2 --yes")
    #expect(
      (undo.output + undo.errors).contains("it is a file, and file content is not recorded"),
      "\(undo.output)\(undo.errors)")
    let creation = try await service.run("create photos title=z image=@cat.png\nundo --yes")
    #expect(creation.status == 0, "\(creation.errors)")
    #expect(try await service.sent().last?.prefix(2) == ["DELETE", "/photos/2"])
  }

  @Test func `a file whose response was lost is said neither to be sent nor not to be`() async throws {
    try Data("another".utf8).write(to: service.url("lost.txt"))
    let run = try await service.run(
      "set journal full\ncreate photos title=x image=@cat.png\nupdate photos 1 image=@lost.txt")
    #expect(run.status == 6, "\(run.errors)")
    #expect(run.errors.contains("records do not show file content"), "\(run.errors)")
    // The record shows the address that it showed before.
    let check = try await service.run("journal check")
    #expect(
      check.output.contains("cannot be decided: it sent a file, and records do not show file content"),
      "\(check.output)")
  }

  @Test func `a record whose file was refused is named, and can be taken back`() async throws {
    let run = try await service.run("create documents title=full content=@note.txt")
    #expect(run.errors.contains("created record 1, but content was refused"), "\(run.errors)")
    let undo = try await service.run("undo --all-runs --yes")
    #expect(undo.status == 0, "\(undo.errors)")
    #expect(try await service.sent().last?.prefix(2) == ["DELETE", "/documents/1"])
  }

  @Test(
    "what is no file is not sent as one",
    arguments: [
      ("create photos title=x image=cat.png", "image is a file\nhint: image=@FILE sends one"),
      ("create photos title=x image:='{\"a\": 1}'", "image is a file"),
      ("create photos title=x image:=null", "image is a file, and null is none\nhint: update --unset image clears it"),
      ("update documents 1 title=x content:=null", "content is a file, and null is none"),
      ("create photos title=x image=@missing.png", "missing.png: No such file or directory"),
      ("create photos title=x image=@/dev/zero", "/dev/zero is not a regular file"),
      ("create photos --from photos.ndjson", "image is a file field, but its value is not a file"),
      ("create photos --from none.ndjson", "image is a file field, but its value is not a file"),
      ("update odd 1 file=@cat.png", "file of odd is read-only"),
    ])
  func noFile(command: String, reason: String) async throws {
    let facts = #"{"file": "/etc/hostname", "type": "text/plain", "size": 1, "sha256": "\#(FilesService.digest)"}"#
    try Data(#"{"title": "x", "image": \#(facts)}"#.utf8).write(to: service.url("photos.ndjson"))
    try Data(#"{"title": "x", "image": null}"#.utf8).write(to: service.url("none.ndjson"))
    let run = try await service.run(command)
    #expect(run.status == 2, "\(run.errors)")
    #expect(run.errors.contains(reason), "\(run.errors)")
    #expect(try await service.sent().isEmpty)
  }

  @Test func `imports and copies say that files are not copied`() async throws {
    #expect(try await service.run("create photos title=x image=@cat.png").status == 0)
    let run = try await service.run("export photos --to p.ndjson\nimport p/photos p.ndjson --yes=1")
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("image of p/photos: files are not copied"), "\(run.errors)")
    #expect(try await service.sent().last?[2] == "application/json")
  }

  @Test func `a restricted run sends no file`() async throws {
    let run = try await service.run("create photos title=x image=@cat.png", ["--restricted"])
    #expect(run.status != 0 && run.errors.contains("not allowed with --restricted"), "\(run.errors)")
    #expect(try await service.sent().isEmpty)
  }
}
