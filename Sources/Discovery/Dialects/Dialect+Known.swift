import BackendKit

extension Dialect {
  /// Words that many services use.
  static let plain: Dialect = {
    var plain = Dialect(preset: "plain")
    plain.sizes = [
      "limit", "per_page", "page_size", "size", "pageSize", "perPage", "_limit", "_per_page", "max_results", "count",
      "itemsPerPage", "items_per_page", "page[size]", "page[limit]", "max", "rows", "first", "_size", "$top",
      "maxResults", "take",
    ]
    plain.numbers = ["page", "_page", "page[number]", "pageNumber", "page_number", "p"]
    plain.offsets = [
      ("offset", 0), ("skip", 0), ("start", 0), ("_start", 0), ("page[offset]", 0), ("$skip", 0), ("startIndex", 1),
      ("startAt", 0),
    ]
    plain.after = ["starting_after", "after", "since_id"]
    plain.searches = ["search", "q", "query", "_q", "keyword"]
    plain.projections = ["fields", "_fields", "select", "$select", "columns"]
    plain.filters = [Filter(comparison: "equal", parameter: "{field}")]
    plain.sorts = [
      Sort(parameter: "sort"), Sort(parameter: "ordering"), Sort(parameter: "_sort"), Sort(parameter: "order_by"),
      Sort(parameter: "sort", form: .directionParameter("order")),
      Sort(parameter: "_sort", form: .directionParameter("_order")),
      Sort(parameter: "sort_by", form: .directionParameter("order")),
    ]
    return plain
  }()

  /// The ways in which services sort, the likeliest first; those in one group can be sent together.
  static let sortForms: [[Sort]] = {
    func words(_ parameter: String, _ other: String) -> Sort {
      Sort(parameter: parameter, form: .directionParameter(other))
    }
    func suffixed(_ parameter: String, _ ascending: String, _ descending: String) -> Sort {
      Sort(parameter: parameter, form: .suffix(ascending: ascending, descending: descending))
    }
    return [
      [Sort(parameter: "sort")],
      [
        Sort(parameter: "ordering"), suffixed("order_by", "", " desc"),
        suffixed("orderBy", "", " desc"), words("_sort", "_order"), words("sort_by", "sort_order"),
        words("sort", "sort_reverse"),
        Sort(parameter: "order[{field}]", form: .value),
      ],
      [words("sort", "order"), words("sort", "direction"), Sort(parameter: "order_by")],
      [suffixed("sort", ":asc", ":desc"), suffixed("order_by", ":asc", ":desc")],
      [suffixed("sort", ",asc", ",desc")],
    ]
  }()

  /// The likeliest ways of a service that refuses what it does not know: one that spells its members `likeThis` has
  /// `orderBy`.
  func likelySorts(in answer: ProbeResponse?) -> [Sort] {
    let isCamel = answer?.document?.object?.names.contains { $0.contains { $0.isUppercase } } == true
    let suffixed = Sort(parameter: isCamel ? "orderBy" : "order_by", form: .suffix(ascending: "", descending: " desc"))
    return [Sort(parameter: "sort"), suffixed]
      + [isCamel ? "orderBy" : "order_by", "order", "ordering"].map { Sort(parameter: $0) }
  }

  /// The dialect of a preset; nil where no survey has one.
  static func named(_ preset: String) -> Dialect? {
    switch preset {
    case "django-rest":
      var dialect = Dialect(presets: ["django-rest", "django-rest-offset", "django-rest-cursor"])
      // These are chosen by each service; the first is what most choose.
      dialect.sizes.insert("page_size", at: 0)
      dialect.filters.removeAll { $0.comparison == "contains" }
      dialect.filters.append(Filter(comparison: "contains", parameter: "{field}__icontains"))
      dialect.sorts.append(Sort(parameter: "order"))
      return dialect
    case "jsonapi":
      var dialect = Dialect(presets: ["jsonapi"])
      dialect.sizes.append("page[limit]")
      dialect.numbers = ["page[number]"]
      dialect.offsets = [("page[offset]", 0)]
      dialect.filters = [
        Filter(comparison: "equal", parameter: "filter[{field}]"),
        Filter(
          comparison: "equal", parameter: "filter[objects]", value: #"[{"name":"{field}","op":"eq","val":{value}}]"#,
          isJSON: true),
      ]
      return dialect
    case "kinto":
      var dialect = Dialect(presets: ["kinto"])
      dialect.filters.append(Filter(comparison: "contains", parameter: "like_{field}"))
      dialect.readOnly.insert("last_modified")
      return dialect
    case "json-server", "json-server-1":
      var dialect = Dialect(presets: [preset])
      let mark = preset == "json-server" ? "_" : ":"
      if dialect.filters.isEmpty { dialect.filters = [Filter(comparison: "equal", parameter: "{field}")] }
      dialect.filters.append(Filter(comparison: "greaterOrEqual", parameter: "{field}\(mark)gte"))
      dialect.filters.append(Filter(comparison: "lessOrEqual", parameter: "{field}\(mark)lte"))
      return dialect
    case "odata4":
      var dialect = Dialect(presets: ["odata4"]).withoutWrites()
      dialect.offsets = [("$skip", 0)]
      return dialect
    case "postgrest": return Dialect(presets: ["postgrest"]).withoutWrites()
    case "link-header":
      var dialect = Dialect(presets: ["link-header"]).withoutWrites()
      dialect.numbers = ["page"]
      dialect.filters = plain.filters
      dialect.sorts = [Sort(parameter: "sort", form: .directionParameter("direction")), Sort(parameter: "sort")]
      return dialect
    case "stripe":
      var dialect = Dialect(presets: ["stripe"])
      dialect.filters = plain.filters
      return dialect
    case "eve", "scim2", "datasette", "pocketbase", "spring-data-rest", "strapi", "laravel", "wordpress",
      "directus":
      return Dialect(presets: [preset])
    default: return nil
    }
  }
}
