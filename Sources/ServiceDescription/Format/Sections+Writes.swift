extension Section {
  private static let extras: [Key] = [
    Key("path", .text(.path), "path segments after the path of the record or collection"),
    Key("parameters", .map(of: "parameter", .text(.mayBeEmpty)), "additional parameters to send"),
    Key("headers", .map(of: "header field", .text(.mayBeEmpty)), "additional header fields to send"),
  ]
  private static let bodies: [Key] = [
    Key("body", .word([("json", "as JSON"), ("form", "as a form")]), "how the fields are written"),
    Key("wrap", .text(.member), "the member of the document that contains the fields"),
    Key(
      "extraMembers", .map(of: "member", .any),
      "members of the body besides the fields: constants, or the identifier, written as `{id}`"),
  ]
  /// Ways to clear a field.
  static let clearingWords: [(name: String, help: String)] = [
    ("null", "by null"), ("replace", "by sending the record without the field"),
    ("replaceWithNull", "by sending the whole record with null"),
    ("remove", "by a `remove` operation of a JSON Patch"), ("emptyText", "by empty text"),
    ("default", "by the field's `serverDefault`"),
    ("untested", "unknown: null is sent and the record is read back"), ("impossible", "not at all"),
  ]

  /// How records are written.
  static let writes: [Section] = [
    Section(
      .create, "How to create a record: POST to the collection.",
      [
        Key(
          "method", .word(MethodWords.writing),
          "the method; PUT is sent to the path of the identifier, which the client then chooses"),
        Key(
          "atCollection", .boolean,
          "whether it is sent to the collection, not to the path of its identifier; true unless the method is PUT"),
        Key("drop", .list(.text()), "fields that are not sent in the body, such as an identifier in the path"),
      ]
        + extras + bodies + [
          Key("sendsNull", .boolean, "whether null is sent; otherwise the field is left out"),
          Key(
            "returns",
            .word([
              ("record", "the record"), ("maybe", "the record, or nothing"), ("identifier", "the identifier"),
              ("location", "only the header field Location"), ("nothing", "nothing"),
            ]),
            "what the response contains (default: record)"),
          Key("identifierPath", .text(.member), "where the response has the identifier", formerly: "identifierAt"),
          Key("location", .boolean, "whether the header field Location leads to the record"),
          Key(
            "identifier",
            .word([("server", "the service chooses it"), ("client", "the client may choose it")]),
            "who chooses the identifier (default: server)"),
          Key(
            "readsFirst", .boolean,
            "whether to check first that a chosen identifier is unused; true if the request may replace a record",
            formerly: "looksFirst"),
          Key(
            "replacedStatuses", .list(.integer(200...299)),
            "statuses that mean that an existing record was replaced; without any, only 201 rules out a replacement"
          ),
          Key(
            "idempotencyKey", .text(.header),
            "the idempotency-key header field, by which the service recognizes a repeated create"),
          source,
        ]),
    Section(
      .update, "How a record is changed.",
      [
        Key(
          "method", .word(MethodWords.writing),
          "the method that sends only the changes; null if the whole record is replaced"),
        Key(
          "patchFormat",
          .word([
            ("fields", "an object with the fields"), ("mergePatch", "a JSON Merge Patch"),
            ("jsonPatch", "a JSON Patch"),
          ]),
          "how the changes are written (default: fields)", formerly: "as"),
        Key(
          "atCollection", .boolean,
          "whether it is sent to the collection, with the identifier in `path`, `parameters` or `extraMembers`"),
      ] + extras + bodies + [
        Key(
          "clear", .either(.word(clearingWords), .map(of: "type", .word(clearingWords))),
          "how a field is cleared, for all types or by type; `any` covers the types not listed (default: impossible)"),
        Key("replaceMethod", .word(MethodWords.writing), "the method that replaces a record (default: PUT)"),
        Key("keepsNull", .boolean, "whether null is stored as null; otherwise it clears the field"),
        Key("drop", .list(.text()), "members of a record that are not sent with a replacement"),
        Key(
          "returns", .word([("record", "the record"), ("maybe", "the record, or nothing")]),
          "what the response contains"),
        Key("readBack", .boolean, "whether the record is read after the change"),
        Key("returnsStored", .boolean, "whether the response shows the record as it is stored", formerly: "asStored"),
        Key("mergesObjects", .boolean, "whether object members that are not sent are kept"),
        Key("repeatable", .boolean, "whether repeating it has no further effect"),
        Key(
          "atomic", .boolean,
          "whether concurrent changes to different fields are all kept (default: true)"),
        source,
      ]),
    Section(
      .delete, "How a record is deleted: DELETE of its path.",
      [Key("method", .word(MethodWords.writing), "the method")] + extras + [
        Key("body", .any, "the body, in which the text `{id}` is replaced by the identifier"),
        Key(
          "atCollection", .boolean, "whether it is sent to the collection, with the identifier in body or parameters"),
        Key("soft", .boolean, "whether the record can still be read afterwards, marked as deleted"),
        Key(
          "readsFirst", .boolean,
          "whether to read the record first, because the service also accepts a delete of a missing one"),
        Key("deleteAll", .boolean, "whether DELETE of the collection deletes every record", formerly: "all"),
        Key(
          "orphanSuffix", .text(),
          "the suffix of fields that refer to other records, such as `Id`: each delete also deletes all records that refer to a missing record",
          formerly: "orphans"),
        source,
      ]),
    Section(
      .revision, "What distinguishes two versions of a record.",
      [
        Key("from", .word([("etag", "the ETag"), ("field", "a field of the record")]), "where it is read"),
        Key("field", .text(), "the field"),
        Key("weak", .boolean, "whether a weak ETag distinguishes versions"),
        Key(
          "header", .text(.header), "the header field with which a write requires that version (default: If-Match)"),
        Key("sendField", .text(), "alternatively, the field of the record that is sent"),
        Key("sendParameter", .text(), "alternatively, the parameter"),
        Key("onDelete", .boolean, "whether a delete can require it, too", formerly: "deletes"),
        Key("required", .boolean, "whether the service refuses a write without it"),
        Key(
          "conflictStatuses", .list(.integer(400...499)),
          "statuses that mean that the record has changed, besides 409 and 412", formerly: "conflicts"),
        source,
      ]),
    Section(
      .job, "How to follow an asynchronous write.",
      [
        Key(
          "statuses", .list(.integer(200...299)), "statuses that mean that it is not done yet (default: 202)"),
        Key(
          "statusUrl", .section(.jobAddress),
          "where the status address is (default: Location)", formerly: "at"),
        Key("state", .text(.member), "the member with its state (default: the HTTP status)"),
        Key("pending", .list(.text()), "its values while it is running"),
        Key("done", .list(.text()), "its values when it is done"),
        Key("failed", .list(.text()), "its values when it has failed"),
        Key("progress", .text(.member), "where its progress is, a number or text, shown unchanged"),
        Key("message", .text(.member), "where the error message is"),
        Key("result", .text(.member), "where the record, its address or its identifier is when it is done"),
        Key("interval", .integer(1...3_600), "seconds between two checks, if the service gives none"),
        Key("timeout", .integer(1...86_400), "the maximum wait in seconds", formerly: "patience"),
        source,
      ]),
    Section(
      .jobAddress, "Where the status address of a write is: one of these.",
      [
        Key("header", .text(.header), "in a header field"),
        Key("member", .text(.member), "in the document"),
        Key("path", .text(.path), "a path below the backend's address; `{id}` is the value at `id`"),
        Key("id", .text(.member), "where in the document"),
      ]),
    Section(
      .persistence, "What happens to a write.",
      [
        Key(
          "kept",
          .word([
            ("yes", "a later read shows it"), ("no", "the response looks as if it were stored"),
            ("unknown", "the first write is read back"),
          ]),
          "whether the service stores what is written"),
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
