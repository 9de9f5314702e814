import BackendKit

extension LawContext {
  /// A field of the suite's own records in which texts are tried, and what has to stand before them.
  func textProbe(length: Int, exact: Bool) async throws(CheckStop) -> (field: String, prefix: String) {
    let fields = try await writable().filter { [.text, .html, .any].contains($0.kind) }
    if let field = fields.first(where: { ($0.maximumLength ?? .max) >= length }) { return (field.name, "") }
    if takesUnknownFields { return (LawContext.unknownField, "") }
    let template = try await sandbox.template()
    let maximum = resource.field(named: template.markField)?.maximumLength ?? .max
    guard !exact, maximum - sandbox.mark.utf16.count > length else {
      throw .notApplicable(try await reason("no writable field holds such text", of: [.text, .html, .any]))
    }
    return (template.markField, sandbox.mark + " ")
  }

  /// The fields of these kinds in which values are tried, in the order of the kinds; where records may have any field,
  /// one that nobody described is among them.
  func probes(_ kinds: [FieldDescription.Kind]) async throws(CheckStop) -> [FieldDescription] {
    var fields = try await writable()
    if takesUnknownFields { fields.append(FieldDescription(LawContext.unknownField, .any)) }
    return kinds.flatMap { kind in fields.filter { $0.kind == kind } }
  }

  /// Writes each value into a field, by a create and by an update, and holds what is read back against it.
  ///
  /// A value may be refused, and then nothing has changed.
  func roundTrip(_ values: [Value], in field: String) async throws(CheckStop) {
    try await roundTrip([(field, values)], else: .notApplicable(""))
  }

  /// The same in several fields, at least one of which has to take a value; ends the law in another way where there are none.
  func roundTrip(
    _ trials: [(field: String, values: [Value])], byUpdate: Bool = true,
    else end: @autoclosure () async throws(CheckStop) -> CheckStop
  ) async throws(CheckStop) {
    var isKept = false
    for (field, values) in trials { if try await keeps(values, in: field, byUpdate) { isKept = true } }
    if isKept { return }
    guard let last = trials.last?.field else { throw try await end() }
    throw .notApplicable("the server refuses every value that the suite can write to \(last)")
  }

  private func keeps(_ values: [Value], in field: String, _ byUpdate: Bool) async throws(CheckStop) -> Bool {
    try needs(.get)
    var kept = 0
    var target: Made?
    for value in values {
      let made = try await createdWith(value, in: field)
      if made != nil { kept += 1 }
      guard byUpdate, operations.contains(.update) else { continue }
      if target == nil { target = try await self.made() }
      if let target, try await updatedTo(value, in: field, of: target) { kept += 1 }
    }
    return kept > 0
  }

  /// A text of this many letters and digits that no compression makes much shorter: a transport may take an answer that
  /// grows a thousandfold for an attack.
  static func longText(_ count: Int) -> String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
    var state: UInt64 = 1
    let bytes = (0..<count).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return letters[Int(truncatingIfNeeded: state >> 58)]
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func createdWith(_ value: Value, in field: String) async throws(CheckStop) -> Made? {
    let done = "a record was created with \(field) as \(ValueSimilarity.shown(value))"
    let (sent, answer) = try await tried(.only(field, value))
    switch answer {
    case .failure(let error):
      try requireRefusal(error, done)
      return nil
    case .success(let receipt):
      guard let id = receipt.id else { throw .notApplicable("the server reports no identifier") }
      if let difference = ValueSimilarity.difference(sent, try await stored(id), notes: receipt.notes) {
        throw .breach(done, expected: "this value, or a note", found: difference)
      }
      return Made(id: id, sent: sent, receipt: receipt)
    }
  }

  private func updatedTo(_ value: Value, in field: String, of made: Made) async throws(CheckStop) -> Bool {
    let done = "\(field) was set to \(ValueSimilarity.shown(value))"
    let before = try await stored(made.id)
    var refusal: BackendError?
    var notes: [String] = []
    do throws(BackendError) {
      notes = try await backend.update(made.id, in: path, changes: [.set(field, value)], revision: nil).notes
    } catch { refusal = error }
    guard let refusal else {
      let stored = try await stored(made.id, "was updated")
      if let difference = ValueSimilarity.difference(.only(field, value), stored, notes: notes) {
        throw .breach(done, expected: "this value, or a note", found: difference)
      }
      return true
    }
    // The server took it and kept something else, and the adapter says so.
    if refusal.code == .badResponse, refusal.effect == .unknown || refusal.effect == .applied { return false }
    try requireRefusal(refusal, done)
    let after = try await stored(made.id)
    if let change = change(from: before, to: after, touched: []) {
      throw .breach("\(done) and refused with \(refusal)", expected: "the record as it was", found: change)
    }
    return false
  }
}
