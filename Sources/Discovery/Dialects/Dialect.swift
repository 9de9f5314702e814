import BackendKit
import ServiceDescription

/// The words of a kind of service, which are tried first: those of its presets, and others that such services use.
struct Dialect {
  /// The comparisons that a survey tries: as named in claims, and in descriptions.
  static let comparisons: KeyValuePairs = [
    "equal": "=", "greaterOrEqual": ">=", "lessOrEqual": "<=", "greater": ">", "less": "<", "contains": "~",
  ]

  /// A condition on a field, as written in a request.
  struct Filter {
    /// The comparison, as named in claims.
    let comparison: String
    /// The parameter, in which `{field}` stands for the field.
    let parameter: String
    /// Its value, in which `{value}` stands for the compared value.
    var value = "{value}"
    /// True if `{value}` is written as JSON.
    var isJSON = false

    /// The member with the condition, if the parameter contains a whole query.
    var member: String?

    var isForOneField: Bool { !parameter.contains(text: "{field}") && !value.contains(text: "{field}") }

    func facts(_ fields: [String]) -> Fact {
      let facts: [(String, Value)] =
        [
          ("parameter", .string(parameter)), ("value", .string(value)), ("json", .bool(isJSON)),
          ("accuracy", "superset"),
          ("fields", .array(fields.map { .string($0) })),
        ] + (member.map { [("member", .string($0))] } ?? [])
      return Fact(.filter(comparison), Object(facts))
    }

    func condition(_ field: String, _ value: Value) -> BackendKit.Filter {
      let sign = Dialect.comparisons.first { $0.key == comparison }?.value
      return .compare(FieldPath(field), sign.flatMap { Comparison(rawValue: $0) } ?? .equal, .value(value))
    }
  }

  /// A sort order, as written in a request.
  struct Sort {
    enum Form {
      case minus
      case directionParameter(String)
      case otherParameter(String)
      case suffix(ascending: String, descending: String)
      /// A word as the value of each field's own parameter.
      case value
    }
    let parameter: String
    var form = Form.minus

    /// The values of a direction parameter if they are other than `asc` and `desc`.
    private static func words(of name: String) -> (ascending: String, descending: String)? {
      if name == "sortOrder" { return ("ascending", "descending") }
      let plain = DocumentedResource.plain(name)
      return ["reverse", "descending", "desc"].contains(where: plain.hasSuffix) ? ("false", "true") : nil
    }

    func facts(_ fields: [String]) -> [Fact] {
      let direction: [Fact]
      switch form {
      case .minus: direction = [Fact(.sortDirection, "minus")]
      case .directionParameter(let name):
        let words = Self.words(of: name).map { [Fact(.sortAscending, $0), Fact(.sortDescending, $1)] }
        direction = [Fact(.sortDirection, "parameter"), Fact(.sortDirectionParameter, name)] + (words ?? [])
      case .otherParameter(let name):
        direction = [Fact(.sortDirection, "separate"), Fact(.sortDirectionParameter, name)]
      case .value: direction = [Fact(.sortDirection, "value")]
      case .suffix(let up, let down):
        direction = [Fact(.sortDirection, "suffix"), Fact(.sortAscending, up), Fact(.sortDescending, down)]
      }
      return [Fact(.sortParameter, parameter)] + direction + [Fact(.sortFields, fields)]
    }
  }

  /// The name of the preset; `plain` for none.
  let preset: String
  /// Parameters for the page size.
  var sizes: [String] = []
  /// Parameters for the page number.
  var numbers: [String] = []
  /// Parameters for the number of skipped records, each with the number of the first record.
  var offsets: [(parameter: String, first: Int)] = []
  /// Parameters for the identifier of the last record received.
  var after: [String] = []
  var filters: [Filter] = []
  var sorts: [Sort] = []
  /// Parameters for full-text search.
  var searches: [String] = []
  /// Parameters for the requested fields.
  var projections: [String] = []
  /// Fields that only the service sets.
  private(set) var readOnly: Set<String> = []
  /// True if the preset was tested with a server of its kind.
  private(set) var isRun = false
  /// The methods that collections and records usually accept; nil if that varies.
  private(set) var writes: (collection: Set<String>, item: Set<String>)?
  private var facts = Object()

