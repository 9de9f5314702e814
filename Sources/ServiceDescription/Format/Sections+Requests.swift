extension Section {
  /// How requests are made, and what failures say.
  static let requests: [Section] = [
    Section(
      .base, "What all requests have in common.",
      [
        Key("headers", .map(of: "header field", .text(.mayBeEmpty)), "header fields of every request"),
        Key("readingHeaders", .map(of: "header field", .text(.mayBeEmpty)), "header fields of requests that read"),
        Key(
          "itemHeaders", .map(of: "header field", .text(.mayBeEmpty)),
          "header fields of requests for one record, or that change it"),
        Key("contentType", .text(), "the `Content-Type` of bodies; application/json where it is left out"),
        Key("suffix", .text(.ending), "what stands behind every path: `/`, or an ending such as `.json`"),
        Key("version", .section(.version), "the version of the interface that is asked for"),
        Key(
          "arrays", .either(.word(ArrayWords.all), .section(.arrays)),
          "how several values are sent in a query; comma where it is left out"),
        source,
      ]),
    Section(
      .version, "The version of the interface.",
      [
        Key("value", .text(), "the version, as the prompt shows it"),
        Key(
          "in",
          .word([
            ("header", "a header field"), ("accept", "the media type in Accept"), ("parameter", "a parameter"),
            ("path", "the paths, whose parts have `{version}` in its place"),
          ]),
          "where requests name it; left out where they do not"),
        Key("name", .text(), "the header field, the parameter, or the media type with `{version}` in it"),
      ]),
    Section(
      .arrays, "How several values are sent.",
      [
        Key("separator", .text(), "as one value, separated by this text"),
        Key("member", .any, "as a JSON object in which each is a member with this value"),
      ]),
    Section(
      .errors, "What a response that tells of a failure says.",
      [
        Key(
          "message", .oneOrMore(.text(.member)),
          "where the service says what is wrong, the first text counts; `*` is each element of a list"),
        Key("code", .text(.member), "where its own code of the failure is"),
        Key("fields", .section(.fieldMessages), "where it says what is wrong with single fields"),
        Key(
          "errorMappings", .list(.section(.errorMapping)), "what some failures mean; the first that fits counts",
          formerly: "treatAs"),
        source,
      ]),
    Section(
      .fieldMessages, "Where a failure tells what is wrong with single fields.",
      [
        Key("errorsPath", .text(.member), "where they stand", formerly: "at"),
        Key(
          "layout",
          .word([("list", "a list of objects"), ("object", "an object with a member for each field")]),
          "how they are arranged; list where it is left out", formerly: "as"),
        Key("field", .text(.member), "the field, in each object of a list: a name, a JSON pointer or a list of names"),
        Key("message", .text(.member), "the message, in each object; message where it is left out"),
        Key("prefixes", .list(.text()), "names that a path to a field begins with and that are not part of it"),
      ]),
    Section(
      .errorMapping, "What a failure means that its status alone does not tell.",
      [
        Key("statuses", .list(.integer(200...599)), "its statuses; left out for any failure"),
        Key("member", .text(.member), "a member that its response has to have"),
        Key("value", .any, "the value of that member; left out for any"),
        Key("messageContains", .text(), "a text that the service's words contain", formerly: "says"),
        Key("code", .word(ErrorWords.codes), "what it means; what the status says where it is left out"),
        Key("applied", .boolean, "whether the change was made all the same"),
        Key("emptyList", .boolean, "whether it means that a list has no records"),
        Key(
          "alreadyDone", .boolean,
          "whether it means that what a write asks for is so already: it then succeeds, with a note"),
        Key("hint", .text(), "what to do about it"),
      ]),
    Section(
      .limits, "How often and how fast the service may be asked.",
      [
        Key(
          "statuses", .list(.integer(400...599)),
          "statuses besides 429 that say it was too often, with `remaining` at 0"),
        Key("remaining", .text(.header), "the header field that tells how many requests are left"),
        Key("reset", .text(.header), "the header field that tells when there are more, besides Retry-After"),
        Key(
          "resetForm",
          .word([("seconds", "seconds from now"), ("epoch", "seconds since 1970"), ("date", "a date of HTTP")]),
          "what that counts; seconds where it is left out"),
        Key("perSecond", .integer(1...1_000_000), "the most requests a second"),
        Key("concurrent", .integer(1...1_000), "the most requests at the same time"),
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
