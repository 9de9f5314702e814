import BackendKit

/// The words of a family of services, to be tried first, and the marks that it is known by.
struct Dialect {
  /// How a condition on one field is asked for.
  struct Filter {
    /// The operator, as the description names it.
    let comparison: String
    /// The parameter; `{field}` stands for the name.
    let parameter: String
    /// Its value; `{value}` stands for what is compared with.
    var value = "{value}"
    /// Whether `{value}` is written as JSON.
    var isJSON = false
  }

  /// How an order is asked for.
  struct Sort {
    enum Form {
      case minus, directionParameter(String), otherParameter(String), suffix(ascending: String, descending: String)
    }
    let parameter: String
    var form = Form.minus
  }

  /// The preset of that name, or plain.
  let preset: String
  /// What a request accepts.
  var accept = "application/json"
  /// Parameters for the size of a page.
  var sizes: [String] = []
  /// Parameters for the number of a page.
  var numbers: [String] = []
  /// Parameters for how many records come before a page, and the number of the first record.
  var offsets: [(parameter: String, first: Int)] = []
  /// Parameters for the identifier of the last record that came.
  var after: [String] = []
  var filters: [Filter] = []
  var sorts: [Sort] = []
  /// Parameters for the fields that are wanted; `{resource}` stands for the resource's type.
  var projections: [String] = []
  /// Where single records stand; nil where that is looked for.
  var oneAt: [String]?

  /// Words that many services use.
  static let plain = Dialect(
    preset: "plain",
    sizes: [
      "limit", "per_page", "page_size", "size", "pageSize", "perPage", "_limit", "_per_page", "max_results", "count",
      "itemsPerPage", "items_per_page", "page[size]", "page[limit]", "max", "rows", "first", "_size", "$top",
    ],
    numbers: ["page", "_page", "page[number]", "pageNumber", "page_number", "p"],
    offsets: [
      ("offset", 0), ("skip", 0), ("start", 0), ("_start", 0), ("page[offset]", 0), ("$skip", 0), ("startIndex", 1),
    ],
    after: ["starting_after", "after", "since_id"],
    filters: [Filter(comparison: "equal", parameter: "{field}")],
    sorts: [
      Sort(parameter: "sort"), Sort(parameter: "ordering"), Sort(parameter: "_sort"), Sort(parameter: "order_by"),
      Sort(parameter: "sort", form: .directionParameter("order")),
      Sort(parameter: "_sort", form: .directionParameter("_order")),
      Sort(parameter: "sort_by", form: .directionParameter("order")),
    ])