  /// True if the dialect is unknown, so that its words are those of many services, none of them likely.
  var isPlain: Bool { preset == Self.plain.preset }

  init(preset: String) { self.preset = preset }

  init(_ preset: String, _ survey: Object) {
    self.init(preset: preset)
    isRun = Preset(named: preset)?.isRun ?? false
    for name in survey["presets"]?.texts ?? [preset] {
      guard let tree = try? Description(reading: Array("preset: \(name)".utf8), file: name).tree.value.object else {
        continue
      }
      if name == preset { take(tree) }
      takeWords(tree)
    }
    sizes = survey["sizes"]?.texts ?? sizes
    numbers += survey["numbers"]?.texts ?? []
    offsets += survey["offsets"]?.texts.map { ($0, 0) } ?? []
    let others = survey["filters"]?.array?.compactMap { $0.object.flatMap(Filter.init) } ?? []
    filters = filters.filter { own in !others.contains { $0.comparison == own.comparison } } + others
    sorts += survey["sorts"]?.array?.compactMap { $0.object.flatMap(Self.sort) } ?? []
    readOnly.formUnion(survey["readOnly"]?.texts ?? [])
    if survey["writes"] == "unknown" { writes = nil }
  }

  /// Adds the parameters for pages, which differ among the presets of one kind.
  private mutating func takeWords(_ tree: Object) {
    func add(_ name: String?, to list: inout [String]) { if let name, !list.contains(name) { list.append(name) } }
    add(tree["size"]?.object?[.sizeParameter], to: &sizes)
    let page = tree["page"]?.object ?? Object()
    let parameter = page[.pageParameter]
    switch page[.pageStyle] {
    case "number"?: add(parameter, to: &numbers)
    case "offset"?, "range"?:
      if let parameter, !offsets.contains(where: { $0.parameter == parameter }) {
        offsets.append((parameter, page[.pageStyle] == "offset" ? page[.pageFirst] ?? 0 : 0))
      }
      add(page["numberParameter"]?.text, to: &numbers)
    case "after"?: add(parameter, to: &after)
    default: break
    }
  }

  private mutating func take(_ tree: Object) {
    facts = tree
    filters = Self.filters(section("filter"), quote: section("values")["quote"]?.text ?? "")
    sorts = [Self.sort(section("sort"))].compactMap(\.self)
    searches = [section("search")[.searchParameter]].compactMap(\.self)
    projections = [section("projection")[.projectionParameter]].compactMap(\.self)
    readOnly = Set(section("update")[.updateDrop] ?? [])
    let revision = section("revision")
    if revision[.revisionFrom] == "field", let field = revision[.revisionField], !field.contains(".") {
      readOnly.insert(field)
    }
    var (collection, item): (Set<String>, Set<String>) = (["GET"], ["GET"])
    if tree["create"]?.object != nil { collection.insert("POST") }
    if tree["update"]?.object != nil { item.insert(section("update")[.updateMethod] ?? "PUT") }
    if tree["delete"]?.object != nil { item.insert("DELETE") }
    writes = (collection, item)
  }

  // MARK: Facts of the preset

  private func section(_ name: String) -> Object { facts[name]?.object ?? Object() }

