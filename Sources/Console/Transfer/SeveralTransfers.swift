import BackendClient
import BackendKit
import CommandLanguage
import ConsoleOutput
import ConsoleSetup
import ConsoleSystem

private struct Part {
  var transfer: Transfer
  var prepared: Transfer.Prepared
  let bulk: BulkOptions
}

struct SeveralTransfers: CommandPart {
  let context: CommandContext

  /// Copies or syncs several resources of a backend in the given order. A reference to a record of an earlier resource
  /// is translated to the identifier of that record in the target. All are read and checked before the first write;
  /// deletions come last, in the opposite order.
  func transfer(_ verb: String, _ list: String, _ invocation: Invocation) async throws {
    let names = list.split(separator: ",").map { String($0) }
    guard !names.isEmpty, Set(names).count == names.count else {
      throw UsageError("--resources takes names separated by commas, each once, not \"\(list)\"")
    }
    let backends = invocation.words(.target).map(\.text)
    guard backends.allSatisfy({ targets.configuration(of: $0) != nil }), backends[0] != backends[1] else {
      throw UsageError("--resources needs two backends", hint: "\(verb) BACKEND BACKEND --resources users,todos")
    }
    let options = try TransferOptions(invocation, targets.configuration)
    if let name = options.keys.keys.sorted().first(where: { !names.contains($0) }) {
      throw UsageError("--key contains \(name), which is not in --resources")
    }
    if verb == "sync", let name = names.first(where: { options.of($0).key.isEmpty }) {
      throw UsageError("sync needs a key for \(name)", hint: "--key \(name)=FIELD")
    }
    let output = try RecordOutput(invocation, context, default: .table)
    let limit = try invocation.has("delete") ? DeletionLimit(invocation) : nil
    let ends = try await ends(of: names, backends)
    var (parts, run, named, last) = ([Part](), TransferRun(names: names), Set<String>(), ReferenceSearch?.none)
    for (place, name) in names.enumerated() {
      let (source, target) = ends[place]
      targets.work(on: target)
      let query = try await TransferSources(context).sourceQuery(invocation, source)
      try target.checkWritable()
      try self.run.endRehearsal()
      let bulk = try BulkOptions(invocation, target, "create")
      let resource = try await target.client.resource(target.path)
      var transfer = try Transfer(
        verb, from: source.description, to: target, resource, options.of(name),
        constants: try await EditWords(context).edits(invocation, resource.fields).filled(),
        source: try await source.client.resource(source.path),
        jobs: bulk.jobs, store: try TransferStore(state: stateFolder), context)
      transfer.keepsNames = true
      var search = ReferenceSearch(transfer, from: source, in: run, context)
      transfer.references = try await search.references()
      named.formUnion(search.named)
      last = search
      try await transfer.load(query.request(), of: source, to: .source)
      try await transfer.complete(.source, of: source)
      let prepared = try await transfer.prepare(
        invocation, identity: TransferSources(context).identity(verb, source, query), deletes: limit)
      parts.append(Part(transfer: transfer, prepared: prepared, bulk: bulk))
      guard place < names.count - 1 else { break }
      if prepared.isContinued, transfer.options.key.isEmpty {
        throw UsageError(
          "an earlier run was interrupted, and nothing shows which records of \(target.description) it has created",
          hint: "--key \(name)=FIELD finds them")
      }
      run.records[name] = try await records(transfer, prepared, source, query)
    }
    try last?.checkNamed(named)
    try await carryOut(parts, invocation, output, from: ends[0].source.backend.configuration)
  }

  /// The source and target of each resource. Throws unless both backends have it.
  private func ends(
    of names: [String], _ backends: [String]
  ) async throws -> [(source: Target, target: Target)] {
    var ends: [(source: Target, target: Target)] = []
    for name in names {
      var found: [Target] = []
      for backend in backends {
        let path = try await targets.path(name.parts(between: UInt8(ascii: "/")), of: backend, in: name)
        let end = try await targets.target(backend: backend, path: path).spelled
        _ = try await end.client.resource(end.path)
        found.append(end)
      }
      ends.append((source: found[0], target: found[1]))
    }
    return ends
  }

  /// The records of a resource, for references of later ones, including those that the command's condition excludes.
  private func records(
    _ transfer: Transfer, _ prepared: Transfer.Prepared, _ source: Target, _ query: ListOptions
  ) async throws -> ReferencedRecords {
    var all = transfer
    if !query.query.filters.isEmpty || query.query.search != nil, !transfer.options.key.isEmpty {
      all.store = try TransferStore(state: stateFolder)
      var request = query.request(ListQuery(source.path))
      request.maximumScan = .max
      try await all.load(request, of: source, to: .source)
      try await all.complete(.source, of: source)
      // Only the keys are needed: other references of unselected records do not matter.
      all.references = all.references.of(transfer.options.key)
      try await all.convert()
      try TransferKeys(transfer: all).adopt(prepared.kept, in: transfer.store)
    }
    try ReferencedRecords.index(all, by: nil)
    try ReferencedRecords.indexCreations(transfer.store, prepared.changes)
    return ReferencedRecords(
      names: all.store, there: transfer.store, origin: source.description, goal: transfer.target.description,
      member: nil, isCreating: true)
  }

  private func carryOut(
    _ parts: [Part], _ invocation: Invocation, _ output: RecordOutput, from source: BackendConfiguration
  ) async throws {
    var parts = parts
    for part in parts {
      part.transfer.tellCells(invocation, output)
      let waiting = part.transfer.waitingValues
      if invocation.has("dry-run"), waiting > 0 {
        note(
          "\(part.transfer.target.description): \(counted(waiting, "reference is", "references are")) "
            + "to records that have no identifier yet; the requests show placeholders for "
            + part.transfer.waitingPlaces.joined(separator: ", ")
            + (waiting > part.transfer.waitingPlaces.count ? ", …" : ""))
      }
    }
    let prepared = parts.map { (transfer: $0.transfer, prepared: $0.prepared) }
    guard let plan = Transfer.plan(prepared, from: source) else { return }
    if parts[0].transfer.isWithheld(invocation) || plan.count > 0 {
      guard try await Gate(context).admits(plan, invocation) else { return }
    }
    // Deletions in the opposite order of creations.
    for place in parts.indices {
      var part = parts[place]
      targets.work(on: part.transfer.target)
      let (transfer, bulk) = (part.transfer, part.bulk)
      do { try await transfer.runChanges(&part.prepared, bulk, output) } catch {
        let others = parts[(place + 1)...].map(\.transfer.target.description)
        if !others.isEmpty { note("nothing was sent to \(others.joined(separator: ", "))") }
        throw error
      }
      parts[place] = part
    }
    let changes = parts.reduce(0) { $0 + $1.prepared.changes.count }
    for place in parts.indices.reversed() {
      var part = parts[place]
      targets.work(on: part.transfer.target)
      let (transfer, bulk) = (part.transfer, part.bulk)
      try await transfer.runDeletions(&part.prepared, bulk, output, after: changes)
      parts[place] = part
    }
    for part in parts { try part.transfer.end(part.prepared, part.bulk, output) }
  }
}
