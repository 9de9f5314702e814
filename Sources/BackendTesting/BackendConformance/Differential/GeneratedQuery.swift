import BackendKit

/// A random query, and how its answer is read.
struct GeneratedQuery: Sendable, Hashable {
  var query: ListQuery
  /// The number of records to request at a time; nil for all at once.
  var piece: Int?

  init(query: ListQuery, piece: Int? = nil) { (self.query, self.piece) = (query, piece) }
}

struct QueryGenerator: Sendable {
  enum Part: String, Sendable, CaseIterable {
    case filters, sort, search, fields, window
  }

  let path: ResourcePath
  private let names: [String]
  private let values: [String: [Value]]
  private let texts: [String]
  private let sparseNames: [String]
  private let count: Int

  init(_ context: LawContext, _ population: SampleRecords) {
    path = context.path
    count = population.records.count
    let known = population.records.filter(population.counts)
    var names: [String] = []
    var values: [String: [Value]] = [:]
    var texts: [String] = []
    for record in known {
      for (name, value) in record.fields.members {
        if values[name] == nil { names.append(name) }
        values[name, default: []].append(value)
        if let text = value.text { texts.append(text) }
      }
    }
    for field in context.resource.fields where values[field.name] == nil { names.append(field.name) }
    self.names = names
    sparseNames = names.filter { name in
      known.contains { $0.fields[name] == nil } || values[name]?.contains(.null) == true
    }
    self.values = values
    self.texts = texts
  }

  /// A query by each field, in turn ascending and descending.
  var sorts: [GeneratedQuery] {
    names.prefix(12).enumerated().map { place, name in
      GeneratedQuery(query: ListQuery(path, sort: [SortKey(FieldPath(name), isDescending: place % 2 == 1)]))
    }
  }

  func query(_ parts: [Part], _ random: inout SeededGenerator) -> GeneratedQuery {
    var query = ListQuery(path)
    var piece: Int?
    if parts.contains(.filters) {
      for _ in 0..<random.pick([1, 1, 1, 2, 3], else: 1) { query.filters.append(filter(&random)) }
      query.ignoreCase = random.happens(in: 25)
    }
    if parts.contains(.sort) {
      for _ in 0..<random.pick([1, 1, 2], else: 1) {
        query.sort.append(SortKey(field(&random), isDescending: Bool.random(using: &random)))
      }
    }
    if parts.contains(.search) { query.search = part(of: random.pick(texts, else: "a"), &random) }
    if parts.contains(.fields) {
      query.fields = (0..<Int.random(in: 1...3, using: &random)).map { _ in field(&random) }
      query.fields = query.fields.map { fields in fields.enumerated().filter { !fields[..<$0].contains($1) }.map(\.1) }
    }
    if parts.contains(.window) {
      if random.happens(in: 70) { query.skip = Int.random(in: 0...(min(count, 40) + 2), using: &random) }
      if random.happens(in: 70) { query.pageSize = Int.random(in: 1...12, using: &random) }
      if random.happens(in: 50) { piece = Int.random(in: 2...7, using: &random) }
    }
    return GeneratedQuery(query: query, piece: piece)
  }

  // MARK: Conditions

  func filter(_ random: inout SeededGenerator, depth: Int = 0) -> Filter {
    switch Int.random(in: 0..<100, using: &random) {
    case ..<8:
      // An empty set of values is a condition, too.
      let count = Int.random(in: 0...3, using: &random)
      return .among(field(&random), (0..<count).map { _ in operand(of: field(&random), &random) })
    case ..<17: return .isNull(sparse(&random))
    case ..<26: return .isMissing(sparse(&random))
    case ..<45 where depth < 2:
      let filters = (0..<Int.random(in: 0...3, using: &random)).map { _ in filter(&random, depth: depth + 1) }
      switch Int.random(in: 0..<3, using: &random) {
      case 0: return .and(filters)
      case 1: return .or(filters)
      default: return .not(filters.first ?? .or([]))
      }
    default:
      let path = field(&random)
      let comparison = random.pick(Comparison.allCases + [.equal, .equal, .equal], else: .equal)
      let operand = operand(of: path, &random)
      guard comparison == .contains else { return .compare(path, comparison, operand) }
      return .compare(path, .contains, .word(part(of: operand.text ?? operand.number?.text ?? "a", &random)))
    }
  }

