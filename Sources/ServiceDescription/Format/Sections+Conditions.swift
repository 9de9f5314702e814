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
          "how each comparison is asked for: `=` `!=` `<` `<=` `>` `>=` `~` (contains) `in` `null` `notNull` `missing`"),
        Key("language", .section(.language), "the one parameter that holds all conditions"),
        Key(
          "unknownField",
          .word([
            ("ignores", "it ignores the condition"), ("refuses", "it refuses the request"),
            ("all", "it finds every record"), ("none", "it finds none"),
          ]),
          "what the service makes of a field that it cannot check; refuses where it is left out", formerly: "unknown"),
        Key(
          "repeatedParameter",
          .word([("and", "all hold"), ("or", "one holds")]),
          "what it makes of one parameter that is there several times; not sent where it is left out",
          formerly: "repeated"),
        source,
      ]),
    Section(
      .condition, "How a comparison is asked for; a text alone is the template.", short: "template",
      [
        Key(
          "template", .text(),
          "the parameter, in a language the condition: `{field}` is the field, `{value}` the value, `{values}` a list of them"
        ),
        Key(
          "value", .text(.mayBeEmpty),
          "the value of the parameter, with the same places; `{value}` where it is left out"),
        Key("document", .any, "the condition as JSON, for a language that is JSON"),
        Key(
          "accuracy",
          .word([("exact", "just what the console would find"), ("superset", "more, which is looked at again")]),
          "how well the service checks it; superset where it is left out", formerly: "is"),
        Key("fields", .list(.text()), "the fields that it is for; all that can be checked where it is left out"),
        Key("ignoresCase", .boolean, "whether the service ignores case"),
        Key(
          "codePointOrder", .boolean,
          "of an order and `!=`: whether texts are compared by code point; texts are left to the console otherwise",
          formerly: "texts"),
        arrays,
      ]),
    Section(
      .language, "A language of conditions, in one parameter.",
      [
        Key("parameter", .text(), "the parameter"),
        Key("and", .either(.text(), .section(.joining)), "how conditions that must all hold are joined"),
        Key("or", .either(.text(), .section(.joining)), "how conditions of which one must hold are joined"),
        Key("group", .text(), "the text around joined conditions within others; `({0})` where it is left out"),
        Key("not", .text(), "the opposite of a condition, for example `not ({0})`"),
        Key("maximumLength", .integer(1...1_000_000), "the longest text that the service takes", formerly: "longest"),
      ]),
    Section(
      .joining, "How conditions are joined where they are JSON; a text alone stands between conditions.",
      [
        Key(
          "layout", .word([("members", "as members of one object"), ("list", "as a list")]), "how they are arranged",
          formerly: "as"),
        Key("member", .text(), "the member that holds the list"),
      ]),
    Section(
      .sort, "Which orders the service makes.",
      [
        Key(
          "parameter", .text(),
          "the parameter for the fields; with direction: value one for each, as in `order[{field}]`"),
        Key(
          "direction",
          .word([
            ("minus", "a minus sign before the name"), ("parameter", "a word in another parameter"),
            ("suffix", "a text behind the name"), ("separate", "another parameter for the names, for all keys"),
            ("value", "a word as the value of each field's own parameter"),
          ]),
          "how the direction is said; minus where it is left out"),
        Key("directionParameter", .text(), "the other parameter"),
        Key("ascending", .text(.mayBeEmpty), "the word, or the text behind the name; asc where it is left out"),
        Key("descending", .text(.mayBeEmpty), "the word, or the text behind the name; desc where it is left out"),
        Key("exactFields", .list(.text()), "fields whose order is the console's", formerly: "exact"),
        Key("fields", .list(.text()), "fields that it sorts by rules of its own; left out for any"),
        Key("multiple", .boolean, "whether it takes several fields"),
        arrays,
        Key("default", .text(), "the order asked for where nobody says, so that pages do not overlap: `id`, `-id`"),
        source,
      ]),
    Section(
      .projection, "How the service is asked for some fields only.",
      [
        Key("parameter", .text(), "the parameter for the names"),
        Key("always", .list(.text()), "fields that are always asked for"),
        Key("forRecords", .boolean, "whether single records can be asked for so, too"),
        arrays,
        Key(
          "maximumUrlLength", .integer(1...1_000_000), "the longest address that the service takes",
          formerly: "longestAddress"),
        source,
      ]),
    Section(
      .search, "How the service is asked to search for a text in fields of its choice.",
      [
        Key("parameter", .text(), "the parameter for the text; left out where the hook `compileQuery` asks"),
        Key(
          "accuracy", .word([("exact", "what it finds is the answer"), ("superset", "the console looks again")]),
          "how well it searches; exact where it is left out", formerly: "is"),
        source,
      ]),
    Section(
      .expand, "How a list is asked to show other records within its own.",
      [
        Key("parameter", .text(), "the parameter for the names"),
        Key("names", .list(.text()), "the names it takes, where they are known"),
        arrays,
        source,
      ]),
  ]
}
