extension Section {
  /// Where records are, and how they look.
  static let responses: [Section] = [
    Section(
      .paths, "Where records are, below the backend's address.",
      [
        Key(
          "collection", .text(.path), "the path for reading records; `{resource}`, the default, is the resource's name"),
        Key("write", .text(.path), "where records are written, if elsewhere"),
        Key(
          "item", .text(),
          "one record: `below` its collection, `key` as in OData, `self` for the address in the record, or a path with `{id}`, also in parameters: `get?id={id}`; null if single records cannot be read"
        ),
        Key(
          "itemFilter", .text(),
          "alternatively, the collection with this condition on the identifier, such as `eq.{value}`",
          formerly: "condition"),
        Key(
          "parameters", .map(of: "parameter", .text(.mayBeEmpty)),
          "parameters to send with every read of a list or record"),
        source,
      ]),
    Section(
      .records, "Where the records are in a response, and what they look like.",
      [
        Key(
          "listPath", .oneOrMore(.text(.member)),
          "where the list is; `$`, the default, is the document; `*` is any member", formerly: "at"),
        Key(
          "recordPath", .text(.member), "where the record is in any other response", formerly: "oneAt"),
        Key(
          "format", .word([("plain", "the fields are members of the record"), ("jsonapi", "as in JSON:API")]),
          "how a record is written", formerly: "form"),
        Key("type", .text(), "jsonapi: the type of the records, if it is not the resource's name"),
        Key(
          "layout",
          .word([
            ("list", "a list of records"), ("map", "an object with one member per record, named by its identifier"),
            ("table", "a list of rows, each a list of values"),
          ]),
          "how a list is arranged", formerly: "as"),
        Key("columns", .text(.member), "table: where the column names are"),
        Key(
          "valueField", .text(),
          "the field for the value of an element that is text, a number or a boolean instead of an object; in a list of names, the identifier"
        ),
        Key("fieldsPath", .text(.member), "the member of each record that contains its fields", formerly: "fieldsAt"),
        Key("siblingFields", .list(.text()), "members next to `fieldsPath` that are fields, too", formerly: "keep"),
        Key("notFields", .list(.text()), "members of a record that are not fields, such as links to others"),
        Key(
          "successFlag", .text(.member), "a member of each response that is true unless there was an error",
          formerly: "okAt"),
        Key("nullIsEmpty", .boolean, "whether null or a missing member in place of the list means an empty list"),
        Key("emptyStatuses", .list(.integer(200...499)), "statuses of a list without records and without a body"),
        Key(
          "strictTypes", .boolean, "whether the service refuses a value whose type differs from the description",
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
            ("rfc1123", "as in HTTP"),
          ]),
          "dates in records, changes and conditions"),
        Key("quote", .text(), "in conditions: the quote character around text"),
        Key("escape", .text(), "the escape before a quote, or before another character of `escaped`, within text"),
        Key(
          "escaped", .text(),
          "characters besides the quote that must be escaped within text; without `quote` and `escape`, text that contains one of them or is a word such as `null` is not sent"
        ),
        Key("true", .text(), "true"),
        Key("false", .text(), "false"),
        Key("separator", .text(), "the separator between values in a list"),
        Key("wildcards", .text(), "wildcard characters within text"),
        source,
      ]),
    Section(
      .notFound, "How the service responds if a record does not exist, besides 404 and 410.",
      [
        Key("statuses", .list(.integer(200...599)), "statuses that mean this"),
        Key("empty", .boolean, "whether an empty list or object, null or no body means this"),
        source,
      ]),
    Section(
      .lists, "How the records of a list differ from single ones.",
      [
        Key("omit", .list(.text()), "fields that a list leaves out, and objects that it has only in part"),
        source,
      ]),
    Section(
      .identifier, "What identifies a record.",
      [
        Key("field", .text(), "the field that has it (default: id); null if there is none"),
        Key("fields", .list(.text()), "several fields that make it up"),
        Key("separator", .text(), "the separator between them (default: a comma)"),
        Key("member", .text(.member), "a member of a member"),
        Key("link", .text(.member), "an address in the record; its last part is the identifier"),
        Key(
          "selfLink", .text(.member), "an address in the record; its path is the identifier (with `item: self`)",
          formerly: "self"),
        Key(
          "type",
          .word([
            ("text", "any text"), ("integer", "a whole number"),
            ("none", "the resource is a single record without an identifier"),
          ]),
          "its type (default: text)"),
        Key("pattern", .text(.pattern), "a regular expression that must match somewhere in each, as in JSON Schema"),
        Key(
          "likely", .list(.word([("type", ""), ("pattern", "")])),
          "keys that have not been verified: they never cause an identifier to be refused"
        ),
        Key("optional", .boolean, "whether the resource may be one record without an identifier"),
        Key(
          "fallbackLink", .text(),
          "a field with an address whose last part is the identifier, used if the identifier's field is missing",
          formerly: "address"
        ),
        Key("repeats", .boolean, "whether several records may share one: they are counted before and after a delete"),
        Key("ignoresCase", .boolean, "whether the service ignores case"),
        source,
      ]),
  ]
}
