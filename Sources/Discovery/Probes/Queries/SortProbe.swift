import BackendKit
import ServiceDescription

/// Finds how lists are sorted: the list that the engine reads must be in order in both directions, other than by
/// default, and begin with the first of all known records.
struct SortProbe: Probe {
  let survey: ResourceSurvey

  struct Found {
    let sort: Dialect.Sort
    let fields: [String]
    let evidence: String
  }

  /// Finds the parameter; nil if none works. Rarer ways are tried only at last, unless something suggests them.
  func run(isLast: Bool = false) async throws(BackendError) -> Found? {
    let fields = fields()
    guard !fields.isEmpty else {
      survey.claims.leave(.sortParameter, "no field has three different numbers or strings in the records seen")
      return nil
    }
    let usual = survey.dialect.isPlain ? [] : survey.dialect.sorts
    let documented = documented(usual)
    var candidates = documented + usual
    if candidates.isEmpty { candidates = try await unnamed(fields, isLast: isLast) }
    let tried = candidates.unique { "\($0)" }
    // A field that cannot be sorted by says nothing about the parameter; most services sort by the identifier. If
    // unknown parameters are refused, trying more names is better than more fields.
    let isStrict = documented.isEmpty && usual.isEmpty && survey.unknown == "refused"
    let pairs =
      isStrict
      ? fields.suffix(1).flatMap { field in tried.map { (field, $0) } }
        + (fields.dropLast() + times.prefix(1)).flatMap { field in tried.prefix(1).map { (field, $0) } }
      : fields.flatMap { field in tried.prefix(3).map { (field, $0) } }
    for (field, sort) in pairs {
      guard let down = try await page(sort, field, isDescending: true), isOrdered(down.rows, field, isDescending: true),
        let (other, up) = try await ascending(sort, unlike: field)
      else { continue }
      let evidence = "\(up.evidence("in order")); \(down.answer.evidence("the other way round"))"
      let fields = other == field ? [field] : [field, other]
      survey.prove(sort.facts(fields), evidence)
      return Found(sort: sort, fields: fields, evidence: evidence)
    }
    survey.claims.leave(.sortParameter, "none of the parameters that were tried sorts the list")
    return nil
  }

  /// The documented ways: known ones, and any parameter beginning with `sort` or `order`, with its direction.
  private func documented(_ usual: [Dialect.Sort]) -> [Dialect.Sort] {
    guard let resource = survey.documented else { return [] }
    func spelled(_ name: String) -> String? { resource.parameters(named: [name]).first }
    let known = (usual + Dialect.plain.sorts).compactMap { sort -> Dialect.Sort? in
      guard let parameter = spelled(sort.parameter) else { return nil }
      guard case .directionParameter(let direction) = sort.form else {
        return Dialect.Sort(parameter: parameter, form: sort.form)
      }
      return spelled(direction).map { Dialect.Sort(parameter: parameter, form: .directionParameter($0)) }
    }
    let names = resource.parameters.filter { name in
      ["sort", "order"].contains { DocumentedResource.plain(name).hasPrefix($0) }
    }
    let direction = names.first { name in
      ["dir", "sortorder"].contains { DocumentedResource.plain(name).contains(text: $0) }
    }
    let others = names.filter { name in name != direction && !known.contains { $0.parameter == name } }
    return known
      + others.map { name in
        Dialect.Sort(parameter: name, form: direction.map { .directionParameter($0) } ?? .minus)
      }
  }

  private static let usualForms = 2

  /// Undocumented ways that have an effect, by bisection among those of one form. A service that refuses unknown
  /// parameters is only sent the likeliest.
  private func unnamed(_ fields: [String], isLast: Bool) async throws(BackendError) -> [Dialect.Sort] {
    guard ["ignored", "all"].contains(survey.unknown) else {
      return isLast ? [] : Dialect.plain.likelySorts(in: survey.first)
    }
    for (place, forms) in Dialect.sortForms.enumerated() where isLast == (place >= Self.usualForms) {
      // The identifier may not be sortable, and is only tried with the likeliest form.
      for field in fields.prefix(place == 0 ? 2 : 1) {
        guard try await isOrdered(forms, field) else { continue }
        let form = try await forms.narrowed { half throws(BackendError) in try await isOrdered(half, field) }
        return [form].compactMap(\.self)
      }
    }
    return []
  }

  /// Returns whether the list is in descending order with all of these ways at once.
  private func isOrdered(_ sorts: [Dialect.Sort], _ field: String) async throws(BackendError) -> Bool {
    let found = try await survey.read(sorts.map { $0.facts([field]) }, query(field, isDescending: true))
    return isOrdered(found?.rows, field, isDescending: true)
  }

  /// An ascending list, preferably by another sortable field that is not in order by default, which proves more.
  private func ascending(
    _ sort: Dialect.Sort, unlike field: String
  ) async throws(BackendError) -> (field: String, answer: ProbeResponse)? {
    let rows = survey.rows.map { survey.fields(of: $0) }
    let other = sortable(rows).first { name in
      name != field && !Self.isOrdered(rows.map { $0[name] ?? .null }, isDescending: false)
    }
    for name in [other, field].compactMap(\.self) {
      // After the descending order, the default order is proof enough.
      if let up = try await page(sort, name, isDescending: false),
        isOrdered(up.rows, name, isDescending: false, mayBeUsual: name == field)
      {
        return (name, up.answer)
      }
    }
    return nil
  }

