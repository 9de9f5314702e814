extension Service {
  /// How a list is divided into pages. Without any parameter it comes whole.
  ///
  /// Where a service has several ways, the number of a page is asked for if the place is a multiple of the size.
  public struct Paging: Sendable {
    /// The parameter for how many records a page has.
    public var size: String?
    /// How many records are asked for where nobody says; nil asks for the rest of the list.
    public var defaultSize: Int?
    /// The most that a page has, whatever is asked for.
    public var cap: Int?
    /// The parameter for the number of the page, and the number of the first.
    public var number: (parameter: String, first: Int)?
    /// The parameter for how many records come before the page.
    public var offset: String?
    /// The most that can be asked to come before.
    public var lastOffset = Int.max
    /// The parameters for the first place and the one behind the last, counted from 0.
    public var stretch: (start: String, end: String)?
    /// The parameter for a cursor of the service's own.
    public var cursor: String?
    /// Where a response names the next page: its cursor, an address with it, or its number.
    public var next: Locator?
    /// Where a response tells how many records there are.
    public var total: Locator?
    /// Where a response tells how many pages there are.
    public var pages: Locator?
    /// Where a response tells how many records its page was to have.
    public var echoedSize: Locator?
    /// Whether a page behind the end repeats the last one; `pages` then tells.
    public var repeatsLast = false
    /// Whether a server may send the whole list where a page was asked for, which is then taken.
    public var mayIgnore = false

    /// The whole list at once.
    public init() {}

    /// What the client is told of it.
    var kind: Capabilities.Paging {
      if cursor != nil { return .cursor }
      if offset != nil || stretch != nil { return .offset }
      return number == nil ? .none : .pageNumber
    }

    /// Whether the list comes whole.
    var isWhole: Bool { kind == .none }

    /// Whether a page can begin at any record.
    var beginsAnywhere: Bool { offset != nil || stretch != nil }
  }

  /// Where a value stands in a response.
  public enum Locator: Sendable {
    /// In a header field.
    case header(String)
    /// In the document around the records.
    case member([String])
    /// A parameter of the address in the document.
    case parameter(String, of: [String])

    /// The text or number there; nil where there is none.
    func text(in document: Value?, _ answer: HTTPResponse) -> String? {
      switch self {
      case .header(let name): return answer.header(name)
      case .member(let path):
        switch document.flatMap({ $0.at(path) }) {
        case .string(let text)?: return text
        case .number(let number)?: return number.text
        default: return nil
        }
      case .parameter(let name, let path):
        guard let address = document?.at(path)?.text, let query = address.split(separator: "?", maxSplits: 1).last
        else {
          return nil
        }
        for part in query.prefix(while: { $0 != "#" }).split(separator: "&") {
          let pair = part.split(separator: "=", maxSplits: 1)
          if pair.count == 2, PercentEncoding.decode(pair[0]) == name { return PercentEncoding.decode(pair[1]) }
        }
        return nil
      }
    }

    /// The whole number there, of at least 0; nil for one with which nothing can be counted.
    func count(in document: Value?, _ answer: HTTPResponse) -> Int? {
      text(in: document, answer).flatMap { Int($0) }.flatMap { (0...Window.most).contains($0) ? $0 : nil }
    }
  }
}

extension Value {
  /// The value at the end of a path of members; nil where there is none.
  func at(_ path: [String]) -> Value? {
    var value = self
    for name in path {
      guard let next = value.object?[name] else { return nil }
      value = next
    }
    return value
  }
}
