import BackendClient
import BackendKit

/// A field whose value may be changed, with two values that differ.
struct Changeable: Sendable {
  var name: String
  var first: Value
  var second: Value

  /// The one that a record does not have, so that setting it is a change.
  func value(unlike record: Record) -> Value {
    record.fields[name]?.isSame(as: second) == true ? first : second
  }
}

extension LawContext {
  /// The name of a field that no adapter knows, tried where records may have any.
  static let unknownField = "switchboardProbe"

  /// True if records may have fields that the description does not name.
  var takesUnknownFields: Bool { resource.isOpen || resource.fields.isEmpty }

  /// The fields that may be written besides the one with the mark, texts first and whole numbers last: such a number
  /// may have to name a record of another resource. Of those that take only some values, those with bounds, which stand
  /// behind the others of their kind.
  func writable() async throws(CheckStop) -> [FieldDescription] {
    let order: [FieldDescription.Kind] = [.text, .html, .boolean, .any, .number, .date, .day, .object, .list, .integer]
    let fields = try await unmarked().filter(\.hasSamples)
    return order.flatMap { kind in
      fields.filter { $0.kind == kind && $0.takesAnyValue } + fields.filter { $0.kind == kind && !$0.takesAnyValue }
    }
  }

  /// The fields that take only some values, by a rule from which none can be made up.
  func restricted() async throws(CheckStop) -> [FieldDescription] { try await unmarked().filter { !$0.hasSamples } }

  /// The fields that may be written besides the one with the mark, and those by which a record names its owner.
  private func unmarked() async throws(CheckStop) -> [FieldDescription] {
    let template = try await sandbox.template()
    let owners = try await ownerFields()
    return resource.fields.filter {
      $0.takesValues && !resource.identifier.isHeld(by: $0.name) && $0.name != template.markField
        && !owners.contains($0.name)
    }
  }

  /// The end of a law that finds no field of these kinds to write.
  func without(
    _ words: String, of kinds: [FieldDescription.Kind] = FieldDescription.Kind.allCases
  ) async throws(CheckStop) -> CheckStop {
    .notApplicable(try await reason(words, of: kinds))
  }

  /// Why there is no field of these kinds to write: as these words say, or since it is not known what those take.
  func reason(_ words: String, of kinds: [FieldDescription.Kind]) async throws(CheckStop) -> String {
    let names = try await restricted().filter { kinds.contains($0.kind) }.map(\.name)
    guard !names.isEmpty else { return words }
    return "no accepted value is known for \(names.joined(separator: ", "))"
  }

  /// The fields whose value can be changed, each with two values; the one with the mark is the last.
  func changeable() async throws(CheckStop) -> [Changeable] {
    let template = try await sandbox.template()
    let others = try await writable().map { field in
      let samples = LawContext.samples(of: field)
      return Changeable(name: field.name, first: samples[0], second: samples[1])
    }
    let mark = sandbox.mark
    let marked = Changeable(name: template.markField, first: .string(mark + "-a"), second: .string(mark + "-b"))
    // Fields that may refer to another record come last.
    let sure = others.filter { $0.first.text != nil || $0.first.bool != nil }
    return sure + [marked] + others.filter { $0.first.text == nil && $0.first.bool == nil }
  }

  /// Two values that a field of this kind takes.
  static func samples(of field: FieldDescription) -> [Value] {
    func texts(_ texts: String...) -> [Value] {
      texts.map { .string(field.fitting($0)) }
    }
    if let allowed = field.allowed { return allowed }
    return switch field.kind {
    case .text, .any: texts("one thing", "two things")
    case .html: texts("<p>one</p>", "<p>two</p>")
    case .integer, .number: [1, 2]
    // The second is set on a new record, which has the first by itself.
    case .boolean: [false, true]
    case .date: texts("2026-01-02T03:04:05Z", "2027-05-04T03:02:01Z")
    case .day: texts("2026-01-02", "2027-05-04")
    case .object: [["a": 1], ["b": "two"]]
    case .list: [[1], ["two", 3]]
    }
  }

  /// A text field that an update may set; where nothing is described, one that adapters of such resources let through.
  var updatableField: FieldDescription? {
    let described = resource.fields.first {
      [.text, .html].contains($0.kind) && $0.takesValues && !resource.identifier.isHeld(by: $0.name)
    }
    return described ?? (resource.fields.isEmpty ? FieldDescription("title", .text) : nil)
  }

