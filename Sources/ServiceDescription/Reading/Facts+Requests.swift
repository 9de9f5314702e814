import BackendKit

extension Facts {
  /// Reads how addresses are made, and what goes with each request; returns the version that is asked for.
  func base(_ resource: inout Service.Resource) -> String? {
    resource.headers = pairs("headers", of: "header field", "header fields of every request")
    resource.readingHeaders = pairs("readingHeaders", of: "header field", "header fields of read requests")
    resource.itemHeaders = pairs(
      "itemHeaders", of: "header field", "header fields of requests that read or change one record")
    resource.contentType = text("contentType", "the `Content-Type` of request bodies (default: application/json)")
    resource.addressing.suffix =
      text("suffix", "the end of every path: `/`, or a suffix such as `.json`", .ending) ?? ""
    let version = section(.version, "the API version to request").version()
    resource.addressing.version = version.place
    if let arrays = arrays("how several values are sent in a query (default: comma)") {
      resource.addressing.lists = arrays
    }
    source()
    return version.value
  }

  func version() -> (value: String?, place: Service.VersionPlace?) {
    let value = text("value", "the version, as shown in the prompt")
    let place: String? = word(
      "in",
      [
        ("header", "a header field"), ("accept", "the media type in Accept"), ("parameter", "a parameter"),
        ("path", "the paths, in which it replaces `{version}`"),
      ],
      "where requests carry it; omit if they do not")
    let name = text("name", "the header field, the parameter, or the media type with `{version}` in it")
    guard let place else { return (value, nil) }
    if place == "path" { return (value, .path) }
    guard let name else {
      mistake("name is missing", hint: place == "accept" ? "for example application/json;v={version}" : nil)
      return (value, nil)
    }
    if place == "header", let problem = ReservedName.problem(ofHeader: name) {
      mistake("\(name) cannot be described", at: "name", hint: "\(problem); name another one here")
    }
    return (value, place == "header" ? .header(name) : place == "accept" ? .accept(name) : .parameter(name))
  }

  // MARK: Lists of values

  /// Reads the form in which several values are sent; nil if it is not given.
  func arrays(_ help: String = "how several values are sent (default: as in `base`)") -> Service.ListForm? {
    let words: [(name: String, help: String, form: Service.ListForm)] = [
      ("comma", "`a=1,2`", .separated(",")), ("repeat", "`a=1&a=2`", .repeated),
      ("brackets", "`a[]=1&a[]=2`", .bracketed), ("indexed", "`a[0]=1&a[1]=2`", .indexed),
      ("json", "`a=[\"1\",\"2\"]`", .json),
    ]
    let node = read("arrays", .either(.word(words.map { ($0.name, $0.help) }), .section(.arrays)), help)
    return words.first { $0.name == node?.value.text }?.form ?? below(.arrays, node).listForm()
  }

  func listForm() -> Service.ListForm? {
    let separator = text("separator", "as one value, separated by this text")
    let member = value("member", "as a JSON object in which each is a member with this value")
    if isThere, separator == nil, member == nil { mistake("separator or member is missing") }
    return separator.map { .separated($0) } ?? member.map { .members($0) }
  }

  // MARK: Failures

  /// Reads the form of error responses; nil if it is not given.
  func errors() -> Service.Errors? {
    let messages = members(
      Key.errorsMessage,
      "where the service's error message is; the first text found is used; `*` is each element of a list")
    let code = member(Key.errorsCode, "where the service's own error code is")
    let fields = section(.fieldMessages, at: Key.errorsFields, "where errors of single fields are").fieldMessages()
    let meanings = sections(
      Key.errorsMappings, .errorMapping, "what certain errors mean; the first match is used", formerly: "treatAs"
    ).map { $0.meaning() }
    source()
    return isThere ? Service.Errors(messages: messages ?? [], code: code, fields: fields, meanings: meanings) : nil
  }

  func fieldMessages() -> Service.FieldMessages? {
    let place = member("errorsPath", "where they are", formerly: "at")
    let layout: String? = word(
      "layout", [("list", "a list of objects"), ("object", "an object with a member for each field")],
      "how they are arranged (default: list)", formerly: "as")
    let field = member("field", "the field, in each object of a list: a name, a JSON pointer or a list of names")
    let message = member("message", "the message, in each object (default: message)") ?? ["message"]
    let prefixes = texts("prefixes", "leading names in the path to a field that are not part of the field's name")
    guard isThere else { return nil }
    guard let place else {
      mistake("errorsPath is missing", hint: "$ is the response itself")
      return nil
    }
    let isObject = layout == "object"
    if !isObject, field == nil { mistake("field is missing", hint: "for example field: field") }
    var messages =
      isObject
      ? Service.FieldMessages(place, message: message)
      : Service.FieldMessages(place, field: field ?? [], message: message)
    if let prefixes { messages.prefixes = Set(prefixes) }
    return messages
  }

  func meaning() -> Service.Meaning {
    let statuses = integers("statuses", 200...599, "its statuses (default: any error)")
    let member = member("member", "a member that the response must have")
    let value = value("value", "the value of that member (default: any)")
    var meaning = Service.Meaning(
      statuses: statuses, has: member.map { (path: $0, value: value) },
      says: text("messageContains", "a string that the service's message contains", formerly: "says"),
      code: word(
        "code",
        [
          ("notFound", ""), ("alreadyExists", ""), ("conflict", ""), ("invalid", ""), ("unauthorized", ""),
          ("forbidden", ""), ("rateLimited", ""), ("unavailable", ""), ("unsupported", ""), ("misconfigured", ""),
        ], "what it means (default: what the status means)"),
      isApplied: flag("applied", "whether the change was made anyway"),
      isEmptyList: flag("emptyList", "whether it means that a list has no records"))
    meaning.isAlreadyDone = flag(
      "alreadyDone",
      "whether it means that the requested state already exists: the write then succeeds, with a note")
    meaning.hint = text("hint", "a hint on what to do")
    return meaning
  }

  /// Reads the limits on the rate of requests.
  func limits() -> Service.Limits {
    var limits = Service.Limits()
    limits.statuses = integers(
      "statuses", 400...599,
      "statuses besides 429 that mean that the rate limit was reached, with `remaining` at 0")
    limits.remaining = text("remaining", "the header field with the number of requests left", .header)
    limits.reset = text(
      "reset", "the header field with the time when the limit resets, besides Retry-After", .header)
    limits.resetForm =
      word(
        "resetForm",
        [("seconds", "seconds from now"), ("epoch", "seconds since 1970"), ("date", "a date of HTTP")],
        "the form of that value (default: seconds)") ?? limits.resetForm
    limits.perSecond = integer("perSecond", 1...1_000_000, "the maximum number of requests per second")
    limits.concurrent = integer("concurrent", 1...1_000, "the maximum number of concurrent requests")
    source()
    return limits
  }
}
