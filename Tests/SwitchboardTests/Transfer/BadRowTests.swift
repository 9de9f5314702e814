import ConsoleSupport
import Foundation
import Testing

/// Rows of an input that cannot be used.
@Suite("Bad rows") struct BadRowTests {
  let servers: TransferServers

  init() async throws { servers = try await TransferServers() }

  private let rows = "title,order\nfirst,1\nsecond,x\nthird\nfourth,4\nfifth,y\n"

  @Test("all of them are reported, with file, line and column, and nothing is sent") func all() async throws {
    let file = try servers.home.write(rows, to: "rows.csv")
    let run = try await servers.run(["import kempty \(file)"])
    #expect(run.status == 2, "\(run.errors)")
    for words in [
      "rows.csv:3, column 2: order is an integer", "rows.csv:4: the row has 1 cell ", "rows.csv:6, column 2:",
      "3 rows cannot be used",
    ] {
      #expect(run.errors.contains(words), "\(run.errors)")
    }
    #expect(try await servers.run(["count kempty"]).output == "0\n")
  }

  @Test("--skip-bad sends the others, and --rejects is the input of the next run", arguments: ["csv", "ndjson"])
  func skipped(format: String) async throws {
    let ndjson = #"{"title":"first","order":1}"# + "\n" + #"{"title":"second","order":"x"}"# + "\n"
    let file = try servers.home.write(format == "csv" ? rows : ndjson, to: "rows.\(format)")
    let left = servers.home.folder.path + "/left.\(format)"
    try await servers.run(["import kempty \(file) --skip-bad --rejects \(left)"]).failed(5, saying: "skipped")
    #expect(try await servers.run(["count kempty"]).output == (format == "csv" ? "2\n" : "1\n"))
    var text = try String(contentsOfFile: left, encoding: .utf8)
    let complaint = format == "csv" ? "order is an integer" : "order must be a 64-bit integer"
    #expect(text.contains("import_error") && text.contains(complaint), "\(text)")
    if format == "csv" {
      #expect(text.hasPrefix("title,order,import_error\n") && text.contains("\nsecond,x,"), "\(text)")
    }
    text = text.replacingOccurrences(of: "second,x", with: "second,2").replacingOccurrences(
      of: "fifth,y", with: "fifth,5"
    )
    .replacingOccurrences(of: #""order":"x""#, with: #""order":2"#)
    let mended = try servers.home.write(text, to: "mended.\(format)")
    try await servers.run(["import kempty \(mended)"]).succeeded()
  }
}
