extension Section {
  /// What the service is asked for of a query.
  static let conditions: [Section] = [
    Section(
      .filter, "Which conditions the service checks.",
      [
        Key(
          "fields", .either(.word([("described", "every field that is described")]), .list(.text())),
          "the fields that it can check"),
        Key(
          "conditions", .map(of: "comparison", .either(.text(), .oneOrMore(.section(.condition)))),
          "how each comparison is written: `=` `!=` `<` `<=` `>` `>=` `~` (contains) `in` `null` `notNull` `missing`"),
        Key("language", .section(.language), "the one parameter that contains all conditions"),
        Key(
          "unknownField",
          .word([
            ("ignores", "it ignores the condition"), ("refuses", "it refuses the request"),
            ("all", "it finds every record"), ("none", "it finds none"),
          ]),
          "what the service does with a field that it cannot check (default: refuses)", formerly: "unknown"),
        Key(
          "repeatedParameter",
          .word([("and", "all hold"), ("or", "one holds")]),
          "how it reads a repeated parameter (default: parameters are not repeated)",
          formerly: "repeated"),
        source,
      ]),
    Section(
      .condition, "How a comparison is written; plain text is the template.", short: "template",
      [
        Key(
          "template", .text(),
          "the parameter or, in a query language, the condition: `{field}` is the field, `{value}` the value, `{values}` a list of values"
        ),
        Key(
          "value", .text(.mayBeEmpty),
          "the value of the parameter, with the same placeholders (default: `{value}`)"),
        Key("document", .any, "the condition as JSON, for a language that is JSON"),
        Key(
          "accuracy",
          .word([
            ("exact", "exactly what the console would find"),
            ("superset", "more than that, which the console checks again"),
          ]),
          "how exactly the service checks it (default: superset)", formerly: "is"),
        Key("fields", .list(.text()), "the fields it applies to (default: all that can be checked)"),
        Key("ignoresCase", .boolean, "whether the service ignores case"),
        Key(
          "codePointOrder", .boolean,
          "for order comparisons and `!=`: whether text is compared by code point; otherwise the console compares text",
          formerly: "texts"),
        arrays,
      ]),
    Section(
      .language, "A language of conditions, in one parameter.",
      [
        Key("parameter", .text(), "the parameter"),
        Key("and", .either(.text(), .section(.joining)), "how conditions are joined if all of them must match"),
        Key("or", .either(.text(), .section(.joining)), "how conditions are joined if any one of them must match"),
        Key("group", .text(), "the text around joined conditions nested in others (default: `({0})`)"),
        Key("not", .text(), "the negation of a condition, for example `not ({0})`"),
        Key(
          "maximumLength", .integer(1...1_000_000), "the maximum length of the text that the service accepts",
          formerly: "longest"),
      ]),
    Section(
      .joining, "How conditions are joined if they are JSON; plain text goes between conditions.",
      [
        Key(
          "layout", .word([("members", "as members of one object"), ("list", "as a list")]), "how they are arranged",
          formerly: "as"),
        Key("member", .text(), "the member that contains the list"),
      ]),
    Section(
      .sort, "How the service can sort.",
      [
        Key(
          "parameter", .text(),
          "the parameter for the fields; with direction: value, one per field, as in `order[{field}]`"),
        Key(
          "direction",
          .word([
            ("minus", "a minus sign before the name"), ("parameter", "a word in another parameter"),
            ("suffix", "a suffix after the name"),
            (
              "separate",
              "a separate parameter for the names when the order is descending; all keys must then have the same direction"
            ),
            ("value", "a word as the value of each field's own parameter"),
          ]),
          "how the direction is written (default: minus)"),
        Key("directionParameter", .text(), "the other parameter"),
        Key("ascending", .text(.mayBeEmpty), "the word, or the suffix after the name (default: asc)"),
        Key("descending", .text(.mayBeEmpty), "the word, or the suffix after the name (default: desc)"),
        Key(
          "exactFields", .list(.text()), "fields that the service sorts in the same order as the console",
          formerly: "exact"),
        Key("fields", .list(.text()), "fields that it sorts by its own rules (default: any)"),
        Key("multiple", .boolean, "whether it can sort by several fields"),
        arrays,
        Key("default", .text(), "the order to request by default, so that pages do not overlap: `id`, `-id`"),
        source,
      ]),
    Section(
      .projection, "How to request only some fields.",
      [
        Key("parameter", .text(), "the parameter for the names"),
        Key("always", .list(.text()), "fields that are always requested"),
        Key("forRecords", .boolean, "whether this also works for single records"),
        arrays,
        Key(
          "maximumUrlLength", .integer(1...1_000_000), "the maximum length of the address that the service accepts",
          formerly: "longestAddress"),
        source,
      ]),
    Section(
      .search, "How to search for text in fields that the service chooses.",
      [
        Key("parameter", .text(), "the parameter for the text; omit it if the hook `compileQuery` builds the query"),
        Key(
          "accuracy", .word([("exact", "its result is exact"), ("superset", "the console checks the result again")]),
          "how exactly it searches (default: exact)", formerly: "is"),
        source,
      ]),
    Section(
      .expand, "How to make a list include related records.",
      [
        Key("parameter", .text(), "the parameter for the names"),
        Key("names", .list(.text()), "the names it accepts, if known"),
        arrays,
        source,
      ]),
  ]
}
