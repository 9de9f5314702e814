import BackendKit
import Testing

@testable import Console
@testable import ConsoleSetup

/// Tab completion with closely described fields and actions.
@Suite("Completion by descriptions") struct DescribedCompletionTests {
  private static let known: CompletionContext.State = {
    var state = CompletionContext.State()
    state.configurations = [BackendConfiguration(name: "desk", plugin: "desk", url: "http://a")]
    state.current = Targets.Current(backend: "desk", path: ResourcePath(name: "tickets"))
    let status = FieldDescription("status", .text, values: ["open", "closed"])
    let assignee = FieldDescription("assignee", .integer, reference: RecordReference(to: "users"))
    state.descriptions["desk"] = BackendDescription(resources: [
      ResourceDescription(
        name: "tickets", identifier: IdentifierRule(form: .integer), fields: [status, assignee],
        capabilities: Capabilities(operations: []),
        actions: [ActionDescription("close", fields: [FieldDescription("reason", .text, values: ["spam", "done"])])]),
      ResourceDescription(
        name: "users", identifier: IdentifierRule(form: .integer), capabilities: Capabilities(operations: [])),
    ])
    var seen = SeenIdentifiers()
    seen.add([Record(id: "7", fields: Object([("name", "Ana")] as [(String, Value)]))], isSeen: true)
    state.identifiers["desk/users"] = seen
    return state
  }()

  private func texts(_ line: String) -> [String] {
    var completer = Completer(Self.known)
    return completer.complete(line).candidates.map(\.text)
  }

  @Test("values that are listed, in conditions and in writes") func values() {
    #expect(texts("list status=") == ["open", "closed"])
    #expect(texts("update 1 status=c") == ["closed"])
  }

  @Test("records that a field names") func references() {
    #expect(texts("create assignee=") == ["7"])
    #expect(texts("list assignee=7") == ["7"])
    #expect(texts("list --where 'status = open and assignee=") == ["7"])
    var completer = Completer(Self.known)
    let candidate = completer.complete("update 1 assignee=").candidates.first
    #expect(candidate?.note == "Ana")
    #expect(candidate?.word == "assignee=7")
  }

  @Test("the fields that --with takes") func relations() {
    #expect(texts("list --with ") == ["assignee"])
    #expect(texts("get 1 --with=a") == ["assignee"])
    #expect(texts("list --with assignee,") == [])
  }

  @Test("actions, and what they take") func actions() {
    #expect(texts("call cl") == ["close"])
    #expect(texts("call close 1 re") == ["reason="])
    #expect(texts("call close 1 reason=s") == ["spam"])
    #expect(texts("request P") == ["POST", "PUT", "PATCH"])
  }

  // MARK: Resources that only a document describes

  private static let outlined: CompletionContext.State = {
    var state = known
    var repos = IdentifierRule(form: .text)
    (repos.parts, repos.separator) = (["owner", "repo"], "/")
    let read = ResourceDescription(
      name: "repos", identifier: repos, capabilities: Capabilities(operations: [.list]),
      children: ["repos/issues", "repos/pulls"])
    let many = (1...900).map { ResourceOutline(name: "part\($0)", group: "parts") }
    let below = ["repos/issues", "repos/pulls"].map { ResourceOutline(name: $0, group: "code", owners: ["repos"]) }
    state.descriptions["desk"]?.outlined = OutlinedResources([ResourceOutline(name: "repos")] + below + many) {
      outline throws(BackendError) in
      guard outline.name.hasPrefix("repos") else { throw .misconfigured("\(outline.name) is not needed") }
      var issues = ResourceDescription(
        name: outline.name, identifier: IdentifierRule(form: .integer), fields: [FieldDescription("state", .text)],
        capabilities: Capabilities(operations: []))
      issues.capabilities.operationsBelow = [.list]
      return outline.name == "repos" ? read : issues
    }
    return state
  }()

  @Test("resources that only a document describes are proposed with their groups, and not read") func outlines() {
    var completer = Completer(Self.outlined)
    let found = completer.complete("list desk/part9").candidates
    #expect(found.map(\.text) == ["desk/part9"] + (90...99).map { "desk/part\($0)" } + ["desk/part900"])
    #expect(found.allSatisfy { $0.note == "parts" })
    #expect(completer.complete("list ").candidates.count == 906)
    // Those below records need a beginning, and have short names below one.
    #expect(completer.complete("describe repos/is").candidates.map(\.text) == ["repos/issues"])
    let below = completer.complete("list desk/repos/octo/hello/").candidates
    #expect(below.map(\.text) == ["desk/repos/octo/hello/issues", "desk/repos/octo/hello/pulls"])
    #expect(completer.missing.isEmpty)
  }

  @Test("records of such a resource are not requested for a completion; its fields are known") func unread() {
    var completer = Completer(Self.outlined)
    #expect(completer.complete("get desk/repos/octo/hello/issues ").isPartial)
    #expect(completer.complete("list desk/repos/octo/hello/issues sta").candidates.map(\.text) == ["state"])
    #expect(completer.missing.isEmpty)
    _ = completer.complete("get desk/tickets ")
    #expect(completer.missing == [.records("desk", ResourcePath(name: "tickets"))])
  }
}
