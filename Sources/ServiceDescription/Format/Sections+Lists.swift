extension Section {
  /// How a list is read.
  static let lists: [Section] = [
    Section(
      .listRequest, "How to request a list, if not by GET with parameters.",
      [
        Key(
          "method",
          .word([
            ("GET", "GET"),
            ("POST", "POST; only in a trusted configuration, since it cannot be distinguished from a write"),
            ("LIST", "LIST, as in Vault"),
          ]),
          "the method (default: GET)"),
        Key("path", .text(.path), "the path, relative to that of the resource"),
        Key(
          "in",
          .word([
            ("query", "in parameters, one each"), ("body", "in a JSON object"),
            ("parameter", "in an object that is the value of one parameter"),
          ]),
          "where conditions, order and page are sent (default: query); dots in their names nest, as in `page.limit`"
        ),
        Key("parameter", .text(), "parameter: its name"),
        Key(
          "encoding", .word([("json", "JSON"), ("rison", "Rison")]),
          "parameter: how the object is encoded (default: json)"),
        Key("members", .map(of: "member", .any), "members that every object has"),
        Key("repeatable", .boolean, "POST: whether it may be sent again if the response is lost"),
        source,
      ]),
    Section(
      .page, "How a list is divided into pages.", decidedBy: "style",
      [
        Key(
          "style",
          .word([
            ("none", "the whole list is in one response"),
            ("untested", "no way to request a second page was found: the response may be only the first page"),
            ("number", "by page number"),
            ("offset", "by the number of records before the page"),
            ("range", "by the first and the last position, from 0"),
            ("cursor", "by a cursor in the response"),
            ("after", "by a value of the last record received"),
            ("link", "by a link to the next page in the response"),
          ]),
          "how to request a page"),
        Key(
          "parameter", .text(),
          "the parameter for the number, offset, first position, cursor or value; with `untested`, one that is only listed in the service's document"
        ),
        Key("first", .integer(0...1), "the number of the first page, or of the first record"),
        Key("header", .text(.header), "range: the header field, for example Range"),
        Key(
          "template", .text(),
          "range in a single string: `{first}`, `{last}` and `{size}` are replaced: `items={first}-{last}`",
          formerly: "text"),
        Key("endParameter", .text(), "range in two parameters: the one for the last position"),
        Key("inclusive", .boolean, "range: whether the second value is the last position, not the one after it"),
        Key(
          "numberParameter", .text(),
          "another parameter for the page number, used if the position is a multiple of the size"),
        Key("field", .text(), "after: the field whose value is sent (default: the identifier)"),
        Key(
          "member", .text(.member),
          "after: a member next to the record's fields that is sent as JSON instead of a field, such as `sort` in Elasticsearch; `sort.default` is then part of every order"
        ),
        Key("maximumOffset", count, "the largest offset that can be requested", formerly: "lastOffset"),
        Key("reach", count, "the maximum number of records reachable by page number or offset: 10000 in Elasticsearch"),
        Key("next", .section(.location), "where a response has the cursor, address or number of the next page"),
        Key(
          "relativeTo",
          .word([("request", "to the address of the request"), ("api", "to the backend's address")]),
          "link: what the address is relative to"),
        Key("pageCount", .section(.location), "where a response gives the number of pages", formerly: "pages"),
        Key(
          "repeatsLast", .boolean, "whether a page past the end repeats the last one; `pageCount` then marks the end"),
        Key(
          "mayReturnAll", .boolean, "whether the service may send the whole list when a page was requested",
          formerly: "mayIgnore"),
        Key(
          "stability",
          .word([
            ("shifting", "records may be missed or repeated while others write"),
            ("stable", "each record that is not deleted appears exactly once"),
          ]),
          "how pages behave while others write"),
        source,
      ]),
    Section(
      .longPoll,
      "Long polling: how the response to a list is delayed until the list changes. Only `watch` requests it.",
      [
        Key("parameter", .text(), "the parameter for the state of the list, from an earlier response"),
        Key("index", .section(.location), "where a response has it"),
        Key("waitParameter", .text(), "the parameter for the maximum wait"),
        Key("template", .text(), "how the wait is written (default: `{seconds}`): `{seconds}s`"),
        Key(
          "maximum", count,
          "the maximum wait to request, in seconds (default: 20); responses time out after 30"),
        source,
      ]),
    Section(
      .size, "The page size.",
      [
        Key("parameter", .text(), "the parameter for it"),
        Key("default", count, "the page size to request by default"),
        Key("maximum", count, "the maximum page size, whatever is requested"),
        Key(
          "whenTooLarge",
          .word([
            ("clamp", "it sends the maximum"), ("refuse", "it refuses the request"),
            ("ignore", "its page size is fixed, whatever is requested"),
            ("send", "there is no maximum: it sends as many as are requested"),
          ]),
          "what the service does with a larger size (default: clamp)", formerly: "over"),
        Key("reportedIn", .section(.location), "where a response gives the page size it used", formerly: "at"),
        source,
      ]),
    Section(
      .end, "How to recognize the end of a list: any of these.",
      [
        Key(
          "when",
          .list(
            .word([
              ("noNext", "the response has no next page"), ("total", "the number of records received equals the total"),
              ("pages", "the number of pages received equals the page count"),
              ("shortPage", "the page has fewer records than its size"), ("emptyPage", "the page has none"),
              ("repeats", "the page has the records of the one before it"),
            ])), "what marks the end"),
        Key("hasMore", .text(.member), "a member that is false on the last page"),
        Key("statuses", .list(.integer(200...499)), "statuses of a page past the end"),
        source,
      ]),
    Section(
      .total, "Where a response gives the total number of records.",
      locationKeys + [
        Key("estimated", .boolean, "whether it is only an estimate; an estimate is not reported"),
        Key("parameters", .map(of: "parameter", .text(.mayBeEmpty)), "parameters that request it"),
        Key("headers", .map(of: "header field", .text(.mayBeEmpty)), "header fields that request it"),
        Key("firstPageOnly", .boolean, "whether it is requested only with the first page"),
        Key("head", .boolean, "whether it is in the response to HEAD, which is sent before the first page"),
        Key(
          "path", .text(.path),
          "a path that returns it, relative to that of the collection; requested before the first page with the conditions of the list"
        ),
        source,
      ]),
  ]

  static let locationKeys: [Key] = [
    Key("header", .text(.header), "in a header field"),
    Key("member", .text(.member), "in the document, or in the JSON of the header field"),
    Key("parameter", .text(), "in a parameter of the address at `in`"),
    Key("relation", .text(), "the address with this relation in the header field Link"),
    Key(
      "entry", .text(.member),
      "in a list of objects at `in`: the member `entry` of the object whose `where` is `equals`"),
    Key("in", .text(.member), "where the address or the list is in the document", formerly: "of"),
    Key("where", .text(), "the member that identifies the object in the list"),
    Key("equals", .text(), "its value", formerly: "is"),
    Key("contentRange", .boolean, "after the slash in Content-Range"),
  ]
}
