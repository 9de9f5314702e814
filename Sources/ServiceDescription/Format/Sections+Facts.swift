extension Section {
  /// The keys that a description has for all resources, and each resource for itself.
  static let sharedKeys: [Key] = [
    Key("base", .section(.base), "what all requests have in common"),
    Key("paths", .section(.paths), "where records are"),
    Key("records", .section(.records), "where the records are in a response, and what they look like"),
    Key("values", .section(.values), "how values are written"),
    Key("identifier", .section(.identifier), "what identifies a record"),
    Key("lists", .section(.lists), "how the records of a list differ from single ones"),
    Key(
      "notFound", .section(.notFound), "how the service responds if a record does not exist, besides 404 and 410",
      formerly: "missing"),
    Key("listRequest", .section(.listRequest), "how to request a list, if not by GET with parameters"),
    Key("page", .section(.page), "how a list is divided into pages"),
    Key("longPoll", .section(.longPoll), "how `watch` waits for a list to change"),
    Key("size", .section(.size), "the page size"),
    Key("end", .section(.end), "how to recognize the end of a list"),
    Key("total", .section(.total), "where a response gives the total number of records"),
    Key("filter", .section(.filter), "which conditions the service checks"),
    Key("sort", .section(.sort), "how the service can sort"),
    Key("projection", .section(.projection), "how to request only some fields"),
    Key("search", .section(.search), "how to search for text"),
    Key("expand", .section(.expand), "how to make a list include related records"),
    Key("create", .section(.create), "how to create a record; null if that is not possible"),
    Key("update", .section(.update), "how to update a record; null if that is not possible"),
    Key("delete", .section(.delete), "how to delete a record; null if that is not possible"),
    Key("revision", .section(.revision), "what distinguishes two versions of a record"),
    Key("job", .section(.job), "how to follow an asynchronous write"),
    Key("persistence", .section(.persistence), "what happens to a write", formerly: "effects"),
    Key("actions", .map(of: "action", .section(.action)), "other actions"),
    Key("errors", .section(.errors), "how to read an error response"),
    Key("limits", .section(.limits), "the rate limits of the service"),
  ]

  /// What is said of all resources, or of one.
  static let facts: [Section] = requests + responses + lists + conditions + writes

  /// How lists of values are sent.
  static let arrays = Key(
    "arrays", .either(.word(ArrayWords.all), .section(.arrays)),
    "how several values are sent (default: as in `base`)")
}

/// Words for how a list of values is sent.
enum ArrayWords {
  static let all: [(name: String, help: String)] = [
    ("comma", "`a=1,2`"), ("repeat", "`a=1&a=2`"), ("brackets", "`a[]=1&a[]=2`"), ("indexed", "`a[0]=1&a[1]=2`"),
    ("json", "`a=[\"1\",\"2\"]`"),
  ]
}
