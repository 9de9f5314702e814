import BackendKit

extension Dialect {
  /// Words that many services use.
  static let plain: Dialect = {
    var plain = Dialect(preset: "plain")
    plain.sizes = PageWords.sizes
    plain.numbers = PageWords.numbers
    plain.offsets = PageWords.offsets.map { ($0.0, $0.1) }
    plain.after = PageWords.after
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

  /// The usual ways to sort, the likeliest first. Those in a group can be sent together.
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
      [suffixed("sort", ",asc", ",desc"), suffixed("order", "", " desc"), words("order_by", "direction")],
    ]
  }()

  /// The likeliest ways to sort for a strict service: `orderBy` if its members are spelled `likeThis`.
  func likelySorts(in answer: ProbeResponse?) -> [Sort] {
    let isCamel = answer?.document?.object?.names.contains { $0.contains { $0.isUppercase } } == true
    let suffixed = Sort(parameter: isCamel ? "orderBy" : "order_by", form: .suffix(ascending: "", descending: " desc"))
    return [Sort(parameter: "sort"), suffixed]
      + [isCamel ? "orderBy" : "order_by", "order", "ordering"].map { Sort(parameter: $0) }
  }
}
