extension Section {
  /// How a list is read.
  static let lists: [Section] = [
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
          "text", .text(), "range in one text: `{first}`, `{last}` and `{size}` are replaced: `items={first}-{last}`"),
        Key("endParameter", .text(), "range in two parameters: the one for the last place"),
        Key("inclusive", .boolean, "range: whether the second names the last place, and not the one behind it"),
        Key(
          "numberParameter", .text(),
          "another parameter, for a page's number, used where the place is a multiple of the size"),
        Key("field", .text(), "after: the field whose value is sent; the identifier's where it is left out"),
        Key("lastOffset", count, "the most records that can be asked to come before a page"),
        Key("next", .section(.location), "where a response has the cursor, the address or the number of the next page"),
        Key(
          "relativeTo",
          .word([("request", "to the address of the request"), ("api", "to the backend's address")]),
          "link: what the address is relative to"),
        Key("pages", .section(.location), "where a response says how many pages there are"),
        Key("repeatsLast", .boolean, "whether a page behind the end repeats the last one; `pages` then tells"),
        Key("mayIgnore", .boolean, "whether the service may send the whole list where a page was asked for"),
        Key(
          "stability",
          .word([
            ("shifting", "records may be missed or come twice while others write"),
            ("stable", "each record that stays comes once"),
          ]),
          "how pages behave while others write"),
        because,
      ]),
    Section(
      .size, "How many records a page has.",
      [
        Key("parameter", .text(), "the parameter for it"),
        Key("default", count, "how many are asked for where nobody says"),
        Key("maximum", count, "the most that a page has, whatever is asked for"),
        Key(
          "over",
          .word([
            ("clamp", "it sends as many as the maximum"), ("refuse", "it refuses the request"),
            ("ignore", "its pages are of one size, whatever is asked for"),
            ("send", "there is no maximum: it sends as many as are asked for"),
          ]),
          "what the service does with a larger size; clamp where it is left out"),
        Key("at", .section(.location), "where a response says how many its page was to have"),
        because,
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
        because,
      ]),
    Section(
      .total, "Where a response says how many records there are.",
      locationKeys + [
        Key("estimated", .boolean, "whether it is an estimate, which is not reported"),
        Key("parameters", .map(of: "parameter", .text(.mayBeEmpty)), "parameters that ask for it"),
        Key("headers", .map(of: "header field", .text(.mayBeEmpty)), "header fields that ask for it"),
        Key("firstPageOnly", .boolean, "whether only the first page is asked for it"),
        Key("head", .boolean, "whether it is in the response to HEAD, which is sent before the first page"),
        because,
      ]),
  ]

  static let locationKeys: [Key] = [
    Key("header", .text(.header), "in a header field"),
    Key("member", .text(.member), "in the document, or in the JSON of the header field"),
    Key("parameter", .text(), "in a parameter of the address that stands at `of`"),
    Key("relation", .text(), "the address with this relation in the header field Link"),
    Key("entry", .text(.member), "in a list of objects: the member `entry` of the one of `of` whose `where` is `is`"),
    Key("of", .text(.member), "where the address or the list stands in the document"),
    Key("where", .text(), "the member that tells the objects of the list apart"),
    Key("is", .text(), "its value"),
    Key("contentRange", .boolean, "behind the slash of Content-Range"),
  ]
}
