import BackendClient
import BackendKit

/// Finds how an order is asked for: a list has to come in order, and the other way round.
struct SortProbe: Probe {
  private let survey: ResourceSurvey

  init(_ survey: ResourceSurvey) { self.survey = survey }

  /// What worked: how the order is asked for, and by which field.
  struct Found {
    let sort: Dialect.Sort
    let field: String
    let evidence: String
  }

  /// Finds the parameter; nil where none is found.
  func run() async throws(BackendError) -> Found? {
    let fields = fields()
    guard !fields.isEmpty else {
      survey.claims.leave("sort.parameter", "no field has three different numbers or texts in the records seen")
      return nil
    }
    let usual = survey.dialect.sorts
    let documented =
      survey.documented.map { resource in
        (usual + Dialect.plain.sorts).filter { resource.parameters.contains($0.parameter) }
      } ?? []
    var candidates = documented + usual
    if candidates.isEmpty { candidates = Array(Dialect.plain.sorts.prefix(3)) }
    var seen: Set<String> = []
    let tried = candidates.filter { seen.insert("\($0)").inserted }
    // A field by which nobody may sort says nothing of the parameter: most services take the identifier.
    for (field, sort) in fields.flatMap({ field in tried.prefix(3).map { (field, $0) } }) {
      guard let down = try await answer(sort, field, isDescending: true), isOrdered(down, field, isDescending: true),
        let up = try await answer(sort, field, isDescending: false), isOrdered(up, field, isDescending: false)
      else { continue }
      let evidence = "\(up.evidence("in order")); \(down.evidence("the other way round"))"
      survey.claims.add("sort.parameter", .string(sort.parameter), .proved, evidence)
      switch sort.form {
      case .minus: survey.claims.add("sort.direction", "minus", .proved, evidence)
      case .directionParameter(let name):
        survey.claims.add("sort.direction", "parameter", .proved, evidence)
        survey.claims.add("sort.directionParameter", .string(name), .proved, evidence)
        if let words = Self.words(name) {
          survey.claims.add("sort.ascending", .string(words.ascending), .proved, evidence)
          survey.claims.add("sort.descending", .string(words.descending), .proved, evidence)
        }
      case .otherParameter(let name):
        survey.claims.add("sort.direction", "separate", .proved, evidence)
        survey.claims.add("sort.directionParameter", .string(name), .proved, evidence)
      case .suffix(let up, let down):
        survey.claims.add("sort.direction", "suffix", .proved, evidence)
        survey.claims.add("sort.ascending", .string(up), .proved, evidence)
        survey.claims.add("sort.descending", .string(down), .proved, evidence)
      }
      survey.claims.add("sort.fields", .array([.string(field)]), .proved, evidence)
      return Found(sort: sort, field: field, evidence: evidence)
    }
    survey.claims.leave("sort.parameter", "none of the usual names orders the list")
    return nil
  }

  /// Fields with three different values: one whose values do not come in order by themselves, and the identifier.
  private func fields() -> [String] {
    let rows = survey.rows.map { survey.fields(of: $0) }
    func values(_ name: String) -> [Value] { rows.map { $0[name] ?? .null } }
    func isUsable(_ name: String, _ kind: (Value) -> Bool) -> Bool {
      let values = values(name)
      return values.allSatisfy(kind) && Set(values).count >= 3
    }
    func isMixed(_ name: String) -> Bool {
      !Self.isOrdered(values(name), isDescending: false) && !Self.isOrdered(values(name), isDescending: true)
    }
    let names = rows.first?.names ?? []
    let numbers = names.filter { isUsable($0) { $0.integer != nil } }
    let texts = names.filter { isUsable($0) { $0.text != nil } }
    let first = numbers.first(where: isMixed) ?? texts.first(where: isMixed)
    let identifier = survey.identifier?.field
    let second = (numbers + texts).first { $0 == identifier } ?? (numbers + texts).first { $0 != first }
    return [first, second == first ? nil : second].compactMap(\.self)
  }

  /// Looks for other fields by which the list comes in order: a service may ignore those that it does not sort by.
  func runOnOthers(_ found: Found) async throws(BackendError) {
    let rows = survey.rows.map { survey.fields(of: $0) }
    let usable = (rows.first?.names ?? []).filter { name in
      let values = rows.map { $0[name] ?? .null }
      return name != found.field && Set(values).count >= 3 && values.allSatisfy { $0.integer != nil || $0.text != nil }
    }
    var fields = [found.field]
    for name in usable.prefix(Self.mostOthers) {
      // In the other order than they come by themselves: one request shows enough.
      let isDescending = !Self.isOrdered(rows.map { $0[name] ?? .null }, isDescending: true)
      guard let turned = try await answer(found.sort, name, isDescending: isDescending),
        isOrdered(turned, name, isDescending: isDescending)
      else { continue }
      fields.append(name)
    }
    survey.claims.add("sort.fields", .array(fields.map { .string($0) }), .proved, found.evidence)
  }

  private static let mostOthers = 6

  /// The words of a parameter for the direction, where they are not asc and desc.
  private static func words(_ parameter: String) -> (ascending: String, descending: String)? {
    parameter == "sortOrder" ? ("ascending", "descending") : nil
  }

  private func answer(_ sort: Dialect.Sort, _ field: String, isDescending: Bool) async throws(BackendError) -> Answer? {
    let target: Target
    switch sort.form {
    case .minus: target = survey.target.with(sort.parameter, (isDescending ? "-" : "") + field)
    case .directionParameter(let name):
      let words = Self.words(name) ?? ("asc", "desc")
      target = survey.target.with(sort.parameter, field).with(name, isDescending ? words.descending : words.ascending)
    case .otherParameter(let name): target = survey.target.with(isDescending ? name : sort.parameter, field)
    case .suffix(let up, let down): target = survey.target.with(sort.parameter, field + (isDescending ? down : up))
    }
    return try await survey.prober.get(target)
  }

  private func isOrdered(_ answer: Answer, _ field: String, isDescending: Bool) -> Bool {
    guard let rows = survey.rows(of: answer), rows.count > 1 else { return false }
    return Self.isOrdered(rows.map { survey.fields(of: $0)[field] ?? .null }, isDescending: isDescending)
  }

  private static func isOrdered(_ values: [Value], isDescending: Bool) -> Bool {
    guard Set(values).count > 1 else { return false }
    let wrong: Order = isDescending ? .before : .after
    return zip(values, values.dropFirst()).allSatisfy { left, right in
      switch (left, right) {
      case (.number(let left), .number(let right)): Number.compare(left, right) != wrong
      case (.string(let left), .string(let right)): isDescending ? left >= right : left <= right
      case (.null, _), (_, .null): true
      default: false
      }
    }
  }
}
