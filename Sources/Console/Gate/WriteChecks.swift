import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSystem

struct WriteChecks: CommandPart {
  let context: CommandContext

  /// Throws what a run would refuse without a request, before any question and before the first of several writes is
  /// sent. `place` is the write's place in a file, `known` are the known fields of the record, `names` those whose values
  /// are not known yet; nil if the write is known whole. Returns the unknown fields that were not found before; unless
  /// `tells` is false, it reports them.
  @discardableResult func check(
    _ write: Write, of target: Target, at place: String? = nil, known: Object? = nil, unknown names: Set<String>? = nil,
    tells: Bool = true
  ) async throws -> [String] {
    let isGuess = unknownFields != nil
    let unknown = unknownFields ?? names
    do {
      try target.checkWritable()
      let doubts = try await target.client.check(write, unknown: unknown)
      // The receipt has them, too; a preview has nothing else that would say so.
      if tells, run.rehearsal == nil { for doubt in doubts where writes.notes.insert(doubt).inserted { warn(doubt) } }
      let new = try await newFields(of: write, target, known: known)
      if tells { try await tell(newFields: new, of: target) }
      return new
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

  /// The unknown fields of a write that were not found before, or a refusal of one with `--strict`; none if the command
  /// permits new fields. Fields that the record has are not new.
  private func newFields(of write: Write, _ target: Target, known: Object?) async throws -> [String] {
    // The input of an action is checked against its own description.
    if case .act = write { return [] }
    if writes.newFields == nil { return [] }
    let resource = try await target.client.resource(target.path)
    guard resource.source != .unknown, !resource.fields.isEmpty else { return [] }
    let own = write.parts.filter { known?[$0.description] != nil }.map(\.field)
    let unknown = write.fieldNames.filter { name in
      resource.field(named: name) == nil && known?[name] == nil && !own.contains(name)
    }
    if run.settings.isStrict, let name = unknown.first {
      let meant = suggestion(for: name, resource).map { "did you mean \($0)?" }
      throw UsageError(
        "unknown field \"\(name)\" in \(target.description)",
        hint: meant ?? "--strict is on; --new-fields accepts it")
    }
    return run.rehearsal == nil ? unknown.filter { writes.newFields?.insert($0).inserted == true } : []
  }

  private func suggestion(for name: String, _ resource: ResourceDescription) -> String? {
    SpellingSuggestion.suggestion(for: name, among: resource.fields.map(\.name))
  }

  /// Reports unknown fields that will be written, in one line.
  func tell(newFields names: [String], of target: Target) async throws {
    guard let first = names.first else { return }
    let resource = try await target.client.resource(target.path)
    guard names.count > 1 else {
      return warn(
        "unknown field \"\(first)\" in \(target.description); it will be added ("
          + (suggestion(for: first, resource).map { "did you mean \($0)? " } ?? "") + "--new-fields accepts it)")
    }
    let shown = names.map { name in
      "\"\(name)\"" + (suggestion(for: name, resource).map { " (did you mean \($0)?)" } ?? "")
    }
    warn(
      "unknown fields \(NameList.text(shown)) in \(target.description); they will be added (--new-fields accepts them)")
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
