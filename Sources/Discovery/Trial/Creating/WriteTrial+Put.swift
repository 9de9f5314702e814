import BackendClient
import BackendKit
import ServiceDescription

/// Records that are made at the path of a name of one's choice, by PUT or POST.
extension WriteTrial {
  /// The fields that name such a record, with the given text as the last; the ones before it are copied from a record
  /// seen earlier.
  func naming(_ text: String) -> Object {
    guard isAtItem, let identifier = survey.identifier, let last = identifier.fields.last else { return Object() }
    var named = Object()
    for field in identifier.fields { named[field] = identifier.record[field] ?? survey.rows.last?[field] }
    named[last] = .string(text)
    return named
  }

  /// Returns whether a field is the record's name or a part of it, and so must stay the same in any change.
  func isNaming(_ name: String) -> Bool { survey.identifier?.fields.contains(name) == true }

  var creationMethod: String { itemMethod ?? "POST" }

  /// Returns the address to which a new record with these fields is sent.
  func place(of fields: Object) -> ProbeTarget {
    guard isAtItem, let identifier = survey.identifier, let id = id(of: fields) else { return collection }
    return identifier.target(id)
  }

  private func id(of fields: Object) -> RecordID? {
    var all = named
    for name in named.names { all[name] = fields[name] ?? named[name] }
    return survey.identifier.flatMap { RecordID($0.value(of: all)) }
  }

  /// The identifier of the record that was sent last.
  var lastNamed: RecordID? { id(of: named) }

  /// Returns whether a record with this name may exist, which a write would replace. True unless a read shows that none
  /// does.
  func isTaken() async throws(BackendError) -> Bool {
    prober.forget()
    guard let answer = try await prober.get(place(of: named)), [404, 410].contains(answer.status) else {
      step("create", "nothing was sent: a record with that name may already exist")
      return true
    }
    return false
  }

  /// Gives another record a name of its own, where the name is chosen.
  func nameAnew(_ fields: inout Object, _ identifier: IdentifierProbe.Found) {
    if isAtItem {
      named = naming(Marker.again(marker.text))
      for (name, value) in named.members { fields[name] = value }
    } else if survey.claims[.createIdentifier] == "client" {
      fields[identifier.field] = .string(freshIdentifier)
    }
  }

  /// After a creation at the path of a name was accepted: the record is there, if a read shows the marker there.
  func acceptedAtItem(_ answer: ProbeResponse, _ identifier: IdentifierProbe.Found) {
    guard let id = lastNamed else { return }
    let found = identifier.record(id, in: answer.document)
    shown = found.map { survey.fields(of: $0.record) }
    step("create", answer.evidence(found == nil ? "" : "the record"))
    claim(
      .createReturns, found == nil ? "nothing" : "record", answer.evidence(found == nil ? "no record" : "the record"))
    take(id, identifier, sent)
  }

  /// Takes a name that was chosen for one that people write.
  func proveChosen() {
    guard let creation, survey.claims[.createIdentifier] == "client" else { return }
    let fields = survey.identifier?.fields ?? []
    for name in fields where survey.claims[field: name] != nil {
      clear(field: name, .fieldReadOnly, creation.evidence("the identifier that was sent"))
      // A creation without it shows more.
      if !isAtItem { claim(field: name, .fieldRequired, true, creation.evidence("with an identifier"), .likely) }
    }
  }

  /// Takes the name for chosen, now that a read has shown the record at its path.
  func proveAtItem() {
    guard isAtItem, let creation else { return }
    if itemMethod == "POST" { claim(.createAtCollection, false, creation.evidence("and get found the record")) }
    claim(.createIdentifier, "client", creation.evidence("the record is at the path of the name that was chosen"))
    guard !namesInBody else { return }
    claim(
      .createDrop, named.names,
      creation.evidence("without the fields in the path"))
  }
}
