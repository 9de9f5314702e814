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
}
