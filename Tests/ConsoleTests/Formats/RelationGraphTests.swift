import BackendClient
import BackendKit
import Testing

@testable import Console
@testable import ConsoleOutput

/// The graph of resources and relations.
@Suite("Relations as a graph") struct RelationGraphTests {
  private func backend(_ names: [String], field: String) -> BackendDescription {
    BackendDescription(
      resources: names.map { name in
        ResourceDescription(
          name: name, identifier: IdentifierRule(form: .integer),
          fields: [FieldDescription(field, .integer, reference: RecordReference(to: names[0]))],
          capabilities: Capabilities(operations: []), children: name == names[0] ? Array(names.dropFirst()) : [])
      })
  }

  @Test("each resource is a node, each relation a line with its field") func plain() {
    #expect(
      RelationGraph(of: backend(["users", "todos"], field: "userId"), named: "desk").dot.text == """
        digraph "desk" {
          rankdir=LR;
          node [shape=box];
          r0 [label="users"];
          r1 [label="todos"];
          r0 -> r0 [label="userId"];
          r1 -> r0 [label="userId"];
        }

        """)
  }

  @Test(
    "no name leaves its quotes",
    arguments: ["a\"];evil[label=\"", "a\\", "a\\\"]", "\\N\\G", "<b>x</b>", "a\nb", "\u{202e}x\u{1b}[31m", ""])
  func hostile(_ name: String) {
    let dot = RelationGraph(of: backend([name, "todos"], field: name), named: name).dot.text
    for line in dot.split(separator: "\n") {
      var isQuoted = false
      var isEscaped = false
      var outside = ""
      for character in line {
        if isEscaped {
          isEscaped = false
        } else if isQuoted, character == "\\" {
          isEscaped = true
        } else if character == "\"" {
          isQuoted.toggle()
        } else if !isQuoted {
          outside.append(character)
        }
      }
      #expect(!isQuoted && !isEscaped, "\(line)")
      let forms = [
        "digraph  {", "  rankdir=LR;", "  node [shape=box];", "}", "  r [label=];", "  r -> r [label=];",
      ]
      #expect(forms.contains(outside.filter { !$0.isNumber }), "\(line)")
    }
    #expect(!dot.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0 == "\u{202E}" })
  }
}
