extension Section {
  /// What several sections have in them.
  static let parts: [Section] = [
    Section(.location, "Where something stands in a response: one of these.", locationKeys),
    Section(
      .field, "A field of the records.", short: "type",
      [
        Key("type", .word(FieldWords.kinds), "its type; any where it is left out"),
        Key("required", .boolean, "whether a record cannot be made without it"),
        Key("readOnly", .boolean, "whether only the service sets it"),
        Key("unique", .boolean, "whether no two records have the same value"),
        Key("secret", .boolean, "whether a value goes into no log, history, trace, recording or message"),
        Key("hidden", .boolean, "whether the service keeps it from people"),
        Key("maximumLength", .integer(0...1_000_000_000), "the longest text"),
        Key("minimumLength", .integer(0...1_000_000_000), "the shortest text"),
        Key(
          "lengthUnit",
          .word([
            ("utf16", "UTF-16 units, as Java and JavaScript count"), ("codePoints", "code points, as Python counts"),
            ("bytes", "bytes of UTF-8"),
          ]),
          "what is counted; utf16 where it is left out"),
        Key("minimum", .either(.any, .section(.bound)), "the least number"),
        Key("maximum", .either(.any, .section(.bound)), "the greatest number"),
        Key("pattern", .text(.pattern), "a regular expression that is found in each text, as JSON Schema has it"),
        Key("values", .list(.any), "the only values it may have"),
        Key(
          "restrictedValues", .boolean,
          "whether the service takes or keeps only some values of the type, by rules of its own", formerly: "limited"),
        Key("nullable", .boolean, "whether it may be null; true where it is left out"),
        Key("likely", .list(.word(FieldWords.facts)), "keys that are not proved: they never refuse a write"),
        Key("reference", .either(.text(), .section(.reference)), "the resource whose records it names"),
        Key(
          "fields", .map(of: "field", .either(.word(FieldWords.kinds), .section(.field))), "the fields of its object"),
        Key(
          "numericBoolean", .boolean, "whether records may hold 0 and 1 for false and true", formerly: "holdsNumbers"),
        Key("default", .any, "what a new record is sent with where nothing is given"),
        Key("serverDefault", .any, "the value that the service stores if none is sent, and after the field is cleared"),
        Key("clear", .word(Section.clearingWords), "how it is cleared, if not as `update` says"),
        Key(
          "format", .word([("decimal", "a number that the service writes as a text, `\"12.50\"`")]),
          "how a number is written"),
        Key(
          "readPath", .text(.member),
          "where records show the value, if not under the field's own name: `project.id`; `*` is each element of a list"
        ),
        Key("file", .section(.file), "how its content is sent and read, if it is a file"),
        Key(
          "suggestion", .any,
          "what a new record is offered where its fields are asked for: a value, or `count`, or `now`"),
        Key("title", .text(), "the name that people are shown elsewhere"),
        Key("note", .text(), "a note for people"),
        source,
      ]),
    Section(
      .file, "A field whose value is a file: records show where its content is, or facts about it.",
      [
        Key(
          "upload",
          .word([
            ("form", "as a part of a form with the other fields"),
            ("body", "alone, as the body of a request to `path`, after the other fields"),
          ]),
          "how the content is sent; not at all where it is left out"),
        Key("path", .text(.path), "where the content is, below the path of the record"),
        Key("method", .word(MethodWords.writing), "the method that sends it to `path`; PUT where it is left out"),
        Key("part", .text(), "the name of its part of a form; the field's own where it is left out"),
        Key(
          "link", .text(.member),
          "without `path`: where in the field's value the address of the content is; the value itself where it is left out"
        ),
        Key("size", .text(.member), "where in the field's value the number of bytes is"),
        Key("type", .text(.member), "where in the field's value the media type is"),
        Key("mediaType", .text(), "the media type that is sent; that of the file's name where it is left out"),
        source,
      ]),
    Section(
      .bound, "The least or the greatest number.",
      [
        Key("value", .any, "the number"),
        Key("exclusive", .boolean, "whether the number itself is beyond it", formerly: "excluded"),
      ]),
    Section(
      .reference, "The records that a field names.", short: "to",
      [
        Key("to", .text(), "the resource"),
        Key("by", .text(), "the field that holds the value; the identifier where it is left out"),
        Key("mustExist", .boolean, "whether the record has to be there before a write names it", formerly: "checked"),
      ]),
    Section(
      .action, "Something else that can be done with a record or the resource.",
      [
        Key(
          "appliesTo", .word([("record", "a record"), ("collection", "the resource")]),
          "with what; record where it is left out", formerly: "of"),
        Key("method", .word(MethodWords.all), "the method; POST where it is left out"),
        Key("path", .text(.path), "below the record or the resource; `{name}` is the value of an input field"),
        Key("fields", .map(of: "field", .either(.word(FieldWords.kinds), .section(.field))), "what it is given"),
        Key("body", .word([("object", "as an object"), ("list", "as a list with one object")]), "how that is sent"),
        Key("returnsList", .boolean, "whether it answers with a list"),
        Key("effect", .word(FieldWords.effects), "what it does to the data; write where it is left out"),
        Key("note", .text(), "a note for people"),
        source,
      ]),
    Section(
      .owner, "A resource whose records own some of these.",
      [
        Key(
          "field", .text(),
          "the field that names the owner, also in the path of `item`; null if records do not show it and the path does not have it"
        ),
        Key("createsBelow", .boolean, "whether a record is made below its owner"),
        Key(
          "path", .text(.path), "the path below the owner's; the last part of the resource's own where it is left out"),
        Key("parameter", .text(), "instead: the parameter of the resource's own path that names the owner"),
      ]),
    Section(
      .cascadeDeletes, "Records that are deleted along.",
      [
        Key("resource", .text(), "their resource"),
        Key("field", .text(), "the field in which they name the deleted record"),
      ]),
  ]
}

/// Words for values that are spelled as in the protocol.
enum FieldWords {
  static let kinds: [(name: String, help: String)] = [
    ("text", "text"), ("html", "text that is HTML"), ("integer", "a whole number"), ("number", "a number"),
    ("boolean", "true or false"), ("date", "a day and a time"), ("day", "a day"), ("object", "an object"),
    ("list", "a list"), ("any", "anything"),
  ]
  static let facts: [(name: String, help: String)] = [
    ("type", ""), ("required", ""), ("readOnly", ""), ("maximumLength", ""), ("minimumLength", ""), ("minimum", ""),
    ("maximum", ""), ("pattern", ""), ("values", ""), ("nullable", ""),
  ]
  static let operations: [(name: String, help: String)] = [
    ("list", ""), ("get", ""), ("create", ""), ("update", ""), ("delete", ""), ("deleteAll", ""),
  ]
  static let effects: [(name: String, help: String)] = [
    ("read", "nothing"), ("write", "it changes something"), ("repeatable", "it changes something, once"),
  ]
}
