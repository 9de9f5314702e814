import BackendClient
import BackendKit
import ConsoleSupport
import Foundation
import Testing

/// The links that `add` reads, and the names of what they lead to.
@Suite("Links and names") struct LinksTests {
  private let server: StyleServer

  init() async throws { server = try await StyleServer("links") }

  /// The requests that were sent besides those for documents.
  private func requests() throws -> [String] {
    try server.log().filter { line in
      !["openapi", "swagger", "api-docs", "__api__", "schema/", "ResourceTypes", "/docs", "redoc", "/db"].contains {
        line.contains($0)
      }
    }
  }

  /// The paths that were read with GET, without their queries.
  private func paths() throws -> Set<String> {
    Set(try requests().filter { $0.hasPrefix("GET ") }.map { String($0.dropFirst(4).prefix { $0 != "?" }) })
  }

  @Test func `links with a verb are never read, and those that are read were shown before`() async throws {
    let run = try await server.add("hub hub", "--yes -o json --follow")
    #expect(run.status == 0, "\(run.errors)")
    let paths = try paths()
    for word in [
      "logout", "revoke", "restart", "delete", "deactivate", "flush", "purge", "reset", "sync", "sign", "export", "run",
      "mailto", "/rm", "undo", "unlink", "drain", "fire", "end_", "upvote", "process",
    ] {
      #expect(!paths.contains { $0.lowercased().contains(word) }, "\(word): \(paths)")
    }
    #expect(try requests().allSatisfy { !$0.contains("action=") && !$0.contains("users?logout") })
    #expect(paths.contains("/hub/users") && paths.contains("/hub/orders"))
    for path in paths where path != "/hub" {
      let isShown = run.errors.contains("GET \(path)\n") || path.split(separator: "/").count > 2
      #expect(isShown, "\(path): \(run.errors)")
    }
    let held = run.errors.split(separator: "\n").first {
      $0.hasPrefix("note: not read (a verb in the path or the query): ")
    }
    #expect(held?.contains("/hub/rm,") == true, "\(run.errors)")
  }

