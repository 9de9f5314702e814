import BackendClient
import BackendKit
import CommandLanguage
import ConsoleSystem

struct WriteChecks: CommandPart {
  let context: CommandContext

  /// Throws what a run would refuse without a request, before any question and before the first of several writes is
  /// sent. `place` is the write's place in a file, `known` are the known fields of the record.
  func check(_ write: Write, of target: Target, at place: String? = nil, known: Object? = nil) async throws {
    let unknown = unknownFields
    let isGuess = unknown != nil
    do {
      try target.checkWritable()
      try await target.client.check(write, unknown: unknown)
      try await checkNewFields(write, of: target, known: known)
    } catch {
      var failure = failure(error)
      // The message must be the same for every value.
      if isGuess, var error = error as? BackendError {
        error.id = nil
        failure = self.failure(error)
      }
      guard let place else { throw isGuess ? failure : error }
      throw failure.at(place)
    }
  }

  /// The fields that may get a value not known yet; nil if all values are known.
  private var unknownFields: Set<String>? {
    let words = words.filter(\.isUnknown)
    return run.rehearsal == nil || words.isEmpty ? nil : Set(words.flatMap(\.assignedFields))
  }

  /// Notes each unknown field once, or refuses it with `--strict`, unless the command permits new fields. Fields that
  /// the record has are not new.
  func checkNewFields(_ write: Write, of target: Target, known: Object? = nil) async throws {
    // The input of an action is checked against its own description.
    if case .act = write { return }
    if writes.newFields == nil { return }
    let resource = try await target.client.resource(target.path)
    guard resource.source != .unknown, !resource.fields.isEmpty else { return }
    let own = write.parts.filter { known?[$0.description] != nil }.map(\.field)
    for name in write.fieldNames
    where resource.field(named: name) == nil && known?[name] == nil && !own.contains(name) {
      let nearest = SpellingSuggestion.suggestion(for: name, among: resource.fields.map(\.name))
      if run.settings.isStrict {
        throw UsageError(
          "unknown field \"\(name)\" in \(target.description)",
          hint: nearest.map { "did you mean \($0)?" } ?? "--strict is on; --new-fields accepts it")
      }
      guard run.rehearsal == nil, writes.newFields?.insert(name).inserted == true else { continue }
      warn(
        "unknown field \"\(name)\" in \(target.description); it will be added ("
          + (nearest.map { "did you mean \($0)? " } ?? "") + "--new-fields accepts it)")
    }
  }

  /// The checked writes without fields that only the server sets, which a record that was read, edited and passed back
  /// still has. Throws if one of them differs from the record's value.
  func sendable(
    _ writes: [PlannedWrite], of target: Target, _ resource: ResourceDescription
  ) async throws -> [PlannedWrite] {
    let fixed = Set(resource.fields.filter { !$0.takesValues }.map(\.name))
    let refused = Set(resource.fields.filter(\.refusesWrites).map(\.name))
    var sendable: [PlannedWrite] = []
    var givenBack: [(place: Int, record: RecordID, changes: [Change])] = []
    for given in writes {
      var own = given
      if case .update(let path, let id, let changes, let parts, let revision) = given.write {
        let back = changes.filter { fixed.contains($0.field) && !$0.sendsFile }
        if !back.isEmpty {
          guard back.count < changes.count || back.contains(where: { !refused.contains($0.field) }) else {
            throw UsageError("\(given): nothing to change except read-only fields")
          }
          givenBack.append((sendable.count, id, back))
          own.write = .update(
            path, id, changes.filter { !fixed.contains($0.field) || $0.sendsFile }, parts: parts, revision: revision)
        }
      }
      if !own.write.fieldNames.isEmpty { try await check(own.write, of: target, at: own.place) }
      sendable.append(own)
    }
    for (place, id, back) in givenBack {
      guard case .update(let path, _, let own, let parts, let revision) = sendable[place].write else { continue }
      let record: Record
      do throws(BackendError) { record = try await target.client.get(id, from: target.path) } catch {
        // The write reports it for its own row.
        guard error.code == .notFound else { throw failure(error).at("\(sendable[place])") }
        if own.isEmpty { sendable[place].write = writes[place].write }
        continue
      }
      let differing = back.filter { !WantedFields($0).isShown(by: record.fields, of: resource) }
      let changed = differing.map(\.field).filter(refused.contains)
      if !changed.isEmpty {
        throw UsageError(
          "\(sendable[place]): \(changed.joined(separator: ", ")) of \(target.description)/\(id) are read-only, and the"
            + " given value differs from the record's", hint: "leave it out; nothing was changed")
      }
      // That only the server sets these fields is not proved.
      let changes = own + differing
      guard !changes.isEmpty || !parts.isEmpty else {
        throw UsageError(
          "\(sendable[place]): nothing to change except read-only fields", hint: "nothing was changed")
      }
      sendable[place].write = .update(path, id, changes, parts: parts, revision: revision)
    }
    return sendable
  }
}

extension Change {
  fileprivate var sendsFile: Bool {
    if case .set(_, let value) = self { UploadedFile.facts(in: value) != nil } else { false }
  }
}