  /// Fields with at least three different numbers or texts, and one in every record.
  private func sortable(_ rows: [Object]) -> [String] {
    (rows.first?.names ?? []).filter { name in
      let values = rows.map { $0[name] ?? .null }
      return !name.hasPrefix("@") && name != survey.identifier?.link.first && Set(values).count >= 3
        && values.allSatisfy { $0.isNumber || $0.text != nil && !survey.namesRecord($0) }
    }
  }

  /// Fields with three different values: one that is not in order by default, if possible, and the identifier.
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
    let texts = names.filter { isUsable($0) { $0.text != nil && !survey.namesRecord($0) } }
    let naming = (numbers + texts).first { $0 == survey.identifier?.fields.last }
    let others = (texts + numbers).filter { $0 != naming }
    // A page of the same values shows no order.
    let rowsOfPage = survey.first.flatMap { survey.rows(of: $0)?.count } ?? 0
    func isVaried(_ name: String) -> Bool {
      Dictionary(grouping: values(name)) { $0 }.values.allSatisfy { $0.count < rowsOfPage }
    }
    let mixed = (numbers.filter { $0 != naming } + others).filter(isMixed)
    let first = mixed.first(where: isVaried) ?? mixed.first ?? others.first
    return [first, naming ?? others.first { $0 != first }].compactMap(\.self)
  }

  /// The times of records: a service that sorts by few fields may sort by these.
  private var times: [String] {
    let rows = survey.rows.map { survey.fields(of: $0) }
    return (rows.first?.names ?? []).filter { name in
      let values = rows.map { $0[name] ?? .null }
      return values.allSatisfy(\.isDay) && Set(values).count >= 3
    }
  }

  /// Looks for further sortable fields; a service may ignore those that it cannot sort by.
  func runOnOthers(_ found: Found) async throws(BackendError) {
    let rows = survey.rows.map { survey.fields(of: $0) }
    var fields = found.fields
    for name in sortable(rows).filter({ !found.fields.contains($0) }).prefix(Self.mostOthers) {
      // The opposite of the default order proves enough with one request.
      let isDescending = !Self.isOrdered(rows.map { $0[name] ?? .null }, isDescending: true)
      guard let turned = try await page(found.sort, name, isDescending: isDescending) else { continue }
      if isOrdered(turned.rows, name, isDescending: isDescending) {
        fields.append(name)
      } else if let rows = turned.rows, isUniform(rows, name, isDescending: isDescending) {
        // Newer records may all have it, and a service may put these first for a field that it does not know.
        let other = try await page(found.sort, UnknownProbe.parameter, isDescending: isDescending)
        if other?.rows.map(survey.keys) != survey.keys(rows) { fields.append(name) }
      }
    }
    survey.prove(.sortFields, fields, found.evidence)
  }

  private static let mostOthers = 6

  private func page(
    _ sort: Dialect.Sort, _ field: String, isDescending: Bool
  ) async throws(BackendError) -> ProposedBackend.Page? {
    try await survey.proposing(sort.facts([field])).page(query(field, isDescending: isDescending))
  }

  private func query(_ field: String, isDescending: Bool) -> ListQuery {
    ListQuery(survey.path, sort: [SortKey(FieldPath(field), isDescending: isDescending)], serverOrder: true)
  }

  /// Returns whether a page proves an order: unlike the default, it is in order, and begins with the first record.
  private func isOrdered(_ rows: [Object]?, _ field: String, isDescending: Bool, mayBeUsual: Bool = false) -> Bool {
    func values(_ rows: [Object]) -> [Value] { rows.map { survey.fields(of: $0)[field] ?? .null } }
    guard let rows, rows.count > 1, let first = values(rows).first,
      Self.isOrdered(values(rows), isDescending: isDescending)
    else { return false }
    let usual = survey.rows(of: survey.first).map(values) ?? []
    guard mayBeUsual || !Self.isOrdered(usual, isDescending: isDescending) else { return false }
    return values(survey.rows).allSatisfy { value in
      value == first || Self.isOrdered([first, value], isDescending: isDescending)
    }
  }

  /// Returns whether a page has nothing but the first of a few values, while others come before it by default.
  private func isUniform(_ rows: [Object], _ field: String, isDescending: Bool) -> Bool {
    func values(_ rows: [Object]) -> Set<Value> { Set(rows.map { survey.fields(of: $0)[field] ?? .null }) }
    guard rows.count >= Self.enoughRows, let first = values(rows).first, values(rows).count == 1,
      let usual = survey.rows(of: survey.first), values(usual).count > 1
    else { return false }
    return values(survey.rows).allSatisfy { $0 == first || Self.isOrdered([first, $0], isDescending: isDescending) }
  }

  private static let enoughRows = 5

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
