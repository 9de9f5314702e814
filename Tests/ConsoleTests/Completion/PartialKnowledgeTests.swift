import BackendKit
import Testing

@testable import Console
@testable import ConsoleSetup

/// Completion from incomplete knowledge.
@Suite("Completion from partial knowledge") struct PartialKnowledgeTests {
  private static var state: CompletionContext.State {
    var state = CompletionContext.State()
    state.configurations = [BackendConfiguration(name: "js", plugin: "p", url: "http://127.0.0.1:1")]
    state.current = Targets.Current(backend: "js", path: ResourcePath(name: "meals"))
    state.descriptions["js"] = BackendDescription(
      resources: [
        ResourceDescription(
          name: "meals", identifier: IdentifierRule(form: .text), capabilities: Capabilities(operations: []))
      ])
    let records = [("17", "Canteen closed"), ("18", "Soup"), ("99", "Canteen open")].map { id, title in
      Record(id: RecordID(id), fields: Object([("id", .string(id)), ("title", .string(title)), ("size", 3)]))
    }
    var seen = SeenIdentifiers()
    seen.add(records, isSeen: true)
    state.identifiers["js/meals"] = seen
    state.shownList = ShownList(backend: "js", path: ResourcePath(name: "meals"), records)
    return state
  }

  private func complete(_ line: String, _ state: CompletionContext.State = Self.state) -> CommandCompletion {
    var completer = Completer(state)
    return completer.complete(line)
  }

  @Test("identifiers that happen to be known are partial, all that there are are not") func partial() {
    #expect(complete("delete 17").isPartial)
    var whole = Self.state
    whole.identifiers["js/meals"]?.isWhole = true
    #expect(!complete("delete 17", whole).isPartial)
  }

  @Test("a part of a title finds the identifiers") func titles() {
    let found = complete("get canteen").candidates
    #expect(found.map(\.text) == ["17", "99"] && found.map(\.note) == ["Canteen closed", "Canteen open"])
  }

  @Test("@ offers the list on the screen") func list() {
    let found = complete("get @").candidates
    #expect(found.map(\.text) == ["@1", "@2", "@3"] && found[1].note == "18  Soup")
  }
}
