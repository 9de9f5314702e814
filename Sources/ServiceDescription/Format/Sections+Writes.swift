extension Section {
  private static let extras: [Key] = [
    Key("path", .text(.path), "parts behind the path of the record or the collection"),
    Key("parameters", .map(of: "parameter", .text(.mayBeEmpty)), "parameters that are sent, too"),
    Key("headers", .map(of: "header field", .text(.mayBeEmpty)), "header fields that are sent, too"),
  ]
  private static let bodies: [Key] = [
    Key("body", .word([("json", "as JSON"), ("form", "as a form")]), "how the fields are written"),
    Key("wrap", .text(.member), "the member of the document that holds the fields"),
    Key(
      "extraMembers", .map(of: "member", .any),
      "members of the body besides the fields: constants, or the identifier, written as `{id}`"),
  ]
  /// Ways to clear a field.
  static let clearingWords: [(name: String, help: String)] = [
    ("null", "by a null"), ("replace", "by sending the rest of the record"),
    ("replaceWithNull", "by sending the whole record with a null"),
    ("remove", "by an operation `remove` of a JSON Patch"), ("emptyText", "by an empty text"),
    ("default", "by the field's `serverDefault`"),
    ("untested", "not known: a null is sent and the record is read back"), ("impossible", "not at all"),
  ]

  /// How records are written.
  static let writes: [Section] = [
    Section(
      .create, "How a record is made: POST at the collection.",
      [
        Key(
          "method", .word(MethodWords.writing),
          "the method; with PUT at the path of its identifier, which is then chosen"),
        Key(
          "atCollection", .boolean,
          "whether it is sent to the collection, not to the path of its identifier; true unless the method is PUT"),
        Key("drop", .list(.text()), "fields that are not sent in the body, such as an identifier that the path names"),
      ]
        + extras + bodies + [
          Key("sendsNull", .boolean, "whether a null is sent; it is left out otherwise"),
          Key(
            "returns",
            .word([
              ("record", "the record"), ("maybe", "the record, or nothing"), ("identifier", "the identifier"),
              ("location", "nothing but the header field Location"), ("nothing", "nothing"),
            ]),
            "what the response has; record where it is left out"),
          Key("identifierPath", .text(.member), "where the response has the identifier", formerly: "identifierAt"),
          Key("location", .boolean, "whether the header field Location leads to the record"),
          Key(
            "identifier",
            .word([("server", "the service chooses it"), ("client", "whoever makes the record may")]),
            "who chooses the identifier; server where it is left out"),
          Key(
            "readsFirst", .boolean,
            "whether a chosen identifier is looked for first; true if the request may replace a record",
            formerly: "looksFirst"),
          Key(
            "replacedStatuses", .list(.integer(200...299)),
            "statuses that mean an existing record was replaced; without any, only 201 means that none was"
          ),
          Key(
            "idempotencyKey", .text(.header),
            "the header field by which the service knows a creation that is sent again"),
          source,
        ]),
    Section(
      .update, "How a record is changed.",
      [
        Key(
          "method", .word(MethodWords.writing),
          "the method that sends what changes; null where the whole record is replaced"),
        Key(
          "patchFormat",
          .word([
            ("fields", "an object with the fields"), ("mergePatch", "a JSON Merge Patch"),
            ("jsonPatch", "a JSON Patch"),
          ]),
          "how the changes are written; fields where it is left out", formerly: "as"),
        Key(
          "atCollection", .boolean,
          "whether it is sent to the collection, the identifier in `path`, `parameters` or `extraMembers`"),
      ] + extras + bodies + [
        Key(
          "clear", .either(.word(clearingWords), .map(of: "type", .word(clearingWords))),
          "how a field is cleared; by type, `any` also counts for those left out; impossible if left out"),
        Key("replaceMethod", .word(MethodWords.writing), "the method that replaces a record; PUT where it is left out"),
        Key("keepsNull", .boolean, "whether a null is kept as one; it clears the field otherwise"),
        Key("drop", .list(.text()), "members of a record that are not sent with a replacement"),
        Key(
          "returns", .word([("record", "the record"), ("maybe", "the record, or nothing")]), "what the response has"),
        Key("readBack", .boolean, "whether the record is read after the change"),
        Key("returnsStored", .boolean, "whether the response shows the record as it is stored", formerly: "asStored"),
        Key("mergesObjects", .boolean, "whether members of an object that are not sent stay"),
        Key("repeatable", .boolean, "whether doing it twice leaves what doing it once leaves"),
        Key(
          "atomic", .boolean,
          "whether changes of different fields at the same time are all kept; true where it is left out"),
        source,
      ]),
    Section(
      .delete, "How a record is deleted: DELETE of its path.",
      [Key("method", .word(MethodWords.writing), "the method")] + extras + [
        Key("body", .any, "the body; a text `{id}` in it is the identifier"),
        Key("atCollection", .boolean, "whether it is sent to the collection, the identifier in body or parameters"),
        Key("soft", .boolean, "whether the record can still be read afterwards, marked as deleted"),
        Key("readsFirst", .boolean, "whether it is read first, as the service also accepts what is not there"),
        Key("deleteAll", .boolean, "whether DELETE of the collection deletes every record", formerly: "all"),
        Key(
          "orphanSuffix", .text(),
          "with each deletion all records go that refer to one that does not exist: the ending of fields that refer to others, such as `Id`",
          formerly: "orphans"),
        source,
      ]),
    Section(
      .revision, "What tells two versions of a record apart.",
      [
        Key("from", .word([("etag", "the ETag"), ("field", "a field of the record")]), "where it is read"),
        Key("field", .text(), "the field"),
        Key("weak", .boolean, "whether a weak ETag tells versions apart"),
        Key(
          "header", .text(.header), "the header field by which a write insists on it; If-Match where nothing is said"),
        Key("sendField", .text(), "instead: the field of the record that is sent"),
        Key("sendParameter", .text(), "instead: the parameter"),
        Key("onDelete", .boolean, "whether a deletion can insist on it, too", formerly: "deletes"),
        Key("required", .boolean, "whether the service refuses a write without it"),
        Key(
          "conflictStatuses", .list(.integer(400...499)),
          "statuses that say that the record has changed, besides 409 and 412", formerly: "conflicts"),
        source,
      ]),
    Section(
      .job, "How a write that is done later is followed.",
      [
        Key(
          "statuses", .list(.integer(200...299)), "statuses that say that it is not done yet; 202 where it is left out"),
        Key(
          "statusUrl", .section(.jobAddress),
          "where the address is that tells how far it is; Location where it is left out", formerly: "at"),
        Key("state", .text(.member), "the member that tells how far it is; the status where it is left out"),
        Key("pending", .list(.text()), "its values while it goes on"),
        Key("done", .list(.text()), "its values when it is done"),
        Key("failed", .list(.text()), "its values when it has failed"),
        Key("progress", .text(.member), "where it says how far it is, a number or a text, which is shown as it is"),
        Key("message", .text(.member), "where the message of a failure is"),
        Key("result", .text(.member), "where the record, its address or its identifier is when it is done"),
        Key("interval", .integer(1...3_600), "seconds between two looks, where the service does not say"),
        Key("timeout", .integer(1...86_400), "seconds that are waited in all", formerly: "patience"),
        source,
      ]),
    Section(
      .jobAddress, "Where the address is that tells how far a write is: one of these.",
      [
        Key("header", .text(.header), "in a header field"),
        Key("member", .text(.member), "in the document"),
        Key("path", .text(.path), "a path below the backend's address, in which `{id}` is what is at `id`"),
        Key("id", .text(.member), "where in the document"),
      ]),
    Section(
      .persistence, "What becomes of a write.",
      [
        Key(
          "kept",
          .word([
            ("yes", "a later read shows it"), ("no", "it is answered as if it were"),
            ("unknown", "the first write is read back"),
          ]),
          "whether the service keeps what is written"),
        Key(
          "eventuallyConsistent", .boolean, "whether a read may show a write only some time after its response",
          formerly: "visibleLater"),
        source,
      ]),
  ]
}

/// The methods that a description may name.
enum MethodWords {
  /// Those that change something; MERGE is how OData 2 and 3 change fields.
  static let writing: [(name: String, help: String)] = ["POST", "PUT", "PATCH", "DELETE", "MERGE"].map { ($0, "") }
  static let all: [(name: String, help: String)] = [("GET", "")] + writing
}
