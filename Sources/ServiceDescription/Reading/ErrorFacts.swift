import BackendKit

struct ErrorFacts: Facts {
  let from: SectionNode

  func errors() -> Service.Errors? {
    let messages = members(
      Key.errorsMessage,
      "where the service's error message is; the first text found is used; `*` is each element of a list")
    let code = member(Key.errorsCode, "where the service's own error code is")
    let fields = ErrorFacts(
      section(.fieldMessages, at: Key.errorsFields, "where errors of single fields are")
    ).fieldMessages()
    let meanings = sections(
      Key.errorsMappings, .errorMapping, "what certain errors mean; the first match is used", formerly: "treatAs"
    ).map { ErrorFacts($0).meaning() }
    return isThere ? Service.Errors(messages: messages ?? [], code: code, fields: fields, meanings: meanings) : nil
  }

  func fieldMessages() -> FieldMessages? {
    let place = member("errorsPath", "where they are", formerly: "at")
    let layout: String? = word(
      "layout", [("list", "a list of objects"), ("object", "an object with a member for each field")],
      "how they are arranged (default: list)", formerly: "as")
    let field = member("field", "the field, in each object of a list: a name, a JSON pointer or a list of names")
    let message = member("message", "the message, in each object (default: message)") ?? ["message"]
    let prefixes = texts("prefixes", "leading names in the path to a field that are not part of the field's name")
    guard isThere else { return nil }
    guard let place else {
      missing("errorsPath", "$ is the response itself")
      return nil
    }
    var messages = FieldMessages(place, message: message)
    if layout != "object" {
      if field == nil { missing("field", "for example field: field") }
      messages = FieldMessages(place, field: field ?? [], message: message)
    }
    set(&messages.prefixes, prefixes.map { Set($0) })
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
        plain(
          "notFound", "alreadyExists", "conflict", "invalid", "unauthorized", "forbidden", "rateLimited", "unavailable",
          "unsupported", "misconfigured"), "what it means (default: what the status means)"),
      isApplied: flag("applied", "whether the change was made anyway"),
      isEmptyList: flag("emptyList", "whether it means that a list has no records"))
    meaning.isAlreadyDone = flag(
      "alreadyDone",
      "whether it means that the requested state already exists: the write then succeeds, with a note")
    meaning.hint = text("hint", "a hint on what to do")
    return meaning
  }

  func limits() -> Service.Limits {
    var limits = Service.Limits()
    limits.statuses = integers(
      "statuses", 400...599,
      "statuses besides 429 that mean that the rate limit was reached, with `remaining` at 0")
    limits.remaining = text("remaining", "the header field with the number of requests left", .header)
    limits.reset = text(
      "reset", "the header field with the time when the limit resets, besides Retry-After", .header)
    let forms: [Word] = [
      ("seconds", "seconds from now"), ("epoch", "seconds since 1970"), ("date", "a date of HTTP"),
    ]
    set(&limits.resetForm, word("resetForm", forms, "the form of that value (default: seconds)"))
    limits.perSecond = integer("perSecond", 1...1_000_000, "the maximum number of requests per second")
    limits.concurrent = integer("concurrent", 1...1_000, "the maximum number of concurrent requests")
    return limits
  }
}
