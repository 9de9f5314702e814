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

  // MARK: Drawings

  /// A graph of resources, each with its fields and the resources that they refer to.
  private func graph(_ resources: [(String, [(String, String)])]) -> RelationGraph {
    let described = resources.map { name, fields in
      ResourceDescription(
        name: name, identifier: IdentifierRule(form: .integer),
        fields: fields.map { FieldDescription($0.0, .integer, reference: RecordReference(to: $0.1)) },
        capabilities: Capabilities(operations: []))
    }
    return RelationGraph(of: BackendDescription(resources: described), named: "desk")
  }

  private func drawn(
    _ graph: RelationGraph, columns: Int = 80, rows: Int? = nil, isASCII: Bool = false
  ) -> (text: String, note: String?) {
    let drawing = graph.drawing(columns: columns, rows: rows, isASCII: isASCII, theme: .plain)
    return (drawing.text.text, drawing.note)
  }

  @Test func `Boxes stand left of those that they refer to, and a line passes the boxes between`() {
    let shop = graph([
      ("customers", []), ("orders", [("customer", "customers")]),
      ("lines", [("order", "orders"), ("buyer", "customers")]), ("notes", []), ("logs", []),
    ])
    #expect(
      drawn(shop).text == """
        ┌───────┐      ┌──────────┐
        │ lines │   ┌─►│ orders   │    ┌───────────┐
        │ order ├───┘  │ customer ├─┬─►│ customers │
        │ buyer ├─┐    └──────────┘ │  └───────────┘
        └───────┘ └─────────────────┘
        without relations: notes, logs

        """)
    let ascii = drawn(shop, isASCII: true).text
    #expect(ascii.utf8.allSatisfy { $0 < 0x80 } && ascii.contains("+->| orders   |"), "\(ascii)")
    #expect(drawn(graph([("notes", [])])).text == "without relations: notes\n")
    #expect(drawn(shop).note == nil)
  }

  @Test func `A resource that refers to itself and a cycle are words where no line can lead to the right`() {
    #expect(
      drawn(graph([("a", [("parent", "a"), ("x", "b")]), ("b", [("y", "a")])])).text == """
        ┌────────────┐    ┌───────┐
        │ a          │ ┌─►│ b     │
        │ parent → a │ │  │ y → a │
        │ x          ├─┘  └───────┘
        └────────────┘

        """)
  }

  @Test func `A resource below the records of another one refers to its owner`() {
    let described = backend(["users", "todos"], field: "userId")
    var below = described
    for index in below.resources.indices { below.resources[index].fields = [] }
    let text = drawn(RelationGraph(of: below, named: "desk")).text
    #expect(text.contains("│ (owner) ├─"), "\(text)")
  }

  @Test func `A drawing never exceeds the window, and what has no room in it is counted`() {
    let star = graph([("hub", [])] + (0..<60).map { ("leaf\($0)", [("hub", "hub")]) })
    let whole = drawn(star)
    #expect(whole.note == nil && whole.text.contains("leaf59"))
    for rows in [0, 1, 5, 22, 100] {
      for columns in [0, 1, 20, 80] {
        let (text, note) = drawn(star, columns: columns, rows: rows)
        let lines = text.split(separator: "\n")
        #expect(lines.count <= rows)
        #expect(lines.allSatisfy { DisplayWidth.columns(of: String($0)) <= columns })
        let boxes = text.matches(of: /│ (?:leaf\d+|hub) *│/).count
        #expect(note == "\(boxes) of 61 resources with relations are drawn; -o dot has all")
      }
    }
    // A resource that is too high leaves the room to others.
    let wide = graph(
      [("wide", (0..<40).map { ("f\($0)", "goal") }), ("goal", []), ("small", [("goal", "goal")])])
    let (text, note) = drawn(wide, rows: 22)
    #expect(text.contains("│ small │") && !text.contains("wide"), "\(text)")
    #expect(note == "2 of 3 resources with relations are drawn; -o dot has all")
    // A reference to a resource without a box is not lost.
    let cut = drawn(graph([("a", [("x", "b"), ("y", "c")]), ("b", [("z", "c")]), ("c", [])]), columns: 24)
    #expect(cut.text.contains("→"), "\(cut.text)")
  }

  @Test(arguments: 1..<200) func `Each line leads from its field to the box of the resource, whatever it crosses`(
    seed: Int
  ) {
    var state = UInt64(seed)
    func random(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
    let names = (0..<(2 + random(9))).map { "r\($0)" }
    let graph = graph(
      names.map { name in
        (
          name,
          (0..<random(4)).map { place in
            let goal = names[random(names.count)]
            return ("to_\(goal)_\(place)", goal)
          }
        )
      })
    let text = drawn(graph, columns: 1000).text
    let grid = text.split(separator: "\n").map { Array($0) }
    var lines = 0
    for (row, line) in text.split(separator: "\n").enumerated() {
      for match in line.matches(of: /│ to_(?<goal>r\d+)_\d+ +(?<port>├)/) {
        lines += 1
        let port = line.distance(from: line.startIndex, to: match.port.startIndex)
        #expect(Self.goals(from: port, row, in: grid) == [String(match.goal)], "\(row) of\n\(text)")
      }
    }
    #expect(lines + text.count { $0 == "→" } == graph.edges.count, "\(text)")
  }

  /// The names of the boxes to which the line leads that begins at a place. No line leads to the left.
  private static func goals(from column: Int, _ row: Int, in grid: [[Character]]) -> Set<String> {
    let steps: [Character: (column: Int, row: Int)] = ["u": (0, -1), "d": (0, 1), "r": (1, 0)]
    let back: [Character: Character] = ["u": "d", "d": "u"]
    let ways: [Character: String] = [
      "│": "ud", "─": "r", "┘": "u", "┐": "d", "└": "ur", "┌": "dr", "┤": "ud", "├": "udr", "┴": "ur", "┬": "dr",
    ]
    var goals: Set<String> = []
    var ahead: [(column: Int, row: Int, way: Character)] = [(column, row, "r")]
    var seen: Set<[Int]> = []
    while let place = ahead.popLast() {
      guard let step = steps[place.way] else { continue }
      let (column, row) = (place.column + step.column, place.row + step.row)
      guard grid.indices.contains(row), grid[row].indices.contains(column) else { return ["nothing"] }
      let character = grid[row][column]
      if character == "►" {
        goals.insert(String(grid[row][(column + 3)...].prefix { $0 != " " }))
      } else if character == "┼" {
        ahead.append((column, row, place.way))
      } else if seen.insert([column, row]).inserted {
        for way in ways[character] ?? "" where way != back[place.way] { ahead.append((column, row, way)) }
      }
    }
    return goals
  }

  @Test(arguments: [
    "\u{202e}x\u{1b}[31m", "a\nb", "食堂", "e\u{301}", "", "\u{301}", "👩‍👩‍👧", String(repeating: "長", count: 90),
  ])
  func `Names do not leave their boxes`(_ name: String) {
    let text = drawn(graph([("x" + name, [(name, "goal")]), ("goal", [])])).text
    #expect(!text.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0 == "\u{202E}" })
    // The borders stand below each other.
    let lines = text.split(separator: "\n").map(String.init)
    let ends = lines.prefix(4).compactMap { line in
      line.firstIndex { "┐├┘".contains($0) }.map { DisplayWidth.columns(of: String(line[..<$0])) }
    }
    #expect(Set(ends).count == 1 && ends.count >= 2, "\(text)")
  }
}
