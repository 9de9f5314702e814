import ConsoleSupport
import Testing

@Suite("Pages") struct PageTests {
  let console: ShippedConsole

  init() throws { console = try ShippedConsole() }

  @Test("prev goes back from a page that was reached by its number") func back() async throws {
    let run = try await console.run(input: "set output id\nlist -n 2\npage 3\nprev\nprev\n")
    #expect((run.status, run.output) == (0, "1\n2\n5\n6\n3\n4\n1\n2\n"))
    #expect(run.errors == "1–2, more: next\n3–4, more: next\n1–2, more: next\n")
    let first = try await console.run(input: "list -n 2 -o id\nnext\nprev\nprev\n")
    #expect((first.status, first.output) == (1, "1\n2\n3\n4\n1\n2\n"))
    #expect(first.errors.hasSuffix("stdin:4: error: this is the first page\n"))
  }

  @Test("prev from a page in the middle of one shows what is there before it") func uneven() async throws {
    let run = try await console.run(input: "list -n 4 --page 2 -o id\nprev\n")
    #expect((run.status, run.output) == (0, "5\n6\n1\n2\n3\n4\n"))
  }
}
