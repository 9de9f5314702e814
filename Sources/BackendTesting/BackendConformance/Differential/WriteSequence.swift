import BackendKit

/// A write in a generated sequence. Records are numbered among those that exist at the time.
enum GeneratedWrite: Sendable, Hashable {
  case create(Int)
  case update(record: Int, field: Int, value: Int)
  case clear(record: Int, field: Int)
  case delete(record: Int)
}

extension GeneratedWrite: CustomStringConvertible {
  var description: String {
    switch self {
    case .create(let value): "create with values \(value)"
    case .update(let record, let field, let value): "update record \(record) field \(field) to \(value)"
    case .clear(let record, let field): "clear record \(record) field \(field)"
    case .delete(let record): "delete record \(record)"
    }
  }
}

/// Executes writes on the server and on a model, and compares the two.
struct WriteSequence: Sendable {
  let context: LawContext
  let draft: DraftRecords

  /// Generates a sequence. The first write creates a record.
  func generate(_ count: Int, _ random: inout SeededGenerator) -> [GeneratedWrite] {
    [.create(0)]
      + (1..<max(2, count)).map { number in
        let record = Int.random(in: 0..<6, using: &random)
        let field = Int.random(in: 0..<12, using: &random)
        switch Int.random(in: 0..<100, using: &random) {
        case ..<30: return .create(number)
        case ..<75: return .update(record: record, field: field, value: number)
        case ..<83: return .clear(record: record, field: field)
        default: return .delete(record: record)
        }
      }
  }

  /// Returns the difference after the writes, if any. Finally removes all records that they created.
  func run(_ writes: [GeneratedWrite]) async throws(CheckStop) -> Disagreement? {
    var model = Model()
    do throws(BackendError) {
      var wrong: Disagreement?
      for write in writes where wrong == nil { wrong = try await carryOut(write, &model) }
      if wrong == nil { wrong = try await compare(model) }
      await remove(model)
      return wrong
    } catch {
      await remove(model)
      if context.meter.isSpent { throw .notApplicable("the request budget is used up") }
      return Disagreement(expected: "success", found: "the error \(error)", witnesses: [])
    }
  }

  private struct Model {
    var ids: [RecordID] = []
    var records: [RecordID: Object] = [:]
    var gone: [RecordID] = []
  }

  // MARK: Writing

  private func carryOut(_ write: GeneratedWrite, _ model: inout Model) async throws(BackendError) -> Disagreement? {
    let backend = context.backend
    if case .create(let value) = write { return try await create(value, &model) }
    guard !model.ids.isEmpty else { return nil }
    switch write {
    case .create: break
    case .update(let record, let field, let value):
      let id = model.ids[record % model.ids.count]
      let field = draft.changeable[field % draft.changeable.count]
      let value = draft.plainValue(of: field, value)
      _ = try await backend.update(id, [.set(field.name, value)])
      model.records[id]?[field.name] = value
    case .clear(let record, let field):
      let id = model.ids[record % model.ids.count]
      let field = draft.changeable[field % draft.changeable.count]
      guard context.capabilities.canClear, !field.isRequired, field.name != draft.markField else { return nil }
      do throws(BackendError) {
        _ = try await backend.update(id, [.unset(field.name)])
      } catch {
        // Some fields cannot be cleared; the record must then be unchanged.
        guard error.code == .invalid || error.code == .unsupported, error.effect != .unknown else { throw error }
        return nil
      }
      model.records[id]?[field.name] = field.serverDefault
    case .delete(let record):
      guard context.operations.contains(.delete) else { return nil }
      let id = model.ids.remove(at: record % model.ids.count)
      model.records[id] = nil
      model.gone.append(id)
      _ = try await backend.delete(.one(id))
    }
    return nil
  }

  private func create(_ value: Int, _ model: inout Model) async throws(BackendError) -> Disagreement? {
    var fields: Object
    do { fields = try await context.sandbox.fields() } catch { return nil }
    for (place, field) in draft.changeable.enumerated() where field.isRequired || (value + place) % 3 != 0 {
      fields[field.name] = draft.plainValue(of: field, value)
    }
    guard let id = try await context.own.create(fields).id else { return nil }
    guard model.records[id] == nil else {
      return Disagreement(expected: "a new identifier", found: "\(id) for the second time", witnesses: [])
    }
    var stored = try await context.backend.get(id).fields
    // Values added by the server are part of the record; values sent must be stored.
    for (name, value) in fields.members { stored[name] = value }
    // A server may reuse the identifier of a deleted record.
    model.gone.removeAll { $0 == id }
    model.ids.append(id)
    model.records[id] = stored
    return nil
  }

  private func remove(_ model: Model) async {
    guard context.operations.contains(.delete) else { return }
    for id in model.ids { _ = try? await context.backend.delete(.one(id)) }
  }

  // MARK: Comparing

  private func compare(_ model: Model) async throws(BackendError) -> Disagreement? {
    for id in model.ids {
      let found = try await context.backend.get(id)
      guard let expected = model.records[id], let name = firstDifference(expected, found.fields) else { continue }
      return Disagreement(
        expected: "\(name) of \(id) as \(expected[name].map(JSONWriter.compact) ?? "nothing")",
        found: found.fields[name].map(JSONWriter.compact) ?? "nothing", witnesses: [found])
    }
    // A deleted record may remain, marked as deleted.
    for id in model.gone where !context.capabilities.keepsDeleted {
      do throws(BackendError) {
        let found = try await context.backend.get(id)
        return Disagreement(expected: "no record \(id)", found: "it exists", witnesses: [found])
      } catch {
        if error.code != .notFound { throw error }
      }
    }
    return try await compareList(model)
  }

  private func compareList(_ model: Model) async throws(BackendError) -> Disagreement? {
    guard context.operations.contains(.list) else { return nil }
    let listed: Set<RecordID?>
    do { listed = Set(try await context.walk(context.query()).ids) } catch { return nil }
    if let missing = model.ids.first(where: { !listed.contains($0) }) {
      return Disagreement(expected: "the record \(missing) in the list", found: "it is missing", witnesses: [])
    }
    guard !context.capabilities.keepsDeleted, let left = model.gone.first(where: { listed.contains($0) }) else {
      return nil
    }
    return Disagreement(expected: "no record \(left) in the list", found: "it is listed", witnesses: [])
  }

  /// The first different field among those that only the model's writes change. Null and missing are equal.
  private func firstDifference(_ expected: Object, _ found: Object) -> String? {
    draft.changeable.map(\.name).first { name in
      let (left, right) = (expected[name] ?? .null, found[name] ?? .null)
      return !left.isSame(as: right)
    }
  }
}
