import BackendKit

struct RequestFacts: Facts {
  let from: SectionNode

  /// Reads how addresses are built, and what each request contains; returns the requested version.
  func base(_ resource: inout Service.Resource) -> String? {
    resource.headers = pairs("headers", of: "header field", "header fields of every request")
    resource.readingHeaders = pairs("readingHeaders", of: "header field", "header fields of read requests")
    resource.itemHeaders = pairs(
      "itemHeaders", of: "header field", "header fields of requests that read or change one record")
    resource.contentType = text("contentType", "the `Content-Type` of request bodies (default: application/json)")
    resource.addressing.suffix =
      text("suffix", "the end of every path: `/`, or a suffix such as `.json`", .ending) ?? ""
    let version = RequestFacts(section(.version, "the API version to request")).version()
    resource.addressing.version = version.place
    set(&resource.addressing.lists, arrays("how several values are sent in a query (default: comma)"))
    return version.value
  }

  func version() -> (value: String?, place: Service.VersionPlace?) {
    let value = text("value", "the version, as shown in the prompt")
    let places: [Word] = [
      ("header", "a header field"), ("accept", "the media type in Accept"), ("parameter", "a parameter"),
      ("path", "the paths, in which it replaces `{version}`"),
    ]
    let place: String? = word("in", places, "where requests carry it; omit if they do not")
    let name = text("name", "the header field, the parameter, or the media type with `{version}` in it")
    guard let place else { return (value, nil) }
    if place == "path" { return (value, .path) }
    guard let name else {
      missing("name", place == "accept" ? "for example application/json;v={version}" : nil)
      return (value, nil)
    }
    if place == "header", let problem = ReservedName.problem(ofHeader: name) {
      mistake("\(name) cannot be described", at: "name", hint: "\(problem); name another one here")
    }
    return (value, place == "header" ? .header(name) : place == "accept" ? .accept(name) : .parameter(name))
  }

  func listForm() -> Service.ListForm? {
    let separator = text("separator", "as one value, separated by this text")
    let member = value("member", "as a JSON object in which each is a member with this value")
    if isThere, separator == nil, member == nil { missing("separator or member") }
    return separator.map { .separated($0) } ?? member.map { .members($0) }
  }
}

extension Facts {
  /// Reads how several values are sent; nil if that is not described.
  func arrays(_ help: String = "how several values are sent (default: as in `base`)") -> Service.ListForm? {
    let words: Choices<Service.ListForm> = [
      ("comma", "`a=1,2`", .separated(",")), ("repeat", "`a=1&a=2`", .repeated),
      ("brackets", "`a[]=1&a[]=2`", .bracketed), ("indexed", "`a[0]=1&a[1]=2`", .indexed),
      ("json", "`a=[\"1\",\"2\"]`", .json),
    ]
    let node = read("arrays", .either(.word(words.map { ($0.name, $0.help) }), .section(.arrays)), help)
    return words.first { $0.name == node?.value.text }?.value ?? RequestFacts(below(node)).listForm()
  }
}
