import BackendKit

extension CallRow {
  struct Step: Sendable {
    let line: Int
    /// The call, followed by the items with their marks.
    private var items: [String] = []

    init(line: Int) { self.line = line }

    var call: String { items.first ?? "" }

    /// The options of `prepare`; nil for other calls.
    var options: Object? {
      get throws {
        if call == "prepare" { return Object() }
        return try call.hasPrefix("prepare ") ? Call.object(String(call.dropFirst("prepare ".count))) : nil
      }
    }

    /// Adds the call and the items of a line. Text before the first mark continues the last item.
    mutating func add(_ line: String) {
      let pieces = Self.pieces(line)
      if line.first != " " { items.append(pieces[0]) } else if !items.isEmpty { items[items.count - 1] += pieces[0] }
      items += pieces.dropFirst()
    }

    /// Returns the call with a name in braces replaced by a value.
    func filled(_ name: String, _ value: String) -> Step {
      var step = self
      step.items = items.map { $0.replacing(text: "{\(name)}", with: value) }
      return step
    }

    /// Splits a line before each mark.
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

    func items(_ mark: Character) -> [String] {
      items.dropFirst().filter { $0.first == mark }.map { String($0.dropFirst().drop { $0 == " " }) }
    }

    /// Reads a header field; nil for a request or a response.
    static func field(_ item: String) -> (name: String, value: String)? {
      guard let colon = item.firstIndex(of: ":"), !item[..<colon].contains(" ") else { return nil }
      return (String(item[..<colon]), String(item[item.index(after: colon)...].drop { $0 == " " }))
    }

    /// The responses. A body that is an object or a list is JSON; others are text, in which `\n` is a newline.
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
