extension Section {
  /// Where records are, and how they look.
  static let responses: [Section] = [
    Section(
      .paths, "Where records are, below the backend's address.",
      [
        Key("collection", .text(.path), "where records are read; `{resource}`, also where it is left out, is the name"),
        Key("write", .text(.path), "where records are written, if elsewhere"),
        Key(
          "item", .text(),
          "one record: `below` its collection, `key` as OData has it, `self` as its own address shows it, else a path with `{id}`, also in parameters: `get?id={id}`; null if single records cannot be read"
        ),
        Key(
          "itemFilter", .text(), "instead: the collection with this condition on the identifier, such as `eq.{value}`",
          formerly: "condition"),
        Key(
          "parameters", .map(of: "parameter", .text(.mayBeEmpty)),
          "parameters that go with each list and each record that is shown"),
        source,
      ]),
    Section(
      .records, "Where records stand in a response, and how they look.",
      [
        Key(
          "listPath", .oneOrMore(.text(.member)),
          "where the list stands; `$`, also where it is left out, is the document; `*` is any member", formerly: "at"),
        Key(
          "recordPath", .text(.member), "where the record stands in the response to anything else", formerly: "oneAt"),
        Key(
          "format", .word([("plain", "the fields are its members"), ("jsonapi", "as JSON:API has it")]),
          "how a record is written", formerly: "form"),
        Key("type", .text(), "jsonapi: the type of the records, where it is not the resource's name"),
        Key(
          "layout",
          .word([
            ("list", "a list of records"), ("map", "an object with a member for each, named by its identifier"),
            ("table", "a list of rows, each a list of values"),
          ]),
          "how a list is arranged", formerly: "as"),
        Key("columns", .text(.member), "table: where the names of the columns are"),
        Key(
          "valueField", .text(),
          "the field for an element that is a text, a number or true or false instead of an object: the identifier's own in a list of names"
        ),
        Key("fieldsPath", .text(.member), "the member of each record that holds its fields", formerly: "fieldsAt"),
        Key("siblingFields", .list(.text()), "members next to `fieldsPath` that are fields, too", formerly: "keep"),
        Key("notFields", .list(.text()), "members of a record that are not fields, such as links to others"),
        Key(
          "successFlag", .text(.member), "a member of each response that is true unless it tells of a failure",
          formerly: "okAt"),
        Key("nullIsEmpty", .boolean, "whether a null, or nothing, in the place of the list is an empty one"),
        Key("emptyStatuses", .list(.integer(200...499)), "statuses of a list that has no records and no body"),
        Key(
          "strictTypes", .boolean, "whether the service refuses a value of another type than described",
          formerly: "refusesOtherKinds"),
        source,
      ]),
    Section(
      .values, "How values are written.",
      [
        Key(
          "dates",
          .word([
            ("iso", "ISO 8601"), ("epoch", "seconds since 1970"), ("epochMilliseconds", "milliseconds since 1970"),
            ("rfc1123", "as HTTP has them"),
          ]),
          "dates in records, changes and conditions"),
        Key("quote", .text(), "in conditions: what stands before and behind a text"),
        Key("escape", .text(), "what stands before a quote, or before another of `escaped`, within a text"),
        Key(
          "escaped", .text(),
          "characters within a text that have to be escaped besides the quote; without `quote` and `escape`, a text with one of them or a word such as `null` is not sent"
        ),
        Key("true", .text(), "true"),
        Key("false", .text(), "false"),
        Key("separator", .text(), "what separates values in a list"),
        Key("wildcards", .text(), "characters within a text that stand for anything"),
        source,
      ]),
    Section(
      .notFound, "How the service answers when a record is not there, besides 404 and 410.",
      [
        Key("statuses", .list(.integer(200...599)), "statuses that say so"),
        Key("empty", .boolean, "whether an empty list or object, a null, or nothing does"),
        source,
      ]),
    Section(
      .lists, "In what the records of a list differ from single ones.",
      [
        Key("omit", .list(.text()), "fields that a list leaves out, and objects of which it has only some members"),
        source,
      ]),
    Section(
      .identifier, "What names a record.",
      [
        Key("field", .text(), "the field that holds it; id where it is left out, null where none does"),
        Key("fields", .list(.text()), "several fields, of which it is made"),
        Key("separator", .text(), "what stands between them; a comma where it is left out"),
        Key("member", .text(.member), "a member of a member"),
        Key("link", .text(.member), "an address in the record, of which it is the last part"),
        Key(
          "selfLink", .text(.member), "an address in the record, whose path it is; with `item: self`", formerly: "self"),
        Key(
          "type",
          .word([
            ("text", "any text"), ("integer", "a whole number"), ("none", "the resource is one record without any"),
          ]),
          "what it is; text where it is left out"),
        Key("pattern", .text(.pattern), "a regular expression that is found in each, as JSON Schema has it"),
        Key(
          "likely", .list(.word([("type", ""), ("pattern", "")])),
          "keys that are not proved: they never refuse an identifier"
        ),
        Key("optional", .boolean, "whether the resource may be one record without an identifier"),
        Key(
          "fallbackLink", .text(),
          "a field with an address whose last part is the identifier, where its field is not there", formerly: "address"
        ),
        Key("repeats", .boolean, "whether several records may have one: they are counted before and after a deletion"),
        Key("ignoresCase", .boolean, "whether the service does not tell upper and lower case apart"),
        source,
      ]),
  ]
}
