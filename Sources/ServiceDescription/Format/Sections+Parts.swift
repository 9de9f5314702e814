extension Section {
  /// What several sections have in them.
  static let parts: [Section] = [
    Section(.location, "Where something is in a response: one of these.", locationKeys),
    Section(
      .field, "A field of the records.", short: "type",
      [
        Key("type", .word(FieldWords.kinds), "its type (default: any)"),
        Key("required", .boolean, "whether it is required in a new record"),
        Key("readOnly", .boolean, "whether only the service sets it"),
        Key("unique", .boolean, "whether its values are unique"),
        Key("secret", .boolean, "whether its value is kept out of every log, history, trace, recording and message"),
        Key("hidden", .boolean, "whether the service hides it from users"),
        Key("maximumLength", .integer(0...1_000_000_000), "the maximum length of a text value"),
        Key("minimumLength", .integer(0...1_000_000_000), "the minimum length of a text value"),
        Key(
          "lengthUnit",
          .word([
            ("utf16", "UTF-16 units, as Java and JavaScript count"), ("codePoints", "code points, as Python counts"),
            ("bytes", "bytes of UTF-8"),
          ]),
          "the unit of length (default: utf16)"),
        Key("minimum", .either(.any, .section(.bound)), "the minimum of a number"),
        Key("maximum", .either(.any, .section(.bound)), "the maximum of a number"),
        Key(
          "pattern", .text(.pattern), "a regular expression that must match somewhere in each text, as in JSON Schema"),
        Key("values", .list(.any), "the only values it may have"),
        Key(
          "restrictedValues", .boolean,
          "whether the service accepts or stores only some values of the type, by its own rules", formerly: "limited"),
        Key("nullable", .boolean, "whether it may be null (default: true)"),
        Key(
          "likely", .list(.word(FieldWords.facts)),
          "keys that have not been verified: they never cause a write to be refused"),
        Key("reference", .either(.text(), .section(.reference)), "the resource it refers to"),
        Key(
          "fields", .map(of: "field", .either(.word(FieldWords.kinds), .section(.field))), "the fields of its object"),
        Key(
          "numericBoolean", .boolean, "whether records may contain 0 and 1 for false and true", formerly: "holdsNumbers"
        ),
        Key("default", .any, "the value to send in a new record if none is given"),
        Key("serverDefault", .any, "the value that the service stores if none is sent, and after the field is cleared"),
        Key("clear", .word(Section.clearingWords), "how it is cleared, if different from `update`"),
        Key(
          "format", .word([("decimal", "a number that the service writes as text, `\"12.50\"`")]),
          "how a number is written"),
        Key(
          "readPath", .text(.member),
          "where records have the value, if not under the field's own name: `project.id`; `*` is each element of a list"
        ),
        Key("file", .section(.file), "how its content is sent and read, if it is a file"),
        Key(
          "suggestion", .any,
          "the value to suggest when prompting for the fields of a new record: a value, `count` or `now`"),
        Key("title", .text(), "the display name that is used elsewhere"),
        Key("note", .text(), "a note for people"),
        source,
      ]),
    Section(
      .file, "A field whose value is a file: records contain the location of its content, or metadata about it.",
      [
        Key(
          "upload",
          .word([
            ("form", "as a part of a form with the other fields"),
            ("body", "alone, as the body of a request to `path`, after the other fields"),
          ]),
          "how the content is sent (default: not at all)"),
        Key("path", .text(.path), "where the content is, below the path of the record"),
        Key("method", .word(MethodWords.writing), "the method that sends it to `path` (default: PUT)"),
        Key("part", .text(), "the name of its form part (default: the field's own)"),
        Key(
          "link", .text(.member),
          "without `path`: where the address of the content is in the field's value (default: the value itself)"
        ),
        Key("size", .text(.member), "where the size in bytes is in the field's value"),
        Key("type", .text(.member), "where the media type is in the field's value"),
        Key("mediaType", .text(), "the media type to send (default: from the file name)"),
        source,
      ]),
    Section(
      .bound, "The minimum or maximum.",
      [
        Key("value", .any, "the number"),
        Key("exclusive", .boolean, "whether the number itself is excluded", formerly: "excluded"),
      ]),
    Section(
      .reference, "The records that a field refers to.", short: "to",
      [
        Key("to", .text(), "the resource"),
        Key("by", .text(), "the field that has the value (default: the identifier)"),
        Key("mustExist", .boolean, "whether the record has to exist before a write refers to it", formerly: "checked"),
      ]),
    Section(
      .action, "Another action on a record or the resource.",
      [
        Key(
          "appliesTo", .word([("record", "a record"), ("collection", "the resource")]),
          "what it acts on (default: record)", formerly: "of"),
        Key("method", .word(MethodWords.all), "the method (default: POST)"),
        Key("path", .text(.path), "below the record or the resource; `{name}` is the value of an input field"),
        Key("fields", .map(of: "field", .either(.word(FieldWords.kinds), .section(.field))), "its input fields"),
        Key("body", .word([("object", "as an object"), ("list", "as a list with one object")]), "how that is sent"),
        Key("returnsList", .boolean, "whether it returns a list"),
        Key("effect", .word(FieldWords.effects), "its effect on the data (default: write)"),
        Key("note", .text(), "a note for people"),
        source,
      ]),
    Section(
      .owner, "A resource whose records own records of this one.",
      [
        Key(
          "field", .text(),
          "the field that identifies the owner, also in the path of `item`; null if neither the records nor the path have it"
        ),
        Key("createsBelow", .boolean, "whether a record is created below its owner"),
        Key(
          "path", .text(.path),
          "the path, relative to that of the owner (default: the last part of the resource's path)"),
        Key("parameter", .text(), "alternatively, the parameter of the resource's own path that identifies the owner"),
      ]),
    Section(
      .cascadeDeletes, "Records that are deleted along with another.",
      [
        Key("resource", .text(), "their resource"),
        Key("field", .text(), "the field that refers to the deleted record"),
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
    ("read", "nothing"), ("write", "it changes something"),
    ("repeatable", "it changes something, and repeating it has no further effect"),
  ]
}
