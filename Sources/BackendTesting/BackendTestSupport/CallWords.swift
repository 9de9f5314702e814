import BackendKit

/// The words of a call, separated by spaces outside of quotes, braces, brackets and parentheses.
struct CallWords {
  private var words: [String] = []
  private(set) var cursor: Cursor?

  init(_ text: String) { words = Self.split(text, at: " ").filter { !$0.isEmpty } }

  var first: String? { words.first }

  mutating func next() -> String? { words.isEmpty ? nil : words.removeFirst() }

  static func split(_ text: String, at separator: Character) -> [String] {
    var (parts, depth, isQuoted, isEscaped) = ([""], 0, false, false)
    for character in text {
      if character == separator, depth == 0, !isQuoted {
        parts.append("")
        continue
      }
      parts[parts.count - 1].append(character)
      if isEscaped {
        isEscaped = false
      } else if character == "\\" {
        isEscaped = isQuoted
      } else if character == "\"" {
        isQuoted.toggle()
      } else if !isQuoted {
        if "{[(".contains(character) { depth += 1 } else if "}])".contains(character) { depth -= 1 }
      }
    }
    return parts
  }

  // MARK: Paths

  private mutating func parts() throws -> [String] {
    guard let word = next() else { throw CallRow.Failure(description: "the path is missing") }
    return word.split(separator: "/", omittingEmptySubsequences: false).map {
      PercentEncoding.decoded($0) ?? String($0)
    }
  }

  mutating func resource() throws -> ResourcePath {
    let parts = try parts()
    guard let path = ResourcePath(parts: parts) else {
      throw CallRow.Failure(description: "no resource: \(parts.joined(separator: "/"))")
    }
    return path
  }

  mutating func record() throws -> (ResourcePath, RecordID) {
    var parts = try parts()
    let id = parts.count % 2 == 0 ? RecordID(parts.removeLast()) : .sole
    guard let path = ResourcePath(parts: parts) else {
      throw CallRow.Failure(description: "no record: \(parts.joined(separator: "/"))")
    }
    return (path, id)
  }

  // MARK: Writes

  /// Takes the changes of an update in order, and the revision.
  mutating func changes() throws -> (changes: [Change], revision: String?) {
    var (changes, revision): ([Change], String?) = ([], nil)
    while let word = next() {
      if word == "--revision" {
        revision = try next().map(Self.text)
      } else if word.first == "-" {
        changes.append(.unset(String(word.dropFirst())))
      } else {
        changes += try Call.object(word).members.map { Change.set($0, $1) }
      }
    }
    return (changes, revision)
  }

  // MARK: Queries

  /// Takes the query of a list: conditions as read by ``Filter``, and `--size`, `--skip`, `--at CURSOR`, `--sort a,-b`,
  /// `--server-order`, `--ignore-case`, `--search TEXT`, `--native TEXT`, `--param NAME=VALUE`,
  /// `--fields a,b` and `--embed a,b`.
  mutating func query(of path: ResourcePath) throws -> ListQuery {
    var query = ListQuery(path)
    while let word = next() {
      switch word {
      case "--server-order": query.serverOrder = true
      case "--ignore-case": query.ignoreCase = true
      case _ where word.hasPrefix("--"):
        guard let spelled = next() else { throw CallRow.Failure(description: "\(word) needs a value") }
        let value = try Self.text(spelled)
        // A name with a comma is quoted.
        let names = spelled.first == "\"" ? [value] : value.split(separator: ",").map(String.init)
        switch word {
        case "--size": query.pageSize = Int(value)
        case "--skip": query.skip = Int(value) ?? 0
        case "--at": cursor = Cursor(value)
        case "--search": query.search = value
        case "--native": query.native = value
        case "--param":
          let parts = value.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
          query.parameters[parts[0]] = parts.count > 1 ? parts[1] : ""
        case "--fields": query.fields = names.map { FieldPath($0) }
        case "--embed": query.embedded = names
        case "--sort":
          query.sort = names.map {
            SortKey(FieldPath($0.first == "-" ? String($0.dropFirst()) : $0), isDescending: $0.first == "-")
          }
        default: throw CallRow.Failure(description: "no such option: \(word)")
        }
      default: query.filters.append(try Filter(inTable: word))
      }
    }
    return query
  }

  static func text(_ word: String) throws -> String {
    word.first == "\"" ? try JSONReader.read(word).text ?? word : word
  }
}

extension Filter {
  /// Reads a condition: `a=word`, `a>="text"`, `a~:5` with JSON after the colon, `in(a,word,:5)`, `null(a)`,
  /// `missing(a)`, `not(…)`, `and(…,…)`, `or(…,…)`.
  init(inTable word: String) throws {
    for name in ["null", "missing", "in", "not", "and", "or"] where word.hasPrefix(name + "(") && word.hasSuffix(")") {
      let inside = String(word.dropFirst(name.count + 1).dropLast())
      let parts = inside.isEmpty ? [] : CallWords.split(inside, at: ",")
      let path = FieldPath(parts.first ?? "")
      switch name {
      case "null": self = .isNull(path)
      case "missing": self = .isMissing(path)
      case "in": self = .among(path, try parts.dropFirst().map(Operand.init(inTable:)))
      case "and": self = .and(try parts.map(Filter.init(inTable:)))
      case "or": self = .or(try parts.map(Filter.init(inTable:)))
      default: self = .not(try Filter(inTable: inside))
      }
      return
    }
    let field = word.prefix { sign in !Comparison.allCases.contains { $0.rawValue.contains(sign) } }
    let rest = word.dropFirst(field.count)
    let spelled = Comparison.allCases.sorted { $0.rawValue.count > $1.rawValue.count }
    guard let comparison = spelled.first(where: { rest.hasPrefix($0.rawValue) }) else {
      throw CallRow.Failure(description: "no condition: \(word)")
    }
    let operand = try Operand(inTable: String(rest.dropFirst(comparison.rawValue.count)))
    self = .compare(FieldPath(String(field)), comparison, operand)
  }
}

extension Operand {
  fileprivate init(inTable word: String) throws {
    switch word.first {
    case ":": self = .value(try JSONReader.read(String(word.dropFirst())))
    case "\"": self = .value(try JSONReader.read(word))
    default: self = .word(word)
    }
  }
}
