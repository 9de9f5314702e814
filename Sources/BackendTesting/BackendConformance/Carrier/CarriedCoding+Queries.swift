public import BackendKit

extension FieldPath: CarriedCoding {
  /// The text.
  public var carried: Value { .string(text) }

  /// Reads the text.
  public init(carried: Value) throws(BackendError) { self.init(try String(carried: carried)) }
}

extension ResourcePath: CarriedCoding {
  /// The parts.
  public var carried: Value { parts.carried }

  /// Reads the parts. A path of one part is taken as it stands, as it was made.
  public init(carried: Value) throws(BackendError) {
    let parts = try [String](carried: carried)
    if let name = parts.first, parts.count == 1 {
      self.init(name: name)
    } else if let path = ResourcePath(parts: parts) {
      self = path
    } else {
      throw .uncarried(carried, "resource path")
    }
  }
}

extension Cursor: CarriedCoding {
  /// The text.
  public var carried: Value { .string(text) }

  /// Reads the text.
  public init(carried: Value) throws(BackendError) { self.init(try String(carried: carried)) }
}

extension Comparison: CarriedCoding {}

extension Operand: CarriedCoding {
  /// `{"word": text}` or `{"value": value}`.
  public var carried: Value {
    switch self {
    case .word(let text): .carrying(["word": text])
    case .value(let value): .carrying(["value": value])
    }
  }

  /// Reads an operand.
  public init(carried: Value) throws(BackendError) {
    let members = try CarriedMembers(carried, of: "operand")
    switch members.form {
    case "word": self = .word(try members.read("word"))
    case "value": self = .value(try members.read("value"))
    default: throw members.unknownForm()
    }
  }
}

extension Filter: CarriedCoding {
  /// An object whose first member names the form.
  public var carried: Value {
    switch self {
    case .compare(let path, let comparison, let operand):
      .carrying(["compare": path, "by": comparison, "with": operand])
    case .among(let path, let operands): .carrying(["among": path, "operands": operands])
    case .isNull(let path): .carrying(["null": path])
    case .isMissing(let path): .carrying(["missing": path])
    case .and(let filters): .carrying(["and": filters])
    case .or(let filters): .carrying(["or": filters])
    case .not(let filter): .carrying(["not": filter])
    // The client hands none to a backend.
    case .computed: .null
    }
  }

  /// Reads a condition.
  public init(carried: Value) throws(BackendError) {
    let members = try CarriedMembers(carried, of: "filter")
    switch members.form {
    case "compare":
      self = .compare(try members.read("compare"), try members.read("by"), try members.read("with"))
    case "among": self = .among(try members.read("among"), try members.read("operands"))
    case "null": self = .isNull(try members.read("null"))
    case "missing": self = .isMissing(try members.read("missing"))
    case "and": self = .and(try members.read("and"))
    case "or": self = .or(try members.read("or"))
    case "not": self = .not(try members.read("not"))
    default: throw members.unknownForm()
    }
  }
}

extension SortKey: CarriedCoding {
  /// The path and whether the order is reversed.
  public var carried: Value { .carrying(["path": path, "descending": isDescending]) }

  /// Reads a key.
  public init(carried: Value) throws(BackendError) {
    let members = try CarriedMembers(carried, of: "sort key")
    self.init(try members.read("path"), isDescending: try members.read("descending"))
  }
}

extension ListQuery: CarriedCoding {
  /// Every part of the query.
  public var carried: Value {
    .carrying([
      "resource": resource, "filters": filters, "sort": sort, "search": search, "fields": fields,
      "pageSize": pageSize, "skip": skip, "native": native, "serverOrder": serverOrder, "ignoreCase": ignoreCase,
      "embedded": embedded,
    ])
  }

  /// Reads a query.
  public init(carried: Value) throws(BackendError) {
    let members = try CarriedMembers(carried, of: "query")
    self.init(
      try members.read("resource"), filters: try members.read("filters"), sort: try members.read("sort"),
      search: try members.readIfThere("search"), fields: try members.readIfThere("fields"),
      pageSize: try members.readIfThere("pageSize"), skip: try members.read("skip"),
      native: try members.readIfThere("native"), serverOrder: try members.read("serverOrder"),
      ignoreCase: try members.read("ignoreCase"), embedded: try members.read("embedded"))
  }
}

extension Fidelity: CarriedCoding {}

extension ListPlan: CarriedCoding {
  /// Every part of the plan.
  public var carried: Value {
    .carrying([
      "filters": filters, "sort": sort, "search": search, "fields": fields, "skip": skip, "pageSize": pageSize,
      "countsRecords": countsRecords, "request": request, "notes": notes,
    ])
  }

  /// Reads a plan.
  public init(carried: Value) throws(BackendError) {
    let members = try CarriedMembers(carried, of: "plan")
    self.init(
      filters: try members.read("filters"), sort: try members.read("sort"), search: try members.read("search"),
      fields: try members.read("fields"), skip: try members.read("skip"),
      pageSize: try members.readIfThere("pageSize"), countsRecords: try members.read("countsRecords"),
      request: try members.read("request"), notes: try members.read("notes"))
  }
}

extension PageEnd: CarriedCoding {
  /// Where the next page begins, the total and the page size.
  public var carried: Value { .carrying(["next": next, "total": total, "pageSize": pageSize, "proof": proof]) }

  /// Reads the end of a page.
  public init(carried: Value) throws(BackendError) {
    let members = try CarriedMembers(carried, of: "page end")
    self.init(
      next: try members.readIfThere("next"), total: try members.readIfThere("total"),
      pageSize: try members.readIfThere("pageSize"), proof: try members.read("proof"))
  }
}

extension RecordSink.Answer: CarriedCoding {}
