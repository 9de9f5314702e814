import BackendKit

extension CallRow {
  /// One call of a row, with what is expected of it.
  struct Step: Sendable {
    /// The line of the file.
    let line: Int
    /// The call, then each item with its mark.
    private var items: [String] = []

    init(line: Int) { self.line = line }

    /// The call.
    var call: String { items.first ?? "" }

    /// The options of a call that prepares a backend; nil of any other.
    var options: Object? {
      get throws {
        if call == "prepare" { return Object() }
        return try call.hasPrefix("prepare ") ? Call.object(String(call.dropFirst("prepare ".count))) : nil
      }
    }

    /// Takes the call and the items of a line; text before its first mark continues the last item.
    mutating func add(_ line: String) {
      let pieces = Self.pieces(line)
      if line.first != " " { items.append(pieces[0]) } else if !items.isEmpty { items[items.count - 1] += pieces[0] }
      items += pieces.dropFirst()
    }

    /// The call with a value in the place of a name in braces.
    func filled(_ name: String, _ value: String) -> Step {
      var step = self
      step.items = items.map { $0.replacing(text: "{\(name)}", with: value) }
      return step
    }

    /// The text before the first mark, and the text from each mark on.
    private static func pieces(_ line: String) -> [String] {
      var pieces = [""]
      var rest = Substring(line)
      while !rest.isEmpty {
        if rest.hasPrefix("  "), let mark = rest.dropFirst(2).first, "><=!".contains(mark),
          rest.dropFirst(3).first ?? " " == " "
        {
          pieces.append("")
          rest = rest.dropFirst(2)
        }
        pieces[pieces.count - 1].append(rest.removeFirst())
      }
      return pieces.map { piece in
        var text = piece.drop { $0 == " " }
        while text.last == " " { text.removeLast() }
        return String(text)
      }
    }

    /// The items with a mark, without it.
    func items(_ mark: Character) -> [String] {
      items.dropFirst().filter { $0.first == mark }.map { String($0.dropFirst().drop { $0 == " " }) }
    }

    /// A header field; nil for a request or a response.
    static func field(_ item: String) -> (name: String, value: String)? {
      guard let colon = item.firstIndex(of: ":"), !item[..<colon].contains(" ") else { return nil }
      return (String(item[..<colon]), String(item[item.index(after: colon)...].drop { $0 == " " }))
    }

    /// The responses: JSON if the text is an object or a list, else text, in which `\n` ends a line.
    var answers: [FixtureServer.Answer] {
      get throws {
        var answers: [FixtureServer.Answer] = []
        for item in items("<") {
          if let (name, value) = Self.field(item), !answers.isEmpty {
            let last = answers.count - 1
            answers[last].headers.removeAll { $0.0 == name }
            if !value.isEmpty { answers[last].headers.append((name, value)) }
            continue
          }
          guard let status = Int(item.prefix { $0 != " " }) else { throw Failure(description: "< \(item)") }
          let body = String(item.drop { $0 != " " }.drop { $0 == " " })
          let isJSON = body.first == "{" || body.first == "["
          answers.append(
            isJSON ? .json(status, body) : FixtureServer.Answer(status, body.replacing(text: "\\n", with: "\n")))
        }
        return answers
      }
    }
  }
}
