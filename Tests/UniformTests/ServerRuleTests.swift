import ConsoleSupport
import Testing

/// Results that follow the server's own rules are marked as such.
@Suite struct ServerRuleTests {
  @Test(arguments: ["placeholder", "baasic"])
  func `A native query is said to go by the server's rules`(backend: String) async throws {
    let server = try await UniformServer(["one", "two"])
    let text = backend == "baasic" ? "WHERE title LIKE '%n%'" : "title_like=n"
    for line in [
      "list --native \"\(text)\" --fields title -o csv", "explain list --native \"\(text)\"",
      "count --native \"\(text)\"",
    ] {
      let run = try await server.run(backend, [line])
      #expect(run.status == 0)
      #expect((run.errors + run.output).contains("filtered by the server's own rules"), "\(line): \(run.errors)")
      if line.hasPrefix("list") { #expect(run.output == "title\none\n") }
      if line.hasPrefix("count") { #expect(run.output == "1\n") }
      if line.hasPrefix("explain") { #expect(run.output.contains("native \"\(text)\"")) }
    }
  }

  @Test func `A server's order is said to be one where the server sorts, and nowhere else`() async throws {
    let server = try await UniformServer(["b", "A", "a", "B"])
    let orders = ["grails": "A a b B", "placeholder": "A B a b", "kitura": "A B a b", "baasic": "A B a b"]
    for backend in UniformServer.backends {
      let run = try await server.run(backend, ["list --sort title --server-order --fields title -o csv --no-header"])
      let said = run.errors.contains("sorted by the server's rules")
      #expect(said == (backend != "kitura"), "\(backend): \(run.errors)")
      let shown = run.output.split(separator: "\n").joined(separator: " ")
      if backend == "grails" {
        #expect(shown.lowercased() == "a a b b")
      } else if backend != "baasic" {
        #expect(shown == orders[backend])
      }
    }
  }
}