  /// Fields of a new record that is never sent.
  var unsentFields: Object {
    var fields = Object()
    for field in resource.fields where field.isRequired && field.takesValues {
      fields[field.name] = LawContext.samples(of: field)[0]
    }
    if fields.count == 0, let field = updatableField { fields[field.name] = "title" }
    return fields
  }

  /// An identifier that no record has.
  func absentID() async throws(CheckStop) -> RecordID {
    for attempt in 0..<5 {
      // Below 2^31: larger ones are no identifiers at all to some servers.
      var random = SeededGenerator(seed: subject.run, case: attempt)
      let number = Int32.random(in: 1_900_000_000 ... .max, using: &random)
      let plain = resource.identifier.form == .integer ? "\(number)" : "\(sandbox.mark)-\(number)"
      let other = resource.identifier.parts.isEmpty ? nil : try await anyID()
      let id = resource.identifier.fitting(plain, number: Int(number), beside: other)
      guard operations.contains(.get) else { return id }
      do throws(BackendError) { _ = try await backend.get(id, from: path) } catch { return id }
    }
    throw .notApplicable("no unused identifier was found")
  }
}

extension IdentifierRule {
  /// An identifier that is made up: the text, or one of the usual forms where only that matches what identifiers match.
  /// One of several parts differs from that of another record in the last alone.
  func fitting(_ plain: String, number: Int, beside other: RecordID? = nil) -> RecordID {
    guard parts.isEmpty else {
      let known = other.flatMap { values(of: $0) }?.map(\.text) ?? parts.map { _ in "\(number)" }
      let isNumber = known.last.flatMap { Number($0) } != nil
      return identifier(joining: known.dropLast() + [isNumber ? "\(number)" : plain]) ?? RecordID(plain)
    }
    func padded(_ count: Int) -> String { String(hex: number, digits: count) }
    let forms = [plain, "\(number)", padded(24), padded(32), "00000000-0000-4000-8000-" + padded(12)]
    return RecordID(forms.first { complaint(about: $0) == nil } ?? plain)
  }
}

extension FieldDescription {
  /// True if it takes any value of its kind: it is not limited to a list of values or records, and has no bounds.
  var takesAnyValue: Bool { isFree && minimum == nil && maximum == nil }

  /// True if ``LawContext/samples(of:)`` has values that it takes: any of its kind, or two within its bounds.
  var hasSamples: Bool {
    guard isFree, !takesAnyValue else { return takesAnyValue }
    let samples = LawContext.samples(of: self)
    return samples.first != samples.last && samples.allSatisfy { complaint(about: $0) == nil }
  }

  /// True if nothing but bounds limits its values.
  private var isFree: Bool {
    values.isEmpty && !isLimited && reference == nil && fields.isEmpty && !isUnique && minimumLength ?? 0 < 2
      && pattern == nil
  }

  /// A whole number within its bounds; mostly another for each number.
  func within(_ number: Int) -> Int {
    switch (least, most) {
    case (let least?, let most?):
      let (count, isLarge) = most.subtractingReportingOverflow(least)
      return isLarge || count == .max || count < 0 ? least : least + number % (count + 1)
    case (let least?, nil): return number < least ? least &+ number : number
    case (nil, let most?): return number > most ? most &- number : number
    case (nil, nil): return number
    }
  }

  private var least: Int? { minimum.flatMap { bound in bound.value.integer.map { $0 &+ (bound.isExcluded ? 1 : 0) } } }
  private var most: Int? { maximum.flatMap { bound in bound.value.integer.map { $0 &- (bound.isExcluded ? 1 : 0) } } }

  /// Two values that it may have, where not every value of its kind will do; nil elsewhere.
  var allowed: [Value]? {
    if let first = values.first { return [first, values[values.count - 1]] }
    switch (least, most) {
    case (let least?, let most?): return [.int(least), .int(max(least, most))]
    case (let least?, nil): return [.int(least), .int(least &+ 1)]
    case (nil, let most?): return [.int(most), .int(most &- 1)]
    case (nil, nil): return defaultValue.map { [$0, $0] }
    }
  }
}

extension Object {
  /// An object with one member.
  static func only(_ name: String, _ value: Value) -> Object { Object([(name, value)]) }
}
