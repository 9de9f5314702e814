import BackendClient
import BackendKit

extension IdentifierProbe {
  /// The pairs to try: each of the likeliest fields at each of the likeliest paths. A documented path is tried with
  /// every unique field, and the usual path with two more if at most one is named like an identifier.
  func pairs(_ fields: [String], _ rows: [Object]) -> [(field: String, template: String)] {
    let templates = templates()
    let documented = survey.documented?.item.flatMap { $0.variables == 1 ? Self.named($0.template) : nil }
    let others = others(rows)
    var pairs = fields.prefix(3).flatMap { field in templates.prefix(2).map { (field: field, template: $0) } }
    pairs += documented.map { path in others.prefix(Self.mostOthers).map { (field: $0, template: path) } } ?? []
    // An address is no identifier, and may be that of an action.
    let names = others.filter { field in rows.allSatisfy { $0[field]?.text.flatMap(Link.rootPath) == nil } }
    let guesses = fields.count < 2 && documented == nil ? names.prefix(2) : []
    pairs += guesses.flatMap { field in templates.prefix(1).map { (field: field, template: $0) } }
    let single = documented == nil ? self.single : nil
    pairs += single.map { path in (fields + guesses).prefix(2).map { (field: $0, template: path) } } ?? []
    return pairs
  }

  private static let mostOthers = 6

  /// The last row whose record may be read: an identifier may look like a verb.
  func readable(_ rows: [Object], _ pair: (field: String, template: String)?) -> Object? {
    let gate = survey.prober.gate
    let row = rows.last { row in
      guard let pair, let id = RecordID(row[pair.field]) else { return true }
      return gate.refusal(of: Found.target(id, pair.template)) == nil
    }
    return row ?? rows.last
  }

  /// The unique fields that are named like an identifier, the likeliest first.
  func candidates(_ rows: [Object]) -> [String] { ranked(rows).filter { $0.rank < 40 }.map(\.field) }

  /// The other unique fields, the one named like the variable in the documented path first.
  func others(_ rows: [Object]) -> [String] {
    let tried = candidates(rows).prefix(3)
    let last = survey.documented?.item?.template.split(separator: "/").last ?? ""
    let variable = DocumentedResource.plain(String(last))
    let secrets = ["password", "secret", "token", "key"]
    let all = ranked(rows).map(\.field).filter { field in
      !tried.contains(field) && !secrets.contains { field.lowercased().contains(text: $0) }
        && rows.allSatisfy { row in
          let value = row[field] ?? .null
          return FilterProbe.isUsable(value) && (!value.isNumber || value.integer != nil)
        }
    }
    return all.filter { DocumentedResource.plain($0) == variable }
      + all.filter { DocumentedResource.plain($0) != variable }
  }

  /// The single unique field among many records; nil if there are several.
  func onlyUnique(_ rows: [Object]) -> String? {
    let others = others(rows)
    return rows.count >= Self.enoughIdentifiers && others.count == 1 ? others.first : nil
  }

  /// The unique fields with the rank of their names. One that ends the address in each record ranks first.
  private func ranked(_ rows: [Object]) -> [(field: String, rank: Int)] {
    let single = survey.name.hasSuffix("s") ? String(survey.name.dropLast()) : survey.name
    let named = Self.names + ["\(single)_id", "\(single)Id", "\(survey.name)_id"]
    let unique = (rows.first?.names ?? []).filter { field in
      let values = rows.compactMap { RecordID($0[field])?.text }
      return values.count == rows.count && Set(values).count == rows.count && values.allSatisfy { $0.utf8.count <= 200 }
    }
    let ends = ends(unique, rows)
    func rank(_ field: String) -> Int {
      if field == survey.shape?.keyField { return -2 }
      if ends?.isEmpty == false, rows.map({ RecordID($0[field])?.text }) == ends { return -1 }
      return named.firstIndex(of: field) ?? (field.lowercased().hasSuffix("id") ? 20 : 40)
    }
    return unique.map { ($0, rank($0)) }.enumerated().sorted {
      ($0.element.1, $0.offset) < ($1.element.1, $1.offset)
    }.map { (field: $0.element.0, rank: $0.element.1) }
  }

  /// The last segments of the records' own addresses directly below the list; nil if records have none.
  private func ends(_ fields: [String], _ rows: [Object]) -> [String?]? {
    let folder = Candidates.plain(survey.collection) + "/"
    return fields.lazy.compactMap { field -> [String?]? in
      let ends = rows.compactMap { row -> String? in
        guard let address = row[field]?.text, let path = Link.rootPath(address).map(Candidates.plain),
          path.hasPrefix(folder), !path.dropFirst(folder.count).contains("/")
        else { return nil }
        return Link.lastPart(address)
      }
      return ends.count == rows.count ? ends : nil
    }.first
  }

  /// The possible paths of a record: from the document, from the record itself, and below the collection.
  func templates() -> [String] {
    if let nested = survey.nested { return nested.item.map { [Self.named($0)] } ?? [] }
    var templates: [String] = []
    if let item = survey.documented?.item, item.variables == 1 { templates.append(Self.named(item.template)) }
    let (path, ending) = folder
    let hasSlash = survey.collection.prefix { $0 != "?" }.hasSuffix("/")
    templates.append("\(path)/{id}\(ending)" + (hasSlash ? "/" : ""))
    if hasSlash { templates.append("\(path)/{id}") }
    return templates.unique
  }

  /// The path of the list without slash and extension, and the extension.
  var folder: (path: String, ending: String) {
    let path = Candidates.plain(survey.collection)
    return path.hasSuffix(".json") ? (String(path.dropLast(5)), ".json") : (path, "")
  }

  /// The path beside the list in the singular: `/silence/{id}` for `/silences`; nil if it is not a plural.
  private var single: String? {
    let (path, ending) = folder
    guard survey.nested == nil, let slash = path.lastIndex(of: "/") else { return nil }
    let many = String(path[path.index(after: slash)...])
    let forms = [many.hasSuffix("ies") ? many.dropLast(3) + "y" : "", String(many.dropLast())]
    let one = forms.first { one in one.count > 2 && Plural.forms(of: one.lowercased()).contains(many.lowercased()) }
    return one.map { "\(path[...slash])\($0)/{id}\(ending)" }
  }

  static func named(_ template: String) -> String {
    guard let open = template.firstIndex(of: "{"), let close = template[open...].firstIndex(of: "}") else {
      return template
    }
    return template[..<open] + "{id}" + template[template.index(after: close)...]
  }
}
