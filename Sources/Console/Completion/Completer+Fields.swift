import BackendClient
import BackendKit
import CommandLanguage

extension Completer {
  func fieldNames(_ resource: ResourceDescription?, suffix: String?) -> [Proposal] {
    (resource?.fields ?? []).map { Proposal($0.name, $0.summary, suffix: suffix) }
  }

  /// Conditions of one word: field, operator, value.
  func conditions(_ typed: String, _ resource: ResourceDescription?) -> (Int, [Proposal]) {
    if let (field, offset, _) = Self.operation(in: typed, resource) {
      return (offset, values(of: field, String(typed.unicodeScalars.dropFirst(offset))))
    }
    if let field = resource?.field(named: typed) {
      return (0, field.comparisons.map { Proposal(typed + $0.rawValue, $0.meaning, suffix: "") })
    }
    return (0, fieldNames(resource, suffix: "").filter { $0.text.hasPrefix(typed) })
  }

  /// Assignments of one word: field, `=` or `:=`, then a value, or `@` and a file.
  func assignments(_ typed: String, _ resource: ResourceDescription?) -> (Int, [Proposal]) {
    guard let (field, offset, _) = Self.operation(in: typed, resource) else {
      let writable = (resource?.fields ?? []).filter { !$0.isReadOnly }
      let all = writable.map { Proposal($0.name + "=", $0.summary, suffix: "") }
      return (0, all.filter { $0.text.hasPrefix(typed) })
    }
    let value = String(typed.unicodeScalars.dropFirst(offset))
    guard value.hasPrefix("@") else { return (offset, values(of: field, value)) }
    let (inner, files) = FilePaths.matching(String(value.dropFirst()))
    return (offset + 1 + inner, files)
  }

  /// Fields separated by commas, each once; in a sort, with `-` for descending order.
  func listed(_ typed: String, _ resource: ResourceDescription?, isSort: Bool) -> (Int, [Proposal]) {
    var parts = typed.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    var last = parts.popLast() ?? ""
    let isReversed = isSort && last.hasPrefix("-")
    if isReversed { last.removeFirst() }
    let offset = typed.unicodeScalars.count - last.unicodeScalars.count
    let used = Set(parts.map { $0.hasPrefix("-") ? String($0.dropFirst()) : $0 })
    var found = fieldNames(resource, suffix: nil)
    if isSort, !isReversed {
      found += (resource?.fields ?? []).map { Proposal("-\($0.name)", "\($0.name), reversed") }
    }
    return (
      offset,
      found.filter {
        $0.text.hasPrefix(last) && !used.contains($0.text.hasPrefix("-") ? String($0.text.dropFirst()) : $0.text)
      }
    )
  }

  /// The fields that refer to records, separated by commas, each once, by their shortest names.
  func relations(_ typed: String, _ resource: ResourceDescription?) -> (Int, [Proposal]) {
    var parts = typed.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let last = parts.popLast() ?? ""
    let relations = resource?.relations ?? []
    let found = relations.map { relation in
      let isShort = relations.filter { $0.shortName == relation.shortName }.count == 1
      return Proposal(isShort ? relation.shortName : relation.path.text, relation.reference.words)
    }
    return (
      typed.unicodeScalars.count - last.unicodeScalars.count,
      found.filter { $0.text.hasPrefix(last) && !parts.contains($0.text) }
    )
  }

  /// An expression after `--where`: fields and keywords.
  mutating func expression(
    _ typed: String, _ resource: ResourceDescription?, _ target: String?
  ) -> (Int, [Proposal]) {
    let last = typed.split(omittingEmptySubsequences: false) { " (),".contains($0) }.last.map(String.init) ?? ""
    let offset = typed.unicodeScalars.count - last.unicodeScalars.count
    let (inner, found) = named(last, resource, target) ?? conditions(last, resource)
    if inner > 0 || !found.isEmpty && resource?.field(named: last) != nil {
      return (offset + inner, found.map { Proposal($0.text, $0.note, suffix: "") })
    }
    let words = [
      ("and", "both hold"), ("or", "one of them holds"), ("not", "it does not hold"), ("in", "one of: in (1, 2)"),
      ("is", "is null, is missing, is not null"),
    ].map { Proposal($0.0, $0.1, suffix: " ") }
    return (
      offset,
      (found + words).filter { $0.text.hasPrefix(last) }.map { Proposal($0.text, $0.note, suffix: $0.suffix ?? "") }
    )
  }

