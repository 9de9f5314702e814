import ConsoleSupport
import Foundation
import Testing

/// A user's input means the same on every backend.
@Suite struct UniformTests {
  private static let titles = UniformData.titles(250)

  @Test func `One script gives the same rows on four backends by changing only its use line`() async throws {
    let server = try await UniformServer(Self.titles)
    let lines = UniformLine.script.map(\.text)
    #expect(lines.count >= 20)
    var first: [Substring]?
    for backend in UniformServer.backends {
      let run = try await server.run(backend, lines)
      #expect(run.status == 0, "\(backend): \(run.errors)")
      let rows = run.output.split(separator: "\n", omittingEmptySubsequences: false)
      if let first {
        #expect(Self.difference(rows, first) == nil, "\(backend) beside \(UniformServer.backends[0])")
      } else {
        first = rows
        #expect(rows.count > 1000)
      }
    }
  }

  @Test(arguments: UniformLine.script.filter { $0.rows != nil })
  func `A line gives the rows that the rules of queries demand`(line: UniformLine) async throws {
    let server = try await Self.shared.value
    let rule = try #require(line.rows)
    let wanted = rule(Self.titles)
    for backend in UniformServer.backends {
      let run = try await server.run(backend, [line.text])
      #expect(run.status == 0, "\(backend): \(run.errors)")
      let rows = try run.output.split(separator: "\n").map { row in
        try JSONDecoder().decode([String: String].self, from: Data(row.utf8))["title"] ?? "no title"
      }
      #expect(Self.difference(rows, wanted) == nil, "\(backend)")
    }
  }

  /// Lines that only read may share a server.
  private static let shared = Task { try await UniformServer(titles) }

  /// The first place where two lists of rows differ, by code point.
  private static func difference(_ rows: [some StringProtocol], _ wanted: [some StringProtocol]) -> String? {
    for number in 0..<max(rows.count, wanted.count) {
      let row = number < rows.count ? String(rows[number]) : "nothing"
      let other = number < wanted.count ? String(wanted[number]) : "nothing"
      if !row.utf8.elementsEqual(other.utf8) { return "row \(number): \(row) where \(other) was wanted" }
    }
    return nil
  }
}