  private func field(_ random: inout SeededGenerator) -> FieldPath {
    if random.happens(in: 4) { return FieldPath(random.pick(QueryGenerator.strangeNames, else: "no")) }
    return FieldPath(random.pick(names, else: "id"))
  }

  /// Fields that no record has, with names that may confuse a query language.
  private static let strangeNames = [
    "switchboardNoSuchField", "1st", "a b", "select", "it's", "a,b", "a|b", "été", "x-y", "_page", "-a",
  ]

  /// If possible, a field that is null or missing in some records.
  private func sparse(_ random: inout SeededGenerator) -> FieldPath {
    random.happens(in: 80) ? FieldPath(random.pick(sparseNames, else: names.first ?? "id")) : field(&random)
  }

  /// An operand: usually a value of the field, or the word for it.
  private func operand(of path: FieldPath, _ random: inout SeededGenerator) -> Operand {
    var value = random.pick(values[path.text] ?? [], else: .string(random.pick(DraftRecords.texts, else: "a")))
    if random.happens(in: 15) { value = .string(random.pick(DraftRecords.texts, else: "a")) }
    if random.happens(in: 15) { value = .int(random.pick(DraftRecords.integers, else: 1)) }
    switch value {
    case .null, .array, .object: return .word("null")
    case .bool(let bool): return random.happens(in: 50) ? .word("\(bool)") : .value(value)
    case .number(let number):
      let spelled = random.happens(in: 10) ? Number(number.text + ".0") ?? number : number
      return random.happens(in: 50) ? .word(spelled.text) : .value(.number(spelled))
    case .string(let text):
      let spelled = respelled(text, &random)
      return random.happens(in: 50) ? .word(spelled) : .value(.string(spelled))
    }
  }

  private func respelled(_ text: String, _ random: inout SeededGenerator) -> String {
    switch Int.random(in: 0..<100, using: &random) {
    case ..<20: text.uppercased()
    case ..<28: text.lowercased()
    case ..<32: text + " "
    default: text
    }
  }

  private func part(of text: String, _ random: inout SeededGenerator) -> String {
    let scalars = Array(text.unicodeScalars)
    guard scalars.count > 1 else { return text.isEmpty ? "a" : text }
    // The mark is in every record: usually a part after it is taken.
    let first = random.happens(in: 75) && scalars.count > 36 ? 30 : 0
    let start = Int.random(in: first..<scalars.count, using: &random)
    let length = Int.random(in: 1...max(1, min(4, scalars.count - start)), using: &random)
    var part = String.UnicodeScalarView()
    part.append(contentsOf: scalars[start..<min(start + length, scalars.count)])
    return random.happens(in: 20) ? String(part).uppercased() : String(part)
  }
}

extension GeneratedQuery: CustomStringConvertible {
  var description: String {
    var words = ["list \(query.resource)"]
    words += query.filters.map { "--where \($0)" }
    if !query.sort.isEmpty { words.append("--sort " + query.sort.map(\.description).joined(separator: ",")) }
    if let search = query.search { words.append("--search '\(search)'") }
    if let fields = query.fields { words.append("--fields " + fields.map(\.text).joined(separator: ",")) }
    if query.skip > 0 { words.append("--skip \(query.skip)") }
    if let size = query.pageSize { words.append("--page-size \(size)") }
    if query.ignoreCase { words.append("--ignore-case") }
    if let piece { words.append("in pieces of \(piece)") }
    return words.joined(separator: " ")
  }
}
