import BackendClient
import BackendKit
import CommandLanguage
import ConsoleSystem

/// Several resources that one command transfers, with the records of the earlier ones.
struct TransferRun {
  let names: [String]
  /// By resource, in the order of `names`.
  var records: [String: ReferencedRecords] = [:]
}

/// Finds the reference fields of a transfer, and the way to translate their values.
struct ReferenceSearch {
  /// A reference field of the target, described by either side.
  struct Found {
    /// The field of the target, or the path to a nested one.
    let path: FieldPath
    let source: RecordReference
    let target: RecordReference
    /// True if the source describes it, so that its records have the field.
    let isDescribed: Bool
  }

  private let transfer: Transfer
  private let source: Target
  private let ports: CommandContext
  private let run: TransferRun?
  private var looked: [[String]: ReferencedRecords] = [:]
  private(set) var named: Set<String> = []

  init(_ transfer: Transfer, from source: Target, in run: TransferRun? = nil, _ ports: CommandContext) {
    self.transfer = transfer
    self.source = source
    self.run = run
    self.ports = ports
  }

  private var target: Target { transfer.target }

  /// The references to translate. Throws if a value has no known meaning in the target, provided the source describes
  /// the reference; otherwise the source's records show whether there are such values. Reads the records that
  /// `--map-ref` looks up.
  mutating func references() async throws -> TransferReferences {
    var (references, unclear) = (TransferReferences(), [Found]())
    for found in try await fields() {
      let records: ReferencedRecords
      if let key = transfer.options.references[found.path.text] {
        named.insert(found.path.text)
        guard !key.isEmpty else { continue }
        records = try await self.records(of: found, by: key)
      } else if let run, let name = run.names.first(where: { isNamed(found, $0) }) {
        if found.source.key != nil, found.source.key == found.target.key { continue }
        guard found.source.key == nil, found.target.key == nil else {
          unclear.append(found)
          continue
        }
        guard let earlier = run.records[name] else { throw order(found, name, run) }
        records = earlier
      } else if isInOneService(found) {
        continue
      } else if let key = found.source.key, key == found.target.key, !isOutlined(found) {
        records = try await self.records(of: found, by: [key])
      } else {
        unclear.append(found)
        continue
      }
      references.list.append(
        TransferReference(path: found.path, kind: kind(of: found.path), source: found.source, records: records))
    }
    let described = unclear.filter(\.isDescribed)
    if !described.isEmpty, transfer.verb != "diff" { throw try await missing(described) }
    for found in unclear { references.unclear.append((path: found.path, error: try await missing([found]))) }
    return references
  }

  /// Throws if `--map-ref` names a field that is not a reference. `named` are those that are.
  func checkNamed(_ named: Set<String>) throws(UsageError) {
    guard let name = transfer.options.references.keys.sorted().first(where: { !named.contains($0) }) else { return }
    throw UsageError(
      "--map-ref: \(target.description) has no written field \"\(name)\" that refers to records",
      hint: "describe shows the references of a resource")
  }

  // MARK: Fields

  /// The fields to be written that either description has as a reference.
  private func fields() async throws -> [Found] {
    let map = transfer.fields.map
    let (own, there) = (try await relations(of: source), try await relations(of: target))
    let origin = try await source.client.resource(source.path)
    func isHidden(_ field: FieldPath) -> Bool {
      transfer.fields.hidden.contains(field.field) && !map.sources.contains(field.text)
    }
    var found: [Found] = []
    for relation in there where isWritten(relation.path.field) {
      guard let from = map.source(of: relation.path.field), !isHidden(from), origin.mayHave(from.field) else {
        continue
      }
      let path = from.text + relation.path.text.dropFirst(relation.path.field.count)
      let other = own.first { $0.path.text == path }
      found.append(
        Found(
          path: relation.path, source: other?.reference ?? RecordReference(to: relation.reference.resource),
          target: relation.reference, isDescribed: other != nil))
    }
    for relation in own {
      var goals = map.goals(of: relation.path.field).map { goal in
        goal + relation.path.text.dropFirst(relation.path.field.count)
      }
      if relation.path.isNested { goals += map.goals(of: relation.path.text).filter { $0 != relation.path.text } }
      for goal in goals.map({ FieldPath($0) }) where isWritten(goal.field) {
        if goal.field == relation.path.field, isHidden(relation.path) { continue }
        guard !found.contains(where: { $0.path == goal }) else { continue }
        found.append(
          Found(path: goal, source: relation.reference, target: relation.reference, isDescribed: true))
      }
    }
    return found
  }

  private func isWritten(_ name: String) -> Bool {
    let fields = transfer.fields
    guard fields.constants[name] == nil, name != fields.identifierField || fields.isKeyedByIdentifier else {
      return false
    }
    return transfer.resource.field(named: name).map { !$0.refusesWrites } ?? fields.takesAny
  }

  /// The relations of a resource: of its fields, and those by which its records are deleted with others.
  private func relations(of target: Target) async throws -> [Relation] {
    let resource = try await target.client.resource(target.path)
    var relations = resource.relations
    for owner in try await target.client.describe(.known).resources {
      for dependents in owner.dependents where dependents.resource == resource.name {
        guard let field = dependents.field, !relations.contains(where: { $0.path.text == field }) else { continue }
        relations.append(Relation(FieldPath(field), RecordReference(to: owner.name)))
      }
    }
    return relations
  }

  private func kind(of path: FieldPath) -> FieldDescription.Kind? {
    if let field = transfer.resource.field(named: path.text) { return field.kind }
    var (fields, kind) = (transfer.resource.fields, FieldDescription.Kind?.none)
    for name in path.names {
      guard let field = fields.first(where: { $0.name == name }) else { return nil }
      (fields, kind) = (field.fields, field.kind)
    }
    return kind
  }