  @Test func `links to other servers are not read, and a fragment is no part of a path`() async throws {
    let run = try await server.add("", "root --yes -o json")
    #expect(run.status == 0, "\(run.errors)")
    #expect(try run.resources == ["users", "orders"], "\(run.errors)")
    #expect(
      run.errors.contains("not read (at another server): /etc/passwd, /hub/outside, /hub/files, /hub/named"),
      "\(run.errors)")
    #expect(try paths().allSatisfy { $0 == "/" || $0.hasPrefix("/hub/users") || $0.hasPrefix("/hub/orders") })
  }

  @Test func `nothing that a link names is read before the question`() async throws {
    let run = try await server.add("hub hub", "")
    #expect(run.status != 0)
    #expect(run.errors.contains("GET /hub/users\n"), "\(run.errors)")
    #expect(try paths() == ["/hub"])
  }

  @Test func `links to single records and below them are read with --follow only`() async throws {
    let without = try await server.add("hub hub", "--yes -o json")
    #expect(try without.resources == ["users", "orders"], "\(without.errors)")
    #expect(without.errors.contains("--follow reads these): /hub/users/1/posts"), "\(without.errors)")
    #expect(try !paths().contains("/hub/users/1/posts"))
    let record = try await server.add("people/7 ann", "--yes -o json")
    #expect(record.status != 0 && record.errors.contains("--follow"), "\(record.errors)")
    #expect(try !paths().contains { $0.hasPrefix("/people/7/") })
    let followed = try await server.add("people/7 ann", "--yes -o json --follow")
    #expect(try followed.resources == ["posts", "friends"], "\(followed.errors)")
  }

  @Test func `with a document, links beyond it are shown, and read if they are named`() async throws {
    let run = try await server.add("mixed mixed", "--yes -o json")
    #expect(try run.resources == ["users"], "\(run.errors)")
    #expect(
      run.errors.contains("not read (not in the document: --only PATH reads one): /mixed/hidden"), "\(run.errors)")
    #expect(try paths().allSatisfy { !$0.contains("hidden") && !$0.contains("logout") })
    let named = try await server.add("mixed named", "--yes -o json --only hidden")
    #expect(try named.resources == ["hidden"], "\(named.errors)")
  }

  @Test func `a document's own paths and references have no verbs either`() async throws {
    let run = try await server.add("run run", "--yes -o json")
    #expect(try run.resources == ["users"], "\(run.errors)")
    #expect(run.errors.contains("/run/exports/start"), "\(run.errors)")
    _ = try await server.add("referring referring")
    let paths = try paths()
    #expect(!paths.contains("/run/exports/start"))
    #expect(
      paths.allSatisfy { !$0.contains("logout") && !$0.contains("delete") && $0 != "/referring/other" }, "\(paths)")
  }

  @Test("a next page at another path is not read", arguments: ["onward", "askew"])
  func next(_ style: String) async throws {
    let run = try await server.add("\(style)/things \(style)")
    #expect(run.errors.contains("the next-page link does not return the next page"), "\(run.errors)")
    #expect(try paths().allSatisfy { !$0.contains("refresh_all") && !$0.contains("others") })
  }

  @Test func `addresses in records lead to these records only`() async throws {
    _ = try await server.add("acting acting")
    #expect(try paths().allSatisfy { !$0.contains("touch") })
  }

  @Test func `names and paths of any length are cut, and are none of lists`() async throws {
    let run = try await server.add("long long")
    #expect(run.status == 0)
    #expect(run.output.utf8.count + run.errors.utf8.count < 20_000)
    #expect(run.errors.contains("not read (longer than 120 characters): /long/yyy"), "\(run.errors.prefix(2_000))")
    #expect(try server.log().allSatisfy { $0.utf8.count < 250 })
  }

  @Test func `collections with the same last segment are resources of their own`() async throws {
    let run = try await server.add("twice twice", "--yes -o json")
    let names = try run.resources
    #expect(names == ["teams-items", "shops-items", "people", "Places", "places-2"], "\(run.errors)")
    let listed = try await server.run("count twice/teams-items --trust-end", "count twice/shops-items --trust-end")
    #expect(listed.output == "7\n9\n", "\(listed.output)\(listed.errors)")
    // The check finds them again by their paths, whatever they are called.
    let text = try server.description("twice").replacingOccurrences(of: "  teams-items:", with: "  tasks:")
    try text.write(to: server.file("services/twice.yaml"), atomically: true, encoding: .utf8)
    let checked = try await server.run("backends check twice --yes")
    #expect(checked.errors.contains("twice matches "), "\(checked.output)\(checked.errors)")
    let one = try await server.add("twice one", "--yes -o json --only shops-items")
    #expect(try one.resources.count == 1)
    let both = try await server.add("twice both", "--yes -o json --only items")
    #expect(try both.resources == ["teams-items", "shops-items"], "\(both.errors)")
  }

  @Test func `a list below records is a part of another resource only if that has its records`() async throws {
    let run = try await server.add("below below", "--yes -o json")
    #expect(try run.resources == ["orgs", "items", "people", "orgs-items"], "\(run.errors)")
    let claims = try run.claims
    func owners(_ resource: String) -> Object? {
      claims.first { $0["resource"]?.text == resource && $0["fact"]?.text == "owners.orgs" }
    }
    #expect(owners("items") == nil)
    #expect(owners("people")?["grade"] == "proved")
    #expect(owners("orgs-items")?["value"]?.object?["path"] == "items")
    let listed = try await server.run("list below/orgs/2/orgs-items --fields title -o tsv --no-header --trust-end")
    #expect(listed.output.contains("item 2-1"), "\(listed.output)\(listed.errors)")
    let pair = try await server.add("pair pair", "--yes -o json")
    #expect(try pair.resources == ["teams", "shops", "teams-items", "shops-items"], "\(pair.errors)")
  }

  @Test func `names that are keys of a description are names of resources, too`() async throws {
    let run = try await server.add("keys keys", "--yes -o json")
    #expect(try run.resources == ["resources", "because", "preset", "others", "page"], "\(run.errors)")
    let listed = try await server.run("count keys/because --trust-end", "count keys/preset --trust-end")
    #expect(listed.output == "12\n12\n", "\(listed.output)\(listed.errors)")
  }

  @Test(
    "the file has where a recognized kind of service says what is wrong",
    arguments: [
      ("django", ["message: [detail, ", "non_field_errors", "errorsPath: \"$\"", "layout: object"]),
      ("kinto", ["message: [message, error]", "errorsPath: details", "field: name"]),
    ])
  func errors(_ style: String, _ lines: [String]) async throws {
    #expect(try await server.add("\(style)/things \(style)").status == 0)
    let text = try server.description(style)
    #expect(text.contains("errors:\n"), "\(text)")
    for line in lines { #expect(text.contains(line), "\(line): \(text)") }
  }

  @Test func `what Django says of the whole is not repeated as a message on a field`() async throws {
    #expect(try await server.add("django/things django").status == 0)
    let run = try await server.run("create django name=x")
    #expect(run.status != 0)
    #expect(run.errors.components(separatedBy: "You do not have permission.").count == 2, "\(run.errors)")
  }

  @Test(
    "a verb is found however it is spelled",
    arguments: [
      "/rm", "/posts/1/undo", "/unlink", "/queues/drain", "/events/fire", "/end-session", "/upvote", "/orders/process",
      "/logout", "/token/revoke", "/users/1/delete", "/users:deactivate", "/caches/flush_all", "/purgeAll", "/do_reset",
      "/doSync", "/dologout", "/logoutall", "/sign-out", "/logOut", "/export.json", "/%6cogout", "/%256cogout",
      "/jobs/run;now=1", "/XMLExport", "/users?action=delete", "/users?a=1&do=log_out", "/users?logout",
      "/users?refresh=true", "/users?_method=DELETE", "http://desk.example.org/admin/restart",
      "/deployment/promote/7", "/jobs/fail",
    ])
  static func verbs(_ address: String) { #expect(ActionWords.verb(in: address) != nil) }

  @Test(
    "a list has none",
    arguments: [
      "/users", "/subscriptions", "/runs", "/merge_requests", "/addresses", "/downloads", "/updates", "/settings",
      "/failures", "/promotions",
      "/items?start=0&limit=10", "/items?start=1", "/items?start=1&end=1", "/items?sort=-created&page=2", "/", "",
    ])
  static func lists(_ address: String) { #expect(ActionWords.verb(in: address) == nil) }

  @Test static func `the reference lists all verbs`() throws {
    let file = ConsoleRun.root.appending(path: "docs/reference/discovery.md")
    let words = try String(contentsOf: file, encoding: .utf8).split(whereSeparator: \.isWhitespace)
    let list = "The verbs are: \(ActionWords.verbs.joined(separator: ", ")) ## "
    #expect(words.joined(separator: " ").contains(list))
  }

  @Test static func `what the operator has typed is not looked at`() {
    #expect(ActionWords.verb(in: "/run/users", beyond: ["/run"]) == nil)
    #expect(ActionWords.verb(in: "/run/users/1", beyond: ["/run/users"]) == nil)
    #expect(ActionWords.verb(in: "/run?action=delete", beyond: ["/run?action=delete"]) == nil)
    #expect(ActionWords.verb(in: "/run/logout", beyond: ["/run"]) == "logout")
    #expect(ActionWords.verb(in: "/other/run", beyond: ["/run"]) == "run")
  }
}
