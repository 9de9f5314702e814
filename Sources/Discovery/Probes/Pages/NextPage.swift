import BackendKit

struct NextPage {
  enum Form { case address, token, number }

  /// The keys of a description for its place: `header`, `relation` or `member`.
  let location: Object
  let form: Form
  let text: String

  private static let headers = ["Next-Page", "X-Next-Page", "X-Next"]
  static let members: Set<String> = [
    "next", "nextlink", "next_url", "nexturl", "@odata.nextlink", "next_page", "nextpage", "nextpagetoken",
    "next_page_token",
    "next_cursor", "nextcursor", "cursor", "continuation", "endcursor", "end_cursor", "next_token", "nexttoken", "href",
    "continue", "aftercursor", "after_cursor",
  ]

  /// Returns the first reference in a response; nil if there is none.
  static func find(in answer: ProbeResponse, rows path: [String]) -> NextPage? {
    if let address = answer.link("next") {
      return NextPage(location: Object([("relation", "next")]), form: .address, text: address)
    }
    for name in headers + answer.headerNames.filter(isHeader) {
      guard let text = answer.header(name), !text.isEmpty else { continue }
      let form: Form = isAddress(text) ? .address : Int(text) != nil ? .number : .token
      return NextPage(location: Object([("header", .string(name))]), form: form, text: text)
    }
    var found: [NextPage] = []
    for (members, value) in ListShape.siblings(of: path, in: answer.document) {
      guard let last = members.last.map(ListShape.plainName),
        Self.members.contains(last) || Self.isToken(last) && value.text != nil || isInside(members),
        last != "href" || members.dropLast().last?.lowercased() == "next"
      else { continue }
      let location = Object([("member", .string(members.joined(separator: ".")))])
      switch value {
      case .string(let text) where !text.isEmpty:
        let form: Form = isAddress(text) || last == "href" ? .address : .token
        found.append(NextPage(location: location, form: form, text: text))
      case .number(let number):
        found.append(NextPage(location: location, form: .number, text: number.text))
      default: break
      }
    }
    return found.first { $0.form == .address } ?? found.first
  }

  /// Returns whether a member belongs to an object that names the next page: `next: {starting_after: …}`, `cursors:
  /// {after: …}`.
  static func isInside(_ path: [String]) -> Bool {
    let names = path.suffix(2).map(DocumentedResource.plain)
    if names == ["cursors", "after"] { return true }
    return names.count == 2 && ["next", "nextpage"].contains(names[0])
      && (["uri", "url", "path", "page"] + (PageWords.tokens + PageWords.otherTokens).map(DocumentedResource.plain)
        + ["startingafter"]).contains(names[1])
  }

  /// Returns whether a header field has the token of the next page: `X-Nomad-NextToken`.
  static func isHeader(_ name: String) -> Bool {
    let plain = DocumentedResource.plain(name)
    return ["nexttoken", "nextcursor", "nextpagetoken", "nextmarker", "continuationtoken"].contains {
      plain.hasSuffix($0)
    }
  }

  static func isToken(_ name: String) -> Bool {
    name.hasPrefix("next")
      && ["token", "cursor", "page", "marker", "batch", "continu", "key", "link", "url"].contains {
        name.contains(text: $0)
      }
  }

  private static func isAddress(_ text: String) -> Bool {
    text.contains(text: "://") || text.hasPrefix("/") || text.hasPrefix("?")
      || (text.contains("?") && text.contains("="))
  }
}