  // MARK: Ways

  private func isNamed(_ found: Found, _ name: String) -> Bool {
    found.source.resource.lowercased() == name.lowercased() && found.target.resource.lowercased() == name.lowercased()
  }

  /// Returns whether only a document describes the records on one of the sides.
  private func isOutlined(_ found: Found) -> Bool {
    source.client.isOutlined(path(found.source)) || target.client.isOutlined(path(found.target))
  }

  /// Returns whether both sides refer to records of one resource of one service.
  private func isInOneService(_ found: Found) -> Bool {
    guard isNamed(found, found.target.resource), found.source.key == found.target.key else { return false }
    return source.client.name == target.client.name
      || Ledgers(ports).journalPlace(of: source.backend.configuration)
        .isSameService(as: Ledgers(ports).journalPlace(of: target.backend.configuration))
  }

  /// The records that a field refers to, on both sides, matched by a key.
  private mutating func records(of found: Found, by key: [String]) async throws -> ReferencedRecords {
    let cached = [found.source.resource, found.source.key ?? "", found.target.resource, found.target.key ?? ""] + key
    if let records = looked[cached] { return records }
    let from = Target(backend: source.backend, path: try await source.client.spelled(path(found.source)))
    let to = Target(backend: target.backend, path: try await target.client.spelled(path(found.target)))
    let described = try await from.client.resource(from.path)
    let options = transfer.options.looking(up: key)
    var lookup = try Transfer(
      transfer.verb, from: from.description, to: to, try await to.client.resource(to.path), options,
      constants: Object(), source: described, jobs: transfer.jobs, store: try TransferStore(state: ports.stateFolder),
      ports)
    for name in key where described.field(named: name) == nil && name != described.identifier.field {
      guard described.isOpen || described.source == .unknown || described.source == .sample else {
        throw UsageError(
          "unknown field \"\(name)\" in \(from.description)", hint: "--map-ref takes a field that both resources have")
      }
    }
    var request = ListRequest(ListQuery(from.path), maximumScan: .max)
    request.trustsEnd = options.trustsEnd
    try await lookup.load(request, of: from, to: .source)
    try lookup.findKeysOfSource()
    try await lookup.complete(.source, of: from, .partialWithoutKey)
    try lookup.findKeysOfSource()
    try await lookup.loadTarget()
    try TransferKeys(transfer: lookup).adopt(TransferSources(ports).keptValues(of: to))
    func member(_ reference: RecordReference, _ resource: ResourceDescription) -> String? {
      reference.key == resource.identifier.field ? nil : reference.key
    }
    try ReferencedRecords.index(lookup, by: member(found.source, described))
    try ReferencedRecords.indexRepeated(.target, of: lookup)
    let records = ReferencedRecords(
      names: lookup.store, there: lookup.store, origin: from.description, goal: to.description,
      member: member(found.target, lookup.resource), isCreating: false)
    looked[cached] = records
    return records
  }

  private func path(_ reference: RecordReference) -> ResourcePath { ResourcePath(name: reference.resource) }

  // MARK: Refusing

  private func missing(_ unclear: [Found]) async throws -> UsageError {
    let fields = unclear.map { "\($0.path) (\($0.target.resource))" }
    let first = unclear[0]
    let (resource, own) = (first.target.resource, target.path.name)
    var (found, both) = ("", "")
    if try await has(source, first.source), try await has(target, first.target) {
      found = "--map-ref \(first.path)=KEY finds them by the field KEY of \(resource), "
      if isNamed(first, resource), resource.lowercased() != own.lowercased(),
        source.path.name.lowercased() == own.lowercased()
      {
        both = "; or copy both: --resources \(resource),\(own) --key \(resource)=KEY,\(own)=KEY"
      }
    }
    return UsageError(
      "\(fields.joined(separator: ", ")) of \(target.description) refers to records that have other identifiers in "
        + "\(source.client.name)",
      hint: "\(found)--map-ref \(first.path)= sends the values as they are, "
        + "--map '\(first.path.field)=' leaves them out\(both)")
  }

  private func has(_ target: Target, _ reference: RecordReference) async throws -> Bool {
    try await target.client.describe(.known).resources.contains {
      $0.name.lowercased() == reference.resource.lowercased()
    }
  }

  private func order(_ found: Found, _ name: String, _ run: TransferRun) -> UsageError {
    let own = target.path.name
    if name.lowercased() == own.lowercased() {
      return UsageError(
        "\(found.path) of \(target.description) refers to records of the same resource, which may not exist yet",
        hint: "--map-ref \(found.path)=KEY finds those that exist, --map '\(found.path.field)=' leaves the field out")
    }
    let names = [name] + run.names.filter { $0 != name }
    return UsageError(
      "\(found.path) of \(target.description) refers to \(name), which comes later in --resources",
      hint: "--resources \(names.joined(separator: ","))")
  }
}

extension Transfer {
  /// Finds the keys of the source's rows as read.
  func findKeysOfSource() throws {
    try eachRow(of: .source, in: store) { row in
      guard row.key == nil, let key = fields.key(of: row.fields, id: row.id) else { return }
      var row = row
      row.key = key
      try store.replace(row, of: .source)
    }
  }
}

extension ResourceDescription {
  /// Returns whether its records may have a field: only a closed description rules that out.
  fileprivate func mayHave(_ name: String) -> Bool {
    isOpen || fields.isEmpty || [.sample, .unknown].contains(source) || field(named: name) != nil
  }
}
