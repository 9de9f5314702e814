extension Section {
  /// The keys that a description has for all resources, and each resource for itself.
  static let sharedKeys: [Key] = [
    Key("base", .section(.base), "what all requests have in common"),
    Key("paths", .section(.paths), "where records are"),
    Key("records", .section(.records), "where records stand in a response, and how they look"),
    Key("values", .section(.values), "how values are written"),
    Key("identifier", .section(.identifier), "what names a record"),
    Key("lists", .section(.lists), "in what the records of a list differ from single ones"),
    Key(
      "notFound", .section(.notFound), "how the service answers when a record is not there, besides 404 and 410",
      formerly: "missing"),
    Key("listRequest", .section(.listRequest), "how a list is asked for, unless by GET with parameters"),
    Key("page", .section(.page), "how a list is divided into pages"),
    Key("longPoll", .section(.longPoll), "how `watch` waits for a list to change"),
    Key("size", .section(.size), "how many records a page has"),
    Key("end", .section(.end), "what says that a list is over"),
    Key("total", .section(.total), "where a response says how many records there are"),
    Key("filter", .section(.filter), "which conditions the service checks"),
    Key("sort", .section(.sort), "which orders the service makes"),
    Key("projection", .section(.projection), "how the service is asked for some fields only"),
    Key("search", .section(.search), "how the service is asked to search for a text"),
    Key("expand", .section(.expand), "how a list is asked to show other records within its own"),
    Key("create", .section(.create), "how a record is made; null where that is not possible"),
    Key("update", .section(.update), "how a record is changed; null where that is not possible"),
    Key("delete", .section(.delete), "how a record is deleted; null where that is not possible"),
    Key("revision", .section(.revision), "what tells two versions of a record apart"),
    Key("job", .section(.job), "how a write that is done later is followed"),
    Key("persistence", .section(.persistence), "what becomes of a write", formerly: "effects"),
    Key("actions", .map(of: "action", .section(.action)), "what else can be done"),
    Key("errors", .section(.errors), "what a response that tells of a failure says"),
    Key("limits", .section(.limits), "how often and how fast the service may be asked"),
  ]

  /// What is said of all resources, or of one.
  static let facts: [Section] = requests + responses + lists + conditions + writes

  /// How lists of values are sent.
  static let arrays = Key(
    "arrays", .either(.word(ArrayWords.all), .section(.arrays)),
    "how several values are sent; as in `base` where it is left out")
}

/// Words for how a list of values is sent.
enum ArrayWords {
  static let all: [(name: String, help: String)] = [
    ("comma", "`a=1,2`"), ("repeat", "`a=1&a=2`"), ("brackets", "`a[]=1&a[]=2`"), ("indexed", "`a[0]=1&a[1]=2`"),
    ("json", "`a=[\"1\",\"2\"]`"),
  ]
}