  static let all: [Dialect] = [
    Dialect(
      preset: "django-rest", sizes: ["page_size", "limit"], numbers: ["page"], offsets: [("offset", 0)],
      filters: [
        Filter(comparison: "equal", parameter: "{field}"),
        Filter(comparison: "greaterOrEqual", parameter: "{field}__gte"),
        Filter(comparison: "lessOrEqual", parameter: "{field}__lte"),
        Filter(comparison: "greater", parameter: "{field}__gt"),
        Filter(comparison: "less", parameter: "{field}__lt"),
        Filter(comparison: "contains", parameter: "{field}__icontains"),
      ], sorts: [Sort(parameter: "ordering"), Sort(parameter: "order")], projections: ["fields"]),
    Dialect(
      preset: "jsonapi", accept: "application/vnd.api+json", sizes: ["page[size]", "page[limit]"],
      numbers: ["page[number]"],
      offsets: [("page[offset]", 0)],
      filters: [
        Filter(comparison: "equal", parameter: "filter[{field}]"),
        Filter(
          comparison: "equal", parameter: "filter[objects]", value: #"[{"name":"{field}","op":"eq","val":{value}}]"#,
          isJSON: true),
      ],
      sorts: [Sort(parameter: "sort")], projections: ["fields[{resource}]"], oneAt: ["data"]),
    Dialect(
      preset: "kinto", sizes: ["_limit"],
      filters: [
        Filter(comparison: "equal", parameter: "{field}"),
        Filter(comparison: "greaterOrEqual", parameter: "min_{field}"),
        Filter(comparison: "lessOrEqual", parameter: "max_{field}"),
        Filter(comparison: "greater", parameter: "gt_{field}"),
        Filter(comparison: "less", parameter: "lt_{field}"), Filter(comparison: "contains", parameter: "like_{field}"),
      ], sorts: [Sort(parameter: "_sort")], projections: ["_fields"], oneAt: ["data"]),
    Dialect(
      preset: "eve", sizes: ["max_results"], numbers: ["page"],
      filters: [
        Filter(comparison: "equal", parameter: "where", value: #"{"{field}":{value}}"#, isJSON: true),
        Filter(comparison: "greaterOrEqual", parameter: "where", value: #"{"{field}":{"$gte":{value}}}"#, isJSON: true),
        Filter(comparison: "lessOrEqual", parameter: "where", value: #"{"{field}":{"$lte":{value}}}"#, isJSON: true),
      ], sorts: [Sort(parameter: "sort")]),
    Dialect(
      preset: "scim2", accept: "application/scim+json, application/json", sizes: ["count"],
      offsets: [("startIndex", 1)],
      filters: [
        Filter(comparison: "equal", parameter: "filter", value: "{field} eq {value}", isJSON: true),
        Filter(comparison: "contains", parameter: "filter", value: "{field} co {value}", isJSON: true),
      ],
      sorts: [Sort(parameter: "sortBy", form: .directionParameter("sortOrder"))], projections: ["attributes"]),
    Dialect(
      preset: "odata4", sizes: ["$top"], offsets: [("$skip", 0)],
      filters: [
        Filter(comparison: "equal", parameter: "$filter", value: "{field} eq {value}"),
        Filter(comparison: "greaterOrEqual", parameter: "$filter", value: "{field} ge {value}"),
        Filter(comparison: "contains", parameter: "$filter", value: "contains({field},{value})"),
      ],
      sorts: [Sort(parameter: "$orderby", form: .suffix(ascending: "", descending: " desc"))], projections: ["$select"]),
    Dialect(
      preset: "json-server-1", sizes: ["_per_page"], numbers: ["_page"],
      filters: [
        Filter(comparison: "equal", parameter: "{field}"),
        Filter(comparison: "greaterOrEqual", parameter: "{field}:gte"),
        Filter(comparison: "lessOrEqual", parameter: "{field}:lte"),
      ], sorts: [Sort(parameter: "_sort")]),
    Dialect(
      preset: "json-server", sizes: ["_limit"], numbers: ["_page"], offsets: [("_start", 0)],
      filters: [
        Filter(comparison: "equal", parameter: "{field}"),
        Filter(comparison: "greaterOrEqual", parameter: "{field}_gte"),
        Filter(comparison: "lessOrEqual", parameter: "{field}_lte"),
      ], sorts: [Sort(parameter: "_sort", form: .directionParameter("_order"))]),
    Dialect(
      preset: "postgrest", sizes: ["limit"], offsets: [("offset", 0)],
      filters: [
        Filter(comparison: "equal", parameter: "{field}", value: "eq.{value}"),
        Filter(comparison: "greaterOrEqual", parameter: "{field}", value: "gte.{value}"),
        Filter(comparison: "lessOrEqual", parameter: "{field}", value: "lte.{value}"),
      ],
      sorts: [Sort(parameter: "order", form: .suffix(ascending: ".asc", descending: ".desc"))], projections: ["select"]),
    Dialect(
      preset: "link-header", sizes: ["per_page"], numbers: ["page"],
      filters: [Filter(comparison: "equal", parameter: "{field}")],
      sorts: [Sort(parameter: "sort", form: .directionParameter("direction"))]),
    Dialect(
      preset: "datasette", sizes: ["_size"],
      filters: [
        Filter(comparison: "equal", parameter: "{field}__exact"),
        Filter(comparison: "greaterOrEqual", parameter: "{field}__gte"),
        Filter(comparison: "lessOrEqual", parameter: "{field}__lte"),
        Filter(comparison: "contains", parameter: "{field}__contains"),
      ],
      sorts: [Sort(parameter: "_sort", form: .otherParameter("_sort_desc"))], projections: ["_col"]),
    Dialect(
      preset: "stripe", sizes: ["limit"], after: ["starting_after"],
      filters: [Filter(comparison: "equal", parameter: "{field}")]),
  ]

  /// The methods that collections and records of the dialect usually take; nil where that differs.
  var writes: (collection: Set<String>, item: Set<String>)? {
    switch preset {
    case "django-rest", "jsonapi", "kinto", "eve", "json-server", "json-server-1":
      (["GET", "POST"], ["GET", "PATCH", "DELETE"])
    case "scim2": (["GET", "POST"], ["GET", "PUT", "DELETE"])
    case "stripe": (["GET", "POST"], ["GET", "POST", "DELETE"])
    case "datasette": (["GET"], ["GET"])
    default: nil
    }
  }

  /// Whether bodies are forms, and a POST of a record changes it.
  var writesForms: Bool { preset == "stripe" }

  /// Whether records are written as JSON:API has it.
  var isJSONAPI: Bool { preset == "jsonapi" }

  /// The type of a body.
  var contentType: String {
    switch preset {
    case "jsonapi": "application/vnd.api+json"
    case "scim2": "application/scim+json"
    default: "application/json"
    }
  }

  /// Whether whoever makes a record may choose its identifier.
  var takesIdentifier: Bool { preset == "json-server" || preset == "json-server-1" }

  /// Whether a write needs the record's revision.
  var requiresRevision: Bool { preset == "eve" }

  /// Fields that only services of the dialect set.
  var readOnly: Set<String> {
    switch preset {
    case "kinto": ["last_modified"]
    case "eve": ["_updated", "_created", "_etag", "_links"]
    case "scim2": ["meta"]
    default: []
    }
  }

  /// The dialect of a list response, with the mark that shows it; nil where none is known.
  static func recognized(_ answer: Answer) -> (dialect: Dialect, mark: String)? {
    func dialect(_ name: String, _ mark: String) -> (dialect: Dialect, mark: String)? {
      all.first { $0.preset == name }.map { ($0, mark) }
    }
    let object = answer.document?.object
    if answer.contentType.hasPrefix("application/vnd.api+json") || object?["jsonapi"]?.object != nil {
      return dialect("jsonapi", "its media type or the member jsonapi")
    }
    if object?["@odata.context"] != nil { return dialect("odata4", "@odata.context") }
    if object?["schemas"]?.array?.contains(where: { $0.text?.contains(text: "scim") == true }) == true {
      return dialect("scim2", "a SCIM schema in schemas")
    }
    if object?["_items"]?.array != nil { return dialect("eve", "_items") }
    if object?["results"]?.array != nil, object?["next"] != nil, object?["previous"] != nil {
      return dialect("django-rest", "next, previous and results")
    }
    if object?["data"]?.array != nil, object?["items"]?.integer != nil, object?["pages"] != nil, object?["first"] != nil
    {
      return dialect("json-server-1", "first, prev, next, last, pages and items")
    }
    if object?["data"]?.array != nil, object?["has_more"]?.bool != nil, object?["object"]?.text == "list" {
      return dialect("stripe", "object: list and has_more")
    }
    if object?["rows"]?.array != nil, object?["database"] != nil, object?["primary_keys"] != nil {
      return dialect("datasette", "database, rows and primary_keys")
    }
    if answer.header("Next-Page") != nil || (object?["data"]?.array != nil && answer.header("Total-Records") != nil) {
      return dialect("kinto", "the header Next-Page")
    }
    if object?["data"]?.array != nil,
      answer.header("Backoff") != nil || answer.header("ETag")?.dropFirst().first?.isNumber == true,
      answer.header("Last-Modified") != nil
    {
      return dialect("kinto", "the member data and the ETag of a list")
    }
    guard answer.document?.array != nil else { return nil }
    if answer.header("Content-Range") != nil, answer.header("Content-Range")?.contains("/") == true {
      return dialect("postgrest", "the header Content-Range")
    }
    if answer.header("X-Total-Count") != nil,
      answer.header("Access-Control-Expose-Headers")?.contains(text: "X-Total-Count") == true
    {
      return dialect("json-server", "the header X-Total-Count")
    }
    if answer.link("next") != nil { return dialect("link-header", "a Link header with rel=next") }
    return nil
  }
}
