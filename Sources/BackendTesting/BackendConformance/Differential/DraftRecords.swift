import BackendKit
import Synchronization

/// The fields and values of generated records.
struct DraftRecords: Sendable {
  /// The marked field, and others that accept generated values.
  let changeable: [FieldDescription]
  let markField: String
  private let mark: String
  /// The prefix of the marks of queried records.
  var populationMark: String { "\(mark)-q" }

  /// Determines which described fields accept the expected values, with a record for each.
  init(_ context: LawContext) async throws(CheckStop) {
    try await context.sandbox.needsWriting()
    let marked = try await context.fields.marked()
    markField = marked.name
    mark = context.sandbox.mark
    if let tried = context.sandbox.changeable.withLock({ $0 }) {
      changeable = tried
      return
    }
    var found = [marked]
    let owners = try await context.fields.owners()
    let kinds: [FieldDescription.Kind] = [.text, .html, .integer, .number, .boolean]
    for field in try await context.fields.known() where kinds.contains(field.kind) && field.takesValues {
      if field.name == markField || owners.contains(field.name) || context.resource.identifier.isHeld(by: field.name) {
        continue
      }
      if try await DraftRecords.takes(field, context) { found.append(field) }
    }
    changeable = found
    context.sandbox.changeable.withLock { $0 = found }
  }

  private static func takes(_ field: FieldDescription, _ context: LawContext) async throws(CheckStop) -> Bool {
    // A number that no record of another resource has, since references accept only those.
    let value = field.values.first ?? plain(field, 1_009)
    guard case .success(let receipt) = try await context.own.tried(.only(field.name, value)).answer else {
      return false
    }
    guard let id = receipt.id, context.operations.contains(.get) else { return true }
    let stored = try? await context.backend.get(id).fields[field.name]
    // A leftover would disturb queries that should match few records.
    await context.sandbox.discard(id)
    return ValueSimilarity.same(stored, value)
  }

  // MARK: Values

  /// A value that no server has reason to change, different for each number.
  func plainValue(of field: FieldDescription, _ number: Int) -> Value {
    if field.name == markField { return .string("\(mark)-v\(number)") }
    return field.values.isEmpty ? DraftRecords.plain(field, number) : field.values[number % field.values.count]
  }

  private static func plain(_ field: FieldDescription, _ number: Int) -> Value {
    switch field.kind {
    case .integer, .number: .int(field.within(number))
    case .boolean: .bool(number % 2 == 1)
    default: .string("value\(number)")
    }
  }

  func fields(_ base: Object, _ number: Int, _ random: inout SeededGenerator) -> Object {
    var fields = base
    let teller = number < Self.tellers.count ? Self.tellers[number] : nil
    let end = random.pick(["", "", " b", " A", " é"], else: "")
    fields[markField] = .string(populationMark + (teller.map { " \($0)\(number)" } ?? "\(number)" + end))
    for field in changeable.dropFirst() {
      if let teller, field.kind == .text, field.takesAnyValue {
        fields[field.name] = .string(field.fitting(teller))
        continue
      }
      switch Int.random(in: 0..<100, using: &random) {
      case ..<20 where !field.isRequired: fields[field.name] = nil
      case ..<35 where !field.isRequired: fields[field.name] = .null
      // A server without a schema stores values of other kinds, too.
      case ..<45: fields[field.name] = random.pick(DraftRecords.strangers, else: 1)
      default: fields[field.name] = DraftRecords.awkward(field, &random)
      }
    }
    return fields
  }

  /// Texts whose order tells whether case, accents and digits within texts count.
  static let tellers = ["Z", "a10", "é", "a9"]
  static let texts = [
    "alpha", "Alpha", "beta", "zeta", "10", "9", "2", "007", "1.50", "true", "null", "é", "ß", "Ω", "😀", "a b", "%",
    "_", "it's", "\"q\"", "a,b", "x=y", "*", "(", "\\", "a/b", "#1", "+1", "\u{212A}", "k", "\u{1E9E}", "mi\u{17F}t",
    "MIST", "İ",
    "i",
  ]
  static let strangers: [Value] = [1, 10, "10", "1", true, "true", "alpha", false]
  static let integers = [-3, 0, 1, 2, 3, 9, 10, 11, 100]
  static let numbers = ["-0.5", "0", "1", "1.5", "1.50", "2", "9", "10", "100"]

  private static func awkward(_ field: FieldDescription, _ random: inout SeededGenerator) -> Value {
    if let allowed = field.allowed, let first = allowed.first {
      return random.pick(field.values.isEmpty ? allowed : field.values, else: first)
    }
    return switch field.kind {
    case .boolean: .bool(Bool.random(using: &random))
    case .integer: .int(random.pick(integers, else: 0))
    case .number: Number(random.pick(numbers, else: "0")).map { .number($0) } ?? 0
    default: .string(field.fitting(random.pick(texts, else: "")))
    }
  }

}