  /// Parameters that request the total, if lists do not show it anyway.
  var totals: [(String, String)] {
    section("total")["parameters"]?.object?.members.compactMap { name, value in value.text.map { (name, $0) } } ?? []
  }
  /// The statuses of a page past the end.
  var ends: Set<Int> { Set(section("end")["statuses"]?.array?.compactMap(\.integer) ?? []) }
  var contentType: String { section("base")["contentType"]?.text ?? "application/json" }
  /// The value of `Accept`; nil for the default of surveys.
  var accept: String? { section("base")["headers"]?.object?["Accept"]?.text }
  var isJSONAPI: Bool { section("records")["format"] == "jsonapi" }
  /// The quoting of texts in the query language, as in the section `values` of a description.
  var quoting: Object {
    Object(["quote", "escape", "escaped"].compactMap { key in section("values")[key].map { (key, $0) } })
  }
  /// The words `and` and `or` of the query language; empty without one.
  var joining: Object { section("filter")["language"]?.object ?? Object() }
  /// The path to the member of a request body that contains the fields; nil if unknown.
  var wrap: [String]? {
    facts["create"]?.object.map { $0[.createWrap].map { $0.split(separator: ".").map(String.init) } ?? [] }
  }
  /// True if request bodies are forms, and records are updated by POST.
  var writesForms: Bool { section("create")[.createBody] == "form" }
  var requiresRevision: Bool { section("revision")[.revisionRequired] == true }
  /// True if no simultaneous update of a record is lost.
  var updatesAreAtomic: Bool { section("update")[.updateAtomic] != false }
  /// The suffix of reference fields, if any deletion also deletes all records that refer to a missing one.
  var orphanSuffix: String? { section("delete")[.deleteOrphanSuffix] }
  /// True if the response to a creation contains the record's address.
  var locates: Bool { section("create")[.createLocation] == true }
  var errors: Object? { facts["errors"]?.object }

  private static func filters(_ section: Object, quote: String) -> [Filter] {
    let conditions = section["conditions"]?.object ?? Object()
    let language = section["language"]?.object?["parameter"]?.text
    return Dialect.comparisons.compactMap { word, sign in
      guard let condition = conditions[sign] else { return nil }
      let facts = condition.object ?? condition.array?.first?.object ?? Object()
      let template = condition.text ?? facts["template"]?.text
      if let language, let document = facts["document"] {
        let text = JSONWriter.compact(document).replacing(text: "\"{value}\"", with: "{value}")
        return Filter(comparison: word, parameter: language, value: text, isJSON: true)
      }
      guard let template else { return nil }
      if let language { return Filter(comparison: word, parameter: language, value: template, isJSON: quote == "\"") }
      return Filter(comparison: word, parameter: template, value: facts["value"]?.text ?? "{value}")
    }
  }

  private static func sort(_ section: Object) -> Sort? {
    guard let parameter = section["parameter"]?.text else { return nil }
    let other = section["directionParameter"]?.text
    switch section["direction"]?.text {
    case "parameter"?: return other.map { Sort(parameter: parameter, form: .directionParameter($0)) }
    case "value"?: return Sort(parameter: parameter, form: .value)
    case "separate"?: return other.map { Sort(parameter: parameter, form: .otherParameter($0)) }
    case "suffix"?:
      return Sort(
        parameter: parameter,
        form: .suffix(
          ascending: section["ascending"]?.text ?? "asc", descending: section["descending"]?.text ?? "desc"))
    default: return Sort(parameter: parameter)
    }
  }

  /// Returns whether the preset declares this location as that of the total.
  func declaresTotal(at location: Object) -> Bool {
    let total = section("total")
    if total["contentRange"] == true { return location["header"] == "Content-Range" }
    return !location.isEmpty && total["member"] == location["member"] && total["header"] == location["header"]
  }
}

extension Dialect.Filter {
  /// The condition that was claimed by ``facts(_:)``.
  init?(_ comparison: String, claimed facts: Object) {
    guard let parameter = facts["parameter"]?.text, let value = facts["value"]?.text else { return nil }
    self.init(
      comparison: comparison, parameter: parameter, value: value, isJSON: facts["json"] == true,
      member: facts["member"]?.text)
  }

  /// A condition that is tried besides those of a preset.
  fileprivate init?(_ facts: Object) {
    guard let comparison = Dialect.comparisons.first(where: { .string($0.value) == facts["sign"] })?.key,
      let parameter = facts["parameter"]?.text
    else { return nil }
    self.init(comparison: comparison, parameter: parameter)
    value = facts["value"]?.text ?? value
    isJSON = facts["isJSON"] == true
  }
}