  /// The resource; if an action is named, with the action's fields instead of its own.
  mutating func taken(_ place: CommandPlace) -> ResourceDescription? {
    var resource = resource(place.target)
    guard let name = place.action else { return resource }
    let fields = resource?.action(named: name)?.fields ?? []
    resource?.fields = fields
    return resource
  }

  /// The records that the value of a field can name; nil if it names none, or none is known.
  mutating func named(
    _ typed: String, _ resource: ResourceDescription?, _ target: String?
  ) -> (Int, [Proposal])? {
    guard case (let field?, let offset, _)? = Self.operation(in: typed, resource), let reference = field.reference,
      reference.key == nil, let backend = self.target(target)?.backend
    else { return nil }
    let (_, found) = identifiers(
      String(typed.unicodeScalars.dropFirst(offset)), "\(backend)/\(reference.resource)")
    return found.isEmpty ? nil : (offset, found)
  }

  private func values(of field: FieldDescription?, _ typed: String) -> [Proposal] {
    if let field, !field.values.isEmpty {
      let isSample = sampled.contains(field.name)
      return field.values.map { value in
        var proposal = Proposal(value.plainText)
        proposal.isSample = isSample
        return proposal
      }.filter { $0.text.hasPrefix(typed) }
    }
    let words = field?.kind == .boolean ? ["true", "false"] : [field?.defaultValue?.plainText].compactMap(\.self)
    return words.map { Proposal($0) }.filter { $0.text.hasPrefix(typed) }
  }

  /// The field before the first operator of a word, the start of the value, and the operator.
  static func operation(
    in typed: String, _ resource: ResourceDescription?
  ) -> (field: FieldDescription?, offset: Int, symbol: String)? {
    let scalars = Array(typed.unicodeScalars)
    func isSign(_ scalar: Unicode.Scalar) -> Bool { scalar == ":" || OperatorSigns.all.contains(scalar) }
    guard let index = scalars.firstIndex(where: isSign), index > 0 else { return nil }
    let symbol = scalars[index...].prefix(while: isSign)
    // `!` or `:` alone is only the beginning of an operator.
    guard symbol.count > 1 || OperatorSigns.alone.contains(symbol[index]) else { return nil }
    var name = String.UnicodeScalarView()
    name.append(contentsOf: scalars[..<index])
    var text = String.UnicodeScalarView()
    text.append(contentsOf: symbol)
    return (resource?.field(named: String(name)), index + symbol.count, String(text))
  }
}

extension FieldDescription {
  fileprivate var summary: String {
    ([
      kind == .any ? nil : kind.rawValue, isRequired ? "required" : nil, isReadOnly ? "read only" : nil,
      isVolatile ? "volatile" : nil, isUnique ? "unique" : nil, reference?.words, title,
    ]
    .compactMap(\.self) + (values.isEmpty ? constraints : []) + [note].compactMap(\.self)).joined(separator: ", ")
  }

  fileprivate var comparisons: [Comparison] {
    switch kind {
    case .text, .html, .any: [.equal, .notEqual, .contains, .less, .lessOrEqual, .greater, .greaterOrEqual]
    case .integer, .number, .date, .day: [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]
    case .boolean: [.equal, .notEqual]
    case .object, .list: [.equal, .notEqual]
    }
  }
}

extension Comparison {
  fileprivate var meaning: String {
    switch self {
    case .equal: "is"
    case .notEqual: "is not"
    case .less: "is less than"
    case .lessOrEqual: "is at most"
    case .greater: "is more than"
    case .greaterOrEqual: "is at least"
    case .contains: "contains"
    }
  }
}
