extension Section {
  /// How a list is read.
  static let lists: [Section] = [
    Section(
      .listRequest, "How a list is asked for, unless by GET with parameters.",
      [
        Key(
          "method",
          .word([
            ("GET", "GET"),
            ("POST", "POST; only in a trusted configuration, since a write looks the same"),
            ("LIST", "LIST, as Vault has it"),
          ]),
          "the method; GET where it is left out"),
        Key("path", .text(.path), "the path below the resource's"),
        Key(
          "in",
          .word([
            ("query", "in parameters, one each"), ("body", "in a JSON object"),
            ("parameter", "in an object that is the value of one parameter"),
          ]),
          "where conditions, order and page are sent, dots in their names as in `page.limit`; query where it is left out"
        ),
        Key("parameter", .text(), "parameter: its name"),
        Key(
          "encoding", .word([("json", "JSON"), ("rison", "Rison")]),
          "parameter: how the object is written; json where it is left out"),
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
            ("none", "the list comes whole"),
            ("untested", "no way to a second page was found: the response may be only the first page"),
            ("number", "pages have numbers"),
            ("offset", "by how many records come before the page"),
            ("range", "by the first and the last place, from 0"),
            ("cursor", "a response says what the next page is called"),
            ("after", "by a value of the last record that came"),
            ("link", "a response has the address of the next page"),
          ]),
          "how a page is asked for"),
        Key(
          "parameter", .text(),
          "the parameter for the number, the offset, the first place, the cursor or the value; untested: one that the service's document names"
        ),
        Key("first", .integer(0...1), "the number of the first page, or of the first record"),
        Key("header", .text(.header), "range: the header field, for example Range"),
        Key(
          "template", .text(),
          "range in one text: `{first}`, `{last}` and `{size}` are replaced: `items={first}-{last}`", formerly: "text"),
        Key("endParameter", .text(), "range in two parameters: the one for the last place"),
        Key("inclusive", .boolean, "range: whether the second names the last place, and not the one behind it"),
        Key(
          "numberParameter", .text(),
          "another parameter, for a page's number, used where the place is a multiple of the size"),
        Key("field", .text(), "after: the field whose value is sent; the identifier's where it is left out"),
        Key(
          "member", .text(.member),
          "after: a member of the record, around its fields, that is sent as JSON in the place of a field, as `sort` of Elasticsearch; `sort.default` is then a part of every order"
        ),
        Key("maximumOffset", count, "the most records that can be asked to come before a page", formerly: "lastOffset"),
        Key("reach", count, "the most records of a list that numbers and offsets reach: 10000 of Elasticsearch"),
        Key("next", .section(.location), "where a response has the cursor, the address or the number of the next page"),
        Key(
          "relativeTo",
          .word([("request", "to the address of the request"), ("api", "to the backend's address")]),
          "link: what the address is relative to"),
        Key("pageCount", .section(.location), "where a response says how many pages there are", formerly: "pages"),
        Key("repeatsLast", .boolean, "whether a page behind the end repeats the last one; `pageCount` then tells"),
        Key(
          "mayReturnAll", .boolean, "whether the service may send the whole list where a page was asked for",
          formerly: "mayIgnore"),
        Key(
          "stability",
          .word([
            ("shifting", "records may be missed or come twice while others write"),
            ("stable", "each record that stays comes once"),
          ]),
          "how pages behave while others write"),
        source,
      ]),
    Section(
      .longPoll, "How the response to a list is put off until the list has changed. Only `watch` asks for that.",
      [
        Key("parameter", .text(), "the parameter for what a response called the state of the list"),
        Key("index", .section(.location), "where a response has it"),
        Key("waitParameter", .text(), "the parameter for the longest time"),
        Key("template", .text(), "the time in it, `{seconds}` where it is left out: `{seconds}s`"),
        Key(
          "maximum", count,
          "the most seconds to ask for; 20 where it is left out, as a response that takes 30 is missing"),
        source,
      ]),
    Section(
      .size, "How many records a page has.",
      [
        Key("parameter", .text(), "the parameter for it"),
        Key("default", count, "how many are asked for where nobody says"),
        Key("maximum", count, "the most that a page has, whatever is asked for"),
        Key(
          "whenTooLarge",
          .word([
            ("clamp", "it sends as many as the maximum"), ("refuse", "it refuses the request"),
            ("ignore", "its pages are of one size, whatever is asked for"),
            ("send", "there is no maximum: it sends as many as are asked for"),
          ]),
          "what the service does with a larger size; clamp where it is left out", formerly: "over"),
        Key("reportedIn", .section(.location), "where a response says how many its page was to have", formerly: "at"),
        source,
      ]),
    Section(
      .end, "What says that a list is over: any of these.",
      [
        Key(
          "when",
          .list(
            .word([
              ("noNext", "the response names no next page"), ("total", "as many records came as the total says"),
              ("pages", "as many pages came as the response says"),
              ("shortPage", "the page has fewer records than it was to have"), ("emptyPage", "the page has none"),
              ("repeats", "the page has the records of the one before it"),
            ])), "what says it by itself"),
        Key("hasMore", .text(.member), "a member that is false at the end"),
        Key("statuses", .list(.integer(200...499)), "statuses of a page behind the end"),
        source,
      ]),
    Section(
      .total, "Where a response says how many records there are.",
      locationKeys + [
        Key("estimated", .boolean, "whether it is an estimate, which is not reported"),
        Key("parameters", .map(of: "parameter", .text(.mayBeEmpty)), "parameters that ask for it"),
        Key("headers", .map(of: "header field", .text(.mayBeEmpty)), "header fields that ask for it"),
        Key("firstPageOnly", .boolean, "whether only the first page is asked for it"),
        Key("head", .boolean, "whether it is in the response to HEAD, which is sent before the first page"),
        Key(
          "path", .text(.path),
          "a path behind the collection's where it is asked for before the first page, with the conditions of the list"),
        source,
      ]),
  ]

  static let locationKeys: [Key] = [
    Key("header", .text(.header), "in a header field"),
    Key("member", .text(.member), "in the document, or in the JSON of the header field"),
    Key("parameter", .text(), "in a parameter of the address that stands at `in`"),
    Key("relation", .text(), "the address with this relation in the header field Link"),
    Key(
      "entry", .text(.member), "in a list of objects: the member `entry` of the one of `in` whose `where` is `equals`"),
    Key("in", .text(.member), "where the address or the list stands in the document", formerly: "of"),
    Key("where", .text(), "the member that tells the objects of the list apart"),
    Key("equals", .text(), "its value", formerly: "is"),
    Key("contentRange", .boolean, "behind the slash of Content-Range"),
  ]
}
