extension Section {
  /// How requests are made, and what failures say.
  static let requests: [Section] = [
    Section(
      .base, "What all requests have in common.",
      [
        Key("headers", .map(of: "header field", .text(.mayBeEmpty)), "header fields of every request"),
        Key("readingHeaders", .map(of: "header field", .text(.mayBeEmpty)), "header fields of read requests"),
        Key(
          "itemHeaders", .map(of: "header field", .text(.mayBeEmpty)),
          "header fields of requests that read or change one record"),
        Key("contentType", .text(), "the `Content-Type` of request bodies (default: application/json)"),
        Key("suffix", .text(.ending), "the end of every path: `/`, or a suffix such as `.json`"),
        Key("version", .section(.version), "the API version to request"),
        Key(
          "arrays", .either(.word(ArrayWords.all), .section(.arrays)),
          "how several values are sent in a query (default: comma)"),
        source,
      ]),
    Section(
      .version, "The API version.",
      [
        Key("value", .text(), "the version, as shown in the prompt"),
        Key(
          "in",
          .word([
            ("header", "a header field"), ("accept", "the media type in Accept"), ("parameter", "a parameter"),
            ("path", "the paths, in which it replaces `{version}`"),
          ]),
          "where requests carry it; omit if they do not"),
        Key("name", .text(), "the header field, the parameter, or the media type with `{version}` in it"),
      ]),
    Section(
      .arrays, "How several values are sent.",
      [
        Key("separator", .text(), "as one value, separated by this text"),
        Key("member", .any, "as a JSON object in which each is a member with this value"),
      ]),
    Section(
      .errors, "How to read an error response.",
      [
        Key(
          "message", .oneOrMore(.text(.member)),
          "where the service's error message is; the first text found is used; `*` is each element of a list"),
        Key("code", .text(.member), "where the service's own error code is"),
        Key("fields", .section(.fieldMessages), "where errors of single fields are"),
        Key(
          "errorMappings", .list(.section(.errorMapping)), "what certain errors mean; the first match is used",
          formerly: "treatAs"),
        source,
      ]),
    Section(
      .fieldMessages, "Where an error response reports errors of single fields.",
      [
        Key("errorsPath", .text(.member), "where they are", formerly: "at"),
        Key(
          "layout",
          .word([("list", "a list of objects"), ("object", "an object with a member for each field")]),
          "how they are arranged (default: list)", formerly: "as"),
        Key("field", .text(.member), "the field, in each object of a list: a name, a JSON pointer or a list of names"),
        Key("message", .text(.member), "the message, in each object (default: message)"),
        Key("prefixes", .list(.text()), "leading names in the path to a field that are not part of the field's name"),
      ]),
    Section(
      .errorMapping, "What an error means if its status alone does not show it.",
      [
        Key("statuses", .list(.integer(200...599)), "its statuses (default: any error)"),
        Key("member", .text(.member), "a member that the response must have"),
        Key("value", .any, "the value of that member (default: any)"),
        Key("messageContains", .text(), "a string that the service's message contains", formerly: "says"),
        Key("code", .word(ErrorWords.codes), "what it means (default: what the status means)"),
        Key("applied", .boolean, "whether the change was made anyway"),
        Key("emptyList", .boolean, "whether it means that a list has no records"),
        Key(
          "alreadyDone", .boolean,
          "whether it means that the requested state already exists: the write then succeeds, with a note"),
        Key("hint", .text(), "a hint on what to do"),
      ]),
    Section(
      .limits, "The rate limits of the service.",
      [
        Key(
          "statuses", .list(.integer(400...599)),
          "statuses besides 429 that mean that the rate limit was reached, with `remaining` at 0"),
        Key("remaining", .text(.header), "the header field with the number of requests left"),
        Key("reset", .text(.header), "the header field with the time when the limit resets, besides Retry-After"),
        Key(
          "resetForm",
          .word([("seconds", "seconds from now"), ("epoch", "seconds since 1970"), ("date", "a date of HTTP")]),
          "the form of that value (default: seconds)"),
        Key("perSecond", .integer(1...1_000_000), "the maximum number of requests per second"),
        Key("concurrent", .integer(1...1_000), "the maximum number of concurrent requests"),
        source,
      ]),
  ]
}

/// Words for what a failure means.
enum ErrorWords {
  static let codes: [(name: String, help: String)] = [
    ("notFound", ""), ("alreadyExists", ""), ("conflict", ""), ("invalid", ""), ("unauthorized", ""), ("forbidden", ""),
    ("rateLimited", ""), ("unavailable", ""), ("unsupported", ""), ("misconfigured", ""),
  ]
}
