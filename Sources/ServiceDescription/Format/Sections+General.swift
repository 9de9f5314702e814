extension Section {
  static let count = Shape.integer(1...1_000_000_000)
  static let source = Key(
    "source", .either(.word(SourceWords.all), .section(.source)), "where what the section says is known from",
    formerly: "because")

  /// What is said of the service as a whole.
  static let general: [Section] = [
    Section(
      .description, "A description as a whole. What it says of all resources, each resource can say otherwise.",
      [
        Key("$schema", .text(), "the address of the JSON schema, for editors; not read"),
        Key("switchboard", .integer(1...1), "the version of this format"),
        Key("preset", .text(), "the preset that this description begins with; it then says only what differs"),
        Key("product", .text(), "what answers, for people"),
        Key("login", .any, "how the console logs in to the service, as in the configuration"),
        Key("discovery", .section(.discovery), "how `describe` looks at the service", formerly: "inspection"),
        Key("hooks", .section(.hooks), "functions of plugins for what is not data; only in a trusted configuration"),
      ] + sharedKeys + [
        Key("resources", .map(of: "resource", .section(.resource)), "the resources that are known, by name"),
        Key(
          "fallbackResource", .section(.resource),
          "what any other name is taken for, `{resource}` in paths replaced by it", formerly: "others"),
        source,
      ]),
    Section(
      .resource, "What is said of one resource.",
      sharedKeys + [
        Key("additionalFields", .boolean, "whether records may have fields that are not described", formerly: "open"),
        Key(
          "fields", .map(of: "field", .either(.word(FieldWords.kinds), .section(.field))),
          "the fields, in the order of the records; a word alone is the type"),
        Key(
          "owners", .map(of: "resource", .section(.owner)), "the resources whose records have some of these below them"),
        Key("operationsBelow", .list(.word(FieldWords.operations)), "what can be done below an owner, if not the same"),
        Key(
          "cascadeDeletes", .list(.section(.cascadeDeletes)), "records that the service deletes with one of these",
          formerly: "dependents"),
        Key("describesResources", .boolean, "whether a write changes which resources there are"),
        Key("hookData", .map(of: "name", .any), "what hooks are given for the resource", formerly: "remarks"),
        source,
      ]),
    Section(
      .discovery, "How `describe` looks at the service.",
      [
        Key("about", .text(.path), "where the service says something of itself; `/` is the address itself"),
        Key("version", .text(), "the member of that response that names the product's version"),
        Key(
          "healthyWhen", .map(of: "member", .any), "a member and its value by which that response proves that it is up",
          formerly: "proof"),
        Key("readsList", .boolean, "whether the first page of the first resource is read, to find a wrong address"),
        Key(
          "infersFields", .boolean, "whether fields that nobody described are learnt from the first record",
          formerly: "samples"),
        Key("catalog", .text(), "the resource whose records describe the others; needs the hook `discoverResources`"),
        Key(
          "overview", .text(.path), "where one response holds everything there is; needs the hook `discoverResources`"),
        source,
      ]),
    Section(
      .hooks, "Functions of plugins for what is not data, each as `PLUGIN/NAME`.",
      Hook.allCases.map { Key($0.rawValue, .text(.hook), $0.help, formerly: $0.formerly) } + [source]),
    Section(
      .source, "Where what a section says is known from.", short: "from",
      [
        Key("from", .word(SourceWords.all), "who says it"),
        Key(
          "evidence", .text(), "what was seen, for example the version of a server, or a request and its response",
          formerly: "seen"),
        Key("date", .text(), "the day on which it was seen, as `2026-11-25`"),
        Key("version", .text(), "the version of the service that has shown it"),
      ]),
  ]
}

/// The words for where something is known from.
enum SourceWords {
  static let all: [(name: String, help: String)] = [
    ("preset", "the preset"), ("document", "a document of the service"), ("probe", "the service was asked"),
    ("author", "whoever wrote the description"), ("operator", "the operator, who was asked"),
  ]
}
