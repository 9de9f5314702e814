extension Section {
  static let count = Shape.integer(1...1_000_000_000)
  static let source = Key(
    "source", .either(.word(SourceWords.all), .section(.source)), "the source of the facts in this section",
    formerly: "because")

  /// What is said of the service as a whole.
  static let general: [Section] = [
    Section(
      .description, "A complete description. Each resource can override what is set for all resources.",
      [
        Key("$schema", .text(), "the address of the JSON schema, for editors; not read"),
        Key("switchboard", .integer(1...1), "the version of this format"),
        Key("preset", .text(), "the preset that this description is based on; give only the differences"),
        Key("product", .text(), "the name of the product, for display"),
        Key("login", .any, "how the console logs in to the service, as in the configuration"),
        Key("discovery", .section(.discovery), "how `describe` examines the service", formerly: "inspection"),
        Key(
          "hooks", .section(.hooks), "plugin functions for what data cannot express; only in a trusted configuration"),
      ] + sharedKeys + [
        Key("resources", .map(of: "resource", .section(.resource)), "the resources that are known, by name"),
        Key(
          "fallbackResource", .section(.resource),
          "the settings for every other resource; its name replaces `{resource}` in paths", formerly: "others"),
        source,
      ]),
    Section(
      .resource, "Settings of one resource.",
      sharedKeys + [
        Key("additionalFields", .boolean, "whether records may have fields that are not described", formerly: "open"),
        Key(
          "fields", .map(of: "field", .either(.word(FieldWords.kinds), .section(.field))),
          "the fields, in the order of the records; a word alone is the type"),
        Key(
          "owners", .map(of: "resource", .section(.owner)), "the resources whose records own records of this one"),
        Key(
          "operationsBelow", .list(.word(FieldWords.operations)),
          "the operations available below an owner, if they differ"),
        Key(
          "cascadeDeletes", .list(.section(.cascadeDeletes)),
          "records that the service deletes along with one of these",
          formerly: "dependents"),
        Key("describesResources", .boolean, "whether a write can add or remove resources"),
        Key("hookData", .map(of: "name", .any), "data for the hooks of the resource", formerly: "remarks"),
        source,
      ]),
    Section(
      .discovery, "How `describe` examines the service.",
      [
        Key("about", .text(.path), "where the service gives information about itself; `/` is the address itself"),
        Key("version", .text(), "the member of that response with the product's version"),
        Key(
          "healthyWhen", .map(of: "member", .any),
          "a member of that response and the value it has if the service is up",
          formerly: "proof"),
        Key("readsList", .boolean, "whether the first page of the first resource is read, to detect a wrong address"),
        Key(
          "infersFields", .boolean, "whether undescribed fields are learned from the first record",
          formerly: "samples"),
        Key("catalog", .text(), "the resource whose records describe the others; needs the hook `discoverResources`"),
        Key(
          "overview", .text(.path), "where one response describes everything; needs the hook `discoverResources`"),
        source,
      ]),
    Section(
      .hooks, "Plugin functions for what data cannot express, each as `PLUGIN/NAME`.",
      Hook.allCases.map { Key($0.rawValue, .text(.hook), $0.help, formerly: $0.formerly) } + [source]),
    Section(
      .source, "The source of the facts in a section.", short: "from",
      [
        Key("from", .word(SourceWords.all), "where it is from"),
        Key(
          "evidence", .text(), "what was observed, for example the version of a server, or a request and its response",
          formerly: "seen"),
        Key("date", .text(), "the date it was observed, as `2026-11-25`"),
        Key("version", .text(), "the version of the service on which it was observed"),
      ]),
  ]
}

/// The words for where something is known from.
enum SourceWords {
  static let all: [(name: String, help: String)] = [
    ("preset", "the preset"), ("document", "a document of the service"), ("probe", "a query to the service"),
    ("author", "the author of the description"), ("operator", "the operator, when asked"),
  ]
}
