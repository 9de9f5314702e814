extension Section {
  /// The keys that a description has for all resources, and each resource for itself.
  static let sharedKeys: [Key] = [
    Key("paths", .section(.paths), "where records are"),
    Key("records", .section(.records), "where records stand in a response, and how they look"),
    Key("identifier", .section(.identifier), "what names a record"),
    Key("page", .section(.page), "how a list is divided into pages"),
    Key("size", .section(.size), "how many records a page has"),
    Key("total", .section(.total), "where a response says how many records there are"),
    Key("filter", .section(.filter), "which conditions the service checks"),
    Key("sort", .section(.sort), "which orders the service makes"),
    Key("projection", .section(.projection), "how the service is asked for some fields only"),
    Key("search", .boolean, "whether the service has a search, for which the hook `compile` asks"),
    Key("expand", .section(.expand), "how a list is asked to show other records within its own"),
    Key("create", .section(.create), "how a record is made; null where that is not possible"),
    Key("update", .section(.update), "how a record is changed; null where that is not possible"),
    Key("delete", .section(.delete), "how a record is deleted; null where that is not possible"),
    Key("revision", .section(.revision), "what tells two versions of a record apart"),
    Key("effects", .section(.effects), "what becomes of a write"),
    Key("actions", .map(of: "action", .section(.action)), "what else can be done"),
    Key("lists", .section(.lists), "in what the records of a list differ from single ones"),
  ]

  /// What is said of all resources, or of one.
  static let facts: [Section] = [
    Section(
      .paths, "Where records are, below the backend's address.",
      [
        Key("collection", .text(.path), "where records are read; `{resource}`, also where it is left out, is the name"),
        Key("write", .text(.path), "where records are written, if elsewhere"),
        Key(
          "parameters", .map(of: "parameter", .text(.mayBeEmpty)),
          "parameters that go with each list and each record that is shown"),
        because,
      ]),
    Section(
      .records, "Where records stand in a response, and how they look.",
      [
        Key("at", .oneOrMore(.text(.member)), "where the list stands; `$`, also where it is left out, is the document"),
        Key("oneAt", .text(.member), "where the record stands in the response to anything else"),
        Key(
          "form", .word([("plain", "the fields are its members"), ("jsonapi", "as JSON:API has it")]),
          "how a record is written"),
        Key("emptyStatuses", .list(.integer(200...499)), "statuses of a list that has no records and no body"),
        Key("refusesOtherKinds", .boolean, "whether the service refuses a value of another type than described"),
        because,
      ]),
    Section(
      .lists, "In what the records of a list differ from single ones.",
      [Key("omit", .list(.text()), "fields that a list leaves out"), because]),
    Section(
      .identifier, "What names a record.",
      [
        Key("field", .text(), "the field that holds it; id where it is left out, null where none does"),
        Key(
          "type",
          .word([
            ("text", "any text"), ("integer", "a whole number"), ("none", "the resource is one record without any"),
          ]),
          "what it is; text where it is left out"),
        Key("optional", .boolean, "whether the resource may be one record without an identifier"),
        Key("address", .text(), "a field with an address whose last part is the identifier"),
        Key("ignoresCase", .boolean, "whether the service does not tell upper and lower case apart"),
        because,
      ]),
    Section(
      .page, "How a list is divided into pages.", decidedBy: "style",
      [
        Key(
          "style",
          .word([
            ("none", "the list comes whole"), ("number", "pages have numbers"),
            ("offset", "a page is asked for by how many records come before it"),
            ("range", "a page is asked for by its first place and the one behind its last, from 0"),
            ("cursor", "a response says how the next page is asked for"),
          ]),
          "how a page is asked for"),
        Key("parameter", .text(), "the parameter for the number, the offset, the first place or the cursor"),
        Key("first", .integer(0...1), "the number of the first page; 1 where it is left out"),
        Key("endParameter", .text(), "range: the parameter for the place behind the last"),
        Key(
          "numberParameter", .text(),
          "range: the parameter for a number, used where the place is a multiple of the size"),
        Key("lastOffset", count, "the most records that can be asked to come before a page"),
        Key("next", .section(.location), "where a response names the next page"),
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
        Key("at", .section(.location), "where a response says how many its page was to have"),
        because,
      ]),
    Section(
      .total, "Where a response says how many records there are.", locationKeys + [because]),
    Section(
      .filter, "Which conditions the service checks.",
      [
        Key("fields", .list(.text()), "the fields whose equality it checks"),
        Key("equal", .text(), "the parameter of an equality; `{field}` stands for the name"),
        Key("separator", .text(), "what separates several values, of which one must be equal; left out for one only"),
        Key(
          "is",
          .word([("exact", "just what the console would find"), ("superset", "more, which is looked at again")]),
          "how well it checks; superset where it is left out"),
        because,
      ]),
    Section(
      .sort, "Which orders the service makes.",
      [
        Key("parameter", .text(), "the parameter for the fields"),
        Key(
          "direction",
          .word([
            ("minus", "a minus sign before the name"), ("parameter", "`asc` or `desc` in another parameter"),
            ("suffix", "a text behind the name"),
          ]),
          "how the direction is said; minus where it is left out"),
        Key("directionParameter", .text(), "the other parameter"),
        Key("ascending", .text(.mayBeEmpty), "the text behind the name"),
        Key("descending", .text(.mayBeEmpty), "the text behind the name"),
        Key("exact", .list(.text()), "fields whose order is the console's"),
        Key("fields", .list(.text()), "fields that it sorts by rules of its own; left out for any"),
        Key("multiple", .boolean, "whether it takes several fields, with commas between them"),
        Key("default", .text(), "the order asked for where nobody says, so that pages do not overlap: `id`, `-id`"),
        because,
      ]),
    Section(
      .projection, "How the service is asked for some fields only.",
      [
        Key("parameter", .text(), "the parameter for the names, with commas between them"),
        Key("always", .list(.text()), "fields that are always asked for"),
        Key("forRecords", .boolean, "whether single records can be asked for so, too"),
        because,
      ]),
    Section(
      .expand, "How a list is asked to show other records within its own.",
      [
        Key("parameter", .text(), "the parameter for the names, with commas between them"),
        Key("names", .list(.text()), "the names it takes, where they are known"),
        because,
      ]),
    Section(
      .create, "How a record is made: POST at the collection.",
      [
        Key(
          "returns", .word([("record", "the record"), ("maybe", "the record, or nothing")]),
          "what the response has; record where it is left out"),
        Key("location", .boolean, "whether the Location header leads to the record"),
        Key(
          "identifier", .word([("server", "the service chooses it"), ("client", "whoever makes the record may")]),
          "who chooses the identifier"),
        Key("looksFirst", .boolean, "whether a chosen identifier is looked for first"),
        because,
      ]),
    Section(
      .update, "How a record is changed.",
      [
        Key("method", .text(), "the method that sends what changes; null where the whole record is always replaced"),
        Key(
          "clear",
          .word([("null", "by a null"), ("replace", "by sending the rest of the record"), ("impossible", "not at all")]
          ),
          "how a field is cleared"),
        Key("replaceMethod", .text(), "the method that replaces a record; PUT where it is left out"),
        Key("keepsNull", .boolean, "whether a null is kept as one; it clears the field otherwise"),
        Key("drop", .list(.text()), "members of a record that are not sent with a replacement"),
        Key(
          "returns", .word([("record", "the record"), ("maybe", "the record, or nothing")]), "what the response has"),
        Key("asStored", .boolean, "whether the response shows the record as it is stored"),
        Key("mergesObjects", .boolean, "whether members of an object that are not sent stay"),
        Key("repeatable", .boolean, "whether doing it twice leaves what doing it once leaves"),
        because,
      ]),
    Section(
      .delete, "How a record is deleted: DELETE of its path.",
      [
        Key("readsFirst", .boolean, "whether it is read first, as the service also accepts what is not there"),
        Key("all", .boolean, "whether DELETE of the collection deletes every record"),
        because,
      ]),
    Section(
      .revision, "What tells two versions of a record apart.",
      [
        Key("from", .word([("etag", "the ETag"), ("field", "a field of the record")]), "where it is read"),
        Key("field", .text(), "the field"),
        Key("weak", .boolean, "whether a weak ETag tells versions apart"),
        Key("header", .text(.header), "the header by which a write insists on it; If-Match where it is left out"),
        Key("deletes", .boolean, "whether a deletion can insist on it, too"),
        Key("required", .boolean, "whether the service refuses a write without it"),
        because,
      ]),
    Section(
      .effects, "What becomes of a write.",
      [
        Key(
          "kept",
          .word([
            ("yes", "a later read shows it"), ("no", "it is answered as if it were"),
            ("unknown", "the first write is read back"),
          ]),
          "whether the service keeps what is written"),
        because,
      ]),
  ]

  static let locationKeys: [Key] = [
    Key("header", .text(.header), "in a header field"),
    Key("member", .text(.member), "in the document"),
    Key("parameter", .text(), "in a parameter of the address that stands at `of`"),
    Key("of", .text(.member), "where the address stands in the document"),
  ]
}
